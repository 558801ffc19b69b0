#pragma once
// Judging the judge by other people's tuners: an adapter can plant bugs into the tuner that it
// drives, and scenarios must notice them.
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "judge/run/audit_part.hpp"
#include "judge/run/session.hpp"

namespace tunecheck {

struct ForeignAuditOptions {
  AdapterInfo adapter;
  std::string argument;              ///< the adapter as --adapter finds it
  std::vector<std::string> mutants;  ///< globs; all if empty
  std::optional<AuditPart> part;     ///< where it is divided
  /// Scenarios that there are, and that --scenarios has left out of the catalogue.
  std::set<std::string> left_out;
  KnownFailures known;        ///< of the tuner without a planted bug
  std::string repro_options;  ///< of the command that repeats a scenario: where it is from
  TaskOptions tasks;
};

/// Runs each mutant of the adapter on the scenarios that its program says must catch it, and the
/// tuner without a planted bug on the same scenarios. A mutant is caught where the check that the
/// program names fails, and no mark of the tuner's known failures names that check. Checks are not
/// judged: other people's tuners lack what many of them need. `reference` of the result is the
/// tuner without a planted bug. A mutant whose scenarios all run on other kinds of device is
/// `elsewhere`. An error where the adapter can plant nothing, or names scenarios or checks that
/// there are not, and where nothing that it names can run here.
[[nodiscard]] Result<AuditResult> run_foreign_audit(const Catalogue& catalogue,
                                                    const ForeignAuditOptions& options);

}  // namespace tunecheck
