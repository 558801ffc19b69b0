#pragma once
// A condition on scenarios, as people type it:
//
//   family:restore and not (check:output.* or kernel:rmsnorm)
//
//   condition  = all { "or" all }
//   all        = one { "and" one }
//   one        = "not" one | "(" condition ")" | term
//   term       = field ":" glob | glob
//
// A glob alone is that of a name. `not` binds closer than `and`, and `and` closer than `or`. Globs
// have *, ? and [...], and no blank and no parenthesis. The three words are words in lower case
// alone: a scenario of the name "and" is `name:and`. Conditions like pytest's -k, which look for a
// part of a name, were not taken: "reload" would find what is about reloading and what is not.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "judge/scenario/catalogue.hpp"

namespace tunecheck {

/// The fields that a term may have, in the order in which a message lists them.
[[nodiscard]] const std::vector<std::string>& filter_fields();

/// The values that a field has in these scenarios (or, of devices, that it can have), by name.
[[nodiscard]] std::vector<std::string> values_of_field(const Catalogue& catalogue,
                                                       std::string_view field);

/// Cheap to copy, and does not change: several threads may ask it.
class ScenarioFilter {
 public:
  struct Node;

  /// An error says in which column of `text` (from 1) something else was expected. A term that is
  /// true of no scenario of the catalogue is an error as well: it is a slip.
  [[nodiscard]] static Result<ScenarioFilter> parse(const std::string& text,
                                                    const Catalogue& catalogue);

  [[nodiscard]] bool matches(const Scenario& scenario) const;

 private:
  explicit ScenarioFilter(std::shared_ptr<const Node> root) : m_root(std::move(root)) {}

  std::shared_ptr<const Node> m_root;
};

}  // namespace tunecheck
