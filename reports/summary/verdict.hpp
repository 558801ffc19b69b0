#pragma once
// The verdict about each kind of document, and the one about all of a report: computed here once,
// for every format, the page's title and the last line on a terminal.
#include <string>
#include <string_view>

#include "reports/stored/report_sources.hpp"

namespace tunecheck {

/// How a verdict is coloured, and which sign it has.
enum class Standing {
  good,       ///< what was asked held
  known,      ///< nothing that is not known to fail failed
  open,       ///< nobody can tell, or it shows less than one might think
  bad,        ///< something failed, or became slower
  untrusted,  ///< the result itself is not to be trusted
};
/// "good", "known", "open", "bad", "untrusted": for the page.
[[nodiscard]] std::string_view name_of(Standing standing);

struct VerdictLine {
  Standing standing = Standing::untrusted;
  int status = 0;    ///< exit status of the command that wrote the document
  std::string word;  ///< "FAIL"
  std::string
      sentence;  ///< "30 of 274 scenarios failed", without a full stop; to be made printable

  /// "FAIL: 30 of 274 scenarios failed"
  [[nodiscard]] std::string text() const;
};

[[nodiscard]] VerdictLine verdict_of(const RunResult& run);
/// "REGRESSION: 3 benchmarks and 2 counts; a slowdown of 3.5 % would have been found 95 times in
/// 100".
[[nodiscard]] VerdictLine verdict_of(const gate::GateResult& session);
[[nodiscard]] VerdictLine verdict_of(const AuditResult& audit);
[[nodiscard]] VerdictLine verdict_of(const WatchResult& watch);
/// Nothing of a history fails; what became slower is open.
[[nodiscard]] VerdictLine verdict_of(const HistoryChanges& history);

/// Why its result is not to be trusted, "" where it is: "nothing was run".
[[nodiscard]] std::string why_not_trusted(const RunResult& result);
/// Likewise, of what a watch did not find: what it found is true all the same.
[[nodiscard]] std::string why_not_trusted(const WatchResult& watch);

/// "reference 0.1.0 on cpu"; the adapter's name where that says more than the tuner's.
[[nodiscard]] std::string subject_of(const RunResult& result);

/// "98 mutants and 17 adversaries", "12 mutants of flydsl".
[[nodiscard]] std::string audited_text(const AuditResult& result);

/// True where `a` is what a reader has to hear of before `b`: by the exit status that counts when
/// both apply, and by standing where that is the same.
[[nodiscard]] bool is_worse(const VerdictLine& a, const VerdictLine& b);

}  // namespace tunecheck
