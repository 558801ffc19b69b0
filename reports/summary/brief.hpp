#pragma once
// The five answers that a report gives first, whatever its format: what broke, why, since when,
// whose it is, and what to do. Each is a sentence without markup, to be made printable.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/summary/verdict.hpp"

namespace tunecheck {

/// What a report knows besides its documents. All of it outlives the briefs.
struct BriefContext {
  std::span<const RunResult> base;  ///< what runs are compared with; may be empty
  std::string_view repository;      ///< address of the page of the tuner's source; "" if unknown
  std::span<const ReportSource<HistoryChanges>> histories = {};  ///< that tell since when
  std::span<const ReportSource<AuditResult>> base_audits = {};   ///< what audits are compared with
  bool base_is_run_before = false;  ///< nobody gave the base: it ran before in the same folder
};

enum class DocumentKind { run, gate, watch, audit, history };
/// "run", "gate", ...
[[nodiscard]] std::string_view name_of(DocumentKind kind);

struct Brief {
  DocumentKind kind = DocumentKind::run;
  std::size_t number = 0;  ///< among the report's documents of this kind
  VerdictLine verdict;
  std::string subject;  ///< "reference 0.1.0 on cpu"
  std::string broke;
  std::string why;
  std::string since;
  std::string whose;
  std::string next;     ///< what to do
  std::string command;  ///< what to type for that; "" where there is none
  std::string compare;  ///< address of the commits between base and head; "" where it is not known
  /// Of verdicts over time next to a run: the run says what fails now, and the history since when.
  bool is_background = false;
};

/// One for each document, in the order of ReportSources.
[[nodiscard]] std::vector<Brief> briefs_of(const ReportSources& sources,
                                           const BriefContext& context);
[[nodiscard]] Brief brief_of(const RunResult& run, const BriefContext& context);
[[nodiscard]] Brief brief_of(const gate::GateResult& session, const BriefContext& context);
[[nodiscard]] Brief brief_of(const WatchResult& watch);
/// The command line that watches the same program in the same way, for a shell.
[[nodiscard]] std::string repeat_command(const WatchResult& watch);
[[nodiscard]] Brief brief_of(const AuditResult& audit, const BriefContext& context);
[[nodiscard]] Brief brief_of(const HistoryChanges& history, const BriefContext& context);

/// The one whose verdict is that of the report as a whole; the first of those that are as bad, and
/// none that is in the background. There must be one.
[[nodiscard]] const Brief& worst_of(std::span<const Brief> briefs);

/// The verdict about all: the worst one's; where there are several, with its subject.
[[nodiscard]] VerdictLine verdict_of(std::span<const Brief> briefs);

/// The commit whose tuner was judged, "" where the run does not say.
[[nodiscard]] std::string commit_of(const RunResult& run);

/// The page that shows the commits between two; "" where one of them or the repository is unknown.
[[nodiscard]] std::string compare_address(std::string_view repository, std::string_view base,
                                          std::string_view head);

}  // namespace tunecheck
