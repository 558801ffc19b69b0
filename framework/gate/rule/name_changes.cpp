#include "gate/rule/name_changes.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace tunecheck::gate {
namespace {

// What is in `names` and not in `others`, by the name that both have and that comes before it.
std::map<std::string, std::vector<std::string>> alone(const std::vector<std::string>& names,
                                                      const std::set<std::string>& others) {
  std::map<std::string, std::vector<std::string>> alone;
  std::string before;
  for (const std::string& name : names)
    if (others.contains(name))
      before = name;
    else
      alone[before].push_back(name);
  return alone;
}

}  // namespace

void note_names(const std::vector<std::string>& base, const std::vector<std::string>& head,
                GateResult& result) {
  const auto removed = alone(base, {head.begin(), head.end()});
  const auto added = alone(head, {base.begin(), base.end()});
  for (const auto& [before, names] : removed) {
    result.removed.insert(result.removed.end(), names.begin(), names.end());
    const auto other = added.find(before);
    if (other == added.end() || other->second.size() != names.size()) continue;
    for (std::size_t i = 0; i < names.size(); ++i)
      result.renamed.push_back({names[i], other->second[i]});
  }
  for (const auto& [before, names] : added)
    result.added.insert(result.added.end(), names.begin(), names.end());
}

}  // namespace tunecheck::gate
