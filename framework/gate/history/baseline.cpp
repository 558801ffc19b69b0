#include "gate/history/baseline.hpp"

#include <map>

namespace tunecheck::history {
namespace {

Result<void> check_pair(const SampleSet& baseline, const SampleSet& present) {
  if (baseline.kind != present.kind || baseline.unit != present.unit)
    return failure(ErrorKind::bad_input, "benchmark \"{}\": in {} in the baseline, in {} now",
                   present.benchmark, baseline.unit, present.unit);
  if (const auto same = compatible(baseline.fingerprint, present.fingerprint); !same)
    return failure(ErrorKind::bad_input, "benchmark \"{}\": {}", present.benchmark,
                   same.error().message);
  return {};
}

}  // namespace

Result<std::vector<Compared>> compared(const std::vector<SampleSet>& baseline,
                                       const std::vector<SampleSet>& present) {
  std::map<std::string, Compared> by_name;
  for (const SampleSet& set : baseline)
    by_name[set.benchmark].baseline = set;
  for (const SampleSet& set : present)
    by_name[set.benchmark].present = set;
  std::vector<Compared> result;
  for (auto& [name, both] : by_name) {
    if (both.baseline && both.present) TUNECHECK_CHECK(check_pair(*both.baseline, *both.present));
    both.benchmark = name;
    result.push_back(std::move(both));
  }
  return result;
}

}  // namespace tunecheck::history
