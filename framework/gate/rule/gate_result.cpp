#include "gate/rule/gate_result.hpp"

#include <algorithm>

#include "core/exit_status.hpp"

namespace tunecheck::gate {

int GateResult::exit_status() const {
  using namespace status;
  const bool is_undecided = answer == Answer::inconclusive && fails_on_inconclusive;
  return gravest({is_complete && answer != Answer::invalid ? held : untrusted,
                  answer == Answer::regression ? regressed : held,
                  is_undecided ? undecided : held});
}

double GateResult::detectable() const {
  double largest = -1;
  for (const BenchmarkResult& benchmark : benchmarks)
    if (benchmark.role == Role::measured) largest = std::max(largest, benchmark.finding.detectable);
  return largest < 0 ? std::numeric_limits<double>::infinity() : largest;
}

}  // namespace tunecheck::gate
