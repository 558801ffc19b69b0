#pragma once
// Judging the judge: every planted bug must be caught, every check must catch one.
#include <optional>
#include <string>
#include <vector>

#include "judge/run/audit_part.hpp"
#include "judge/run/session.hpp"

namespace tunecheck {

struct AuditOptions {
  std::vector<std::string> mutants;  ///< globs; all if empty
  bool quick = false;                ///< see run_audit
  bool few_for_true_tuner = false;   ///< the true tuner runs quick_selection() alone
  /// The scenarios are a user's own: the audit is about what they name in `catches` and `bears`,
  /// and nothing else has to be caught.
  bool named_alone = false;
  std::optional<AuditPart> part;  ///< where it is divided: then only what runs is the part's
  std::string repro_options;      ///< of the command that repeats a scenario: where it is from
  TaskOptions tasks;
};

/// Of the scenarios that run on the tasks' backend: runs the true tuner on every scenario and each
/// mutant on the scenarios that name it in `catches`, and, on a CPU where programs are seen, each
/// adversary on those that bear it. Where `mutants` selects some, completeness is
/// judged for those alone and checks are not, and likewise with `named_alone`. A quick audit runs
/// the true tuner on quick_selection(), or on those of the mutants where these are selected, and
/// each mutant on the cheapest scenario that names it; checks are not judged either. With
/// `few_for_true_tuner` all mutants run on all that name them: what is left out is what a run of
/// the true tuner shows as well. A part of an audit names all mutants and checks, and runs its
/// share.
[[nodiscard]] Result<AuditResult> run_audit(const Catalogue& catalogue,
                                            const AuditOptions& options);

}  // namespace tunecheck
