#pragma once
// Why a tuner fails what it is asked: one cause explains many known failures. An adapter's
// causes.info lists them; docs/known-failures.md has the format and the rules.
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tunecheck {

/// Whose promise it is that does not hold.
enum class CauseKind {
  broken_promise,  ///< the tuner's own: its documentation or its source says otherwise
  other_policy,    ///< none: the tuner decided otherwise, or its documentation says so
  never_said,      ///< none: nothing is said about it
};

/// What somebody wrote about it where the tuner is developed.
struct UpstreamIssue {
  std::string link;
  std::string state;  ///< "open", "closed" or "merged"; "" where nobody has looked
  std::string says;   ///< what it is about, where it is not about this very cause
};

struct TunerCause {
  std::string name;  ///< an identifier, stable: links hang on it
  std::string title;
  CauseKind kind = CauseKind::never_said;
  std::string promise;                 ///< the tuner's own words about it, "" where there are none
  std::vector<std::string> scenarios;  ///< names with * and ?; none where scripts alone show it
  std::vector<std::string> checks;     ///< the only ones that fail by it; empty: any may
  std::string finding;                 ///< a page below docs/findings, "" where there is none
  std::vector<std::string> scripts;    ///< below docs/findings; they show it without tunecheck
  std::vector<UpstreamIssue> upstream;
  std::string looked_at;  ///< the day on which somebody looked upstream, "" where nobody has
  std::string since;      ///< the first version that has it, "" where it is not known
  std::string fixed_in;   ///< the first version that does not, "" where there is none

  /// Whether the scenario may fail by it, in whichever check.
  [[nodiscard]] bool is_of(std::string_view scenario) const;
  /// Whether this check may.
  [[nodiscard]] bool is_of(std::string_view scenario, std::string_view check) const;
};

/// By name.
using TunerCauses = std::map<std::string, TunerCause>;

}  // namespace tunecheck
