#pragma once
// A session of the gate in words: the same on every page, whatever its format.
#include <string>
#include <string_view>
#include <vector>

#include "gate/rule/gate_result.hpp"

namespace tunecheck {

/// One thing that was found.
struct GateFinding {
  gate::Answer answer = gate::Answer::invalid;
  std::string name;
  std::string reason;  ///< one sentence; "" where there is no more to say
  const gate::BenchmarkResult* benchmark = nullptr;  ///< in the session, where it is a time
  const gate::CountResult* count = nullptr;          ///< likewise, where it is a count
};

/// Times, counts, and winners that changed at a cost that is not known; worst first. Canaries are
/// none of them: they speak through the session's reason. What is not settled says so.
[[nodiscard]] std::vector<GateFinding> findings_of(const gate::GateResult& session);

/// Where the interval of a change lies: "above delta", "below delta" (faster), "within the
/// tolerance" or "beyond the tolerance"; "" where nothing was settled.
[[nodiscard]] std::string_view place_of_interval(const gate::BenchmarkResult& benchmark,
                                                 const gate::Settings& settings);

/// The median of the medians of one side's processes, of those that gave a sample, in the time that
/// decided; no number where there is none.
[[nodiscard]] double median_of(const gate::BenchmarkResult& benchmark, gate::Side side);

/// What processes counted: "4", or "4, 5" where they do not agree; "" where there is none.
[[nodiscard]] std::string counts_text(const std::vector<std::int64_t>& counts);

/// Why it is not to be trusted as a whole, "" where it is.
[[nodiscard]] std::string why_not_trusted(const gate::GateResult& session);

/// "HEAD, commit 0123456789ab"; the commit once where the command line named it.
[[nodiscard]] std::string side_text(const gate::SideResult& side);

/// What was compared: "HEAD against v1.0, reference on cpu".
[[nodiscard]] std::string subject_of(const gate::GateResult& session);

}  // namespace tunecheck
