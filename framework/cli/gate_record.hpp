#pragma once
// What sessions of the gate have in common, whatever their sides are: how they begin, and
// gate.json.
#include <functional>
#include <string>

#include "cli/gate_session.hpp"
#include "core/result.hpp"
#include "gate/measure/build.hpp"
#include "gate/rule/gate_result.hpp"

namespace tunecheck::cli {

/// Prints a line of what is going on.
void show(const std::string& line);

[[nodiscard]] gate::GateResult begin_result(const GateArguments& arguments,
                                            const std::string& kind);

/// The build in this folder, or of this revision, which is built where it has not been.
[[nodiscard]] Result<gate::Build> open_side(const std::string& text,
                                            const GateArguments& arguments);
[[nodiscard]] gate::SideResult side_of(const gate::Build& build);

using SoFar = std::function<Result<void>(const gate::GateResult&)>;

/// Runs what `compare` does, with gate.json kept up to date from its first line to its last.
[[nodiscard]] Result<gate::GateResult> recorded(
    const GateArguments& arguments, gate::GateResult result,
    const std::function<Result<void>(gate::GateResult&, const SoFar&)>& compare);

}  // namespace tunecheck::cli
