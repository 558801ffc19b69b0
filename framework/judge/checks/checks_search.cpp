// What a search finds in several processes, and what it spends.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>

#include "core/text.hpp"
#include "judge/checks/checks.hpp"
#include "judge/scenario/amount.hpp"

namespace tunecheck::checks {
namespace {

// True where both calls launch the same. Options are left out: scenarios set some that mean
// nothing, to make each process tune.
bool asks_the_same(const protocol::CallRequest& a, const protocol::CallRequest& b) {
  const auto same_tensor = [](const protocol::Tensor& x, const protocol::Tensor& y) {
    return x.name == y.name && x.dtype == y.dtype && x.layout == y.layout;
  };
  return a.sizes == b.sizes && a.space == b.space && a.scalars == b.scalars && a.arch == b.arch &&
         std::equal(a.tensors.begin(), a.tensors.end(), b.tensors.begin(), b.tensors.end(),
                    same_tensor);
}

struct Winner {
  std::string process;
  std::string config;
  double cost_ns = 0;
};

}  // namespace

// The costs are those of one measurement (or of the simulated device, undisturbed), so that nothing
// but the choice differs.
Answer winner_stable(const CheckContext& context) {
  const double allowed = parse_number(context.parameter).value_or(0);
  const std::string expected =
      fmt::format("the winners of all processes are within {} % of each other", allowed);
  const auto& measurement = context.call.measurement;
  if (!measurement || !measurement->trouble.empty())
    return no_evidence(expected, measurement ? measurement->trouble : "nothing was measured");
  std::vector<Winner> winners;
  for (const ProcessRecord& process : context.scenario.processes) {
    for (const CallRecord& call : process.calls) {
      const LaunchEvent* const real = call.real_launch();
      if (real != nullptr && call.tuned() && asks_the_same(call.request, context.call.request)) {
        const auto cost = measurement->median_ns.find(real->config);
        if (cost == measurement->median_ns.end() && measurement->is_exact)
          return judged(false, expected,
                        fmt::format("{} won in {}, but never gives right results", real->config,
                                    process.step->name));
        if (cost == measurement->median_ns.end())
          return no_evidence(expected, fmt::format("the winner of {} was not among the measured "
                                                   "configs",
                                                   process.step->name));
        winners.push_back({process.step->name, real->config, cost->second});
      }
    }
    if (&process == &context.process) break;
  }
  if (winners.size() < 2) return no_evidence(expected, "fewer than two processes tuned this call");
  const auto [best, worst] =
      std::minmax_element(winners.begin(), winners.end(),
                          [](const Winner& a, const Winner& b) { return a.cost_ns < b.cost_ns; });
  const double apart = 100 * (worst->cost_ns / best->cost_ns - 1);
  return judged(apart <= allowed, expected,
                fmt::format("{} winners, {:.1f} % apart: {} of {} takes {:.1f} us, {} of {} {:.1f} "
                            "us",
                            winners.size(), apart, best->config, best->process, best->cost_ns / 1e3,
                            worst->config, worst->process, worst->cost_ns / 1e3));
}

// What is tried shows in compiles, in launches, or in both; the larger number counts.
Answer tuning_cost(const CheckContext& context) {
  const CallRecord& call = context.call;
  const auto space = call.request.space.enumerate(to_variables(call.request.sizes));
  const std::size_t all = space ? space->size() : 0;
  const std::size_t allowed = parse_amount(context.parameter).value_or(Amount{}).of(all);
  const std::string expected = fmt::format("at most {} of the {} configs are tried", allowed, all);
  if (!call.tuned()) return no_evidence(expected, "observers saw no config being tried");
  std::set<std::string> launched;
  for (const LaunchEvent& launch : call.trial_launches())
    launched.insert(launch.config);
  const std::size_t tried = std::max(launched.size(), call.compiles.size());
  return judged(
      tried <= allowed, expected,
      fmt::format("{} configs compiled, {} launched", call.compiles.size(), launched.size()));
}

}  // namespace tunecheck::checks
