#pragma once
// A session of the gate on a terminal: what is worst first, the verdict last.
#include <string>

#include "gate/rule/gate_result.hpp"
#include "reports/terminal/terminal.hpp"

namespace tunecheck {

[[nodiscard]] std::string gate_page(const gate::GateResult& result, const TerminalOptions& options);

}  // namespace tunecheck
