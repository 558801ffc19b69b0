#pragma once
// What a person reads on a terminal after a run, an audit or a proof: first what is wrong, the
// what explains most at the top (see causes_of() in summary/causes.hpp), then counts, and the
// verdict in the last line, where the eye is.
#include <cstddef>
#include <filesystem>
#include <string>

#include "result/proof_result.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

struct Brief;

enum class Detail {
  quiet,    ///< the verdict in one line
  normal,   ///< of each cause one failure in full; counts
  verbose,  ///< every failure in whole, and what passed
};

struct TerminalOptions {
  bool colour = false;        ///< with ANSI escape codes; without, there is none in the text
  std::size_t width = 80;     ///< columns; commands and paths are never broken, and may be longer
  std::filesystem::path out;  ///< the output folder: evidence is named relative to it
  Detail detail = Detail::normal;   ///< of runs
  std::filesystem::path html = {};  ///< a page for a browser that was written as well; "" if none
  /// What commands that repeat a scenario begin with here, in the place of "tunecheck"; "" where
  /// the shell finds that itself. A result holds what is right anywhere.
  std::string program = {};
  /// The five answers, which a report says before the verdict where something is wrong; null where
  /// the page does without them. It outlives the page.
  const Brief* brief = nullptr;
};

/// Errors and failures, worst first; a line per family; the verdict.
[[nodiscard]] std::string run_summary(const RunResult& result, const TerminalOptions& options);

/// The scenarios that took longest, at most so many, the longest first.
[[nodiscard]] std::string durations_page(const RunResult& result, std::size_t most,
                                         const TerminalOptions& options);

/// The matrix of mutants and the checks that caught them; what is missing; the verdict.
[[nodiscard]] std::string audit_summary(const AuditResult& result, const TerminalOptions& options);

/// The configs, the planted wrong results, the verdict.
[[nodiscard]] std::string proof_summary(const ProofResult& result, const TerminalOptions& options);

}  // namespace tunecheck
