#include "gate/gate_result.hpp"

#include <algorithm>

namespace tunecheck::gate {

int GateResult::exit_status() const {
  constexpr int regressed = 2, untrusted = 4, undecided = 5;
  if (!is_complete || answer == Answer::invalid) return untrusted;
  if (answer == Answer::regression) return regressed;
  return answer == Answer::inconclusive && fails_on_inconclusive ? undecided : 0;
}

double GateResult::detectable() const {
  double largest = -1;
  for (const BenchmarkResult& benchmark : benchmarks)
    if (benchmark.role == Role::measured) largest = std::max(largest, benchmark.finding.detectable);
  return largest < 0 ? std::numeric_limits<double>::infinity() : largest;
}

}  // namespace tunecheck::gate
