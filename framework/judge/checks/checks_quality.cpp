#include <algorithm>

#include "core/device_kinds.hpp"
#include "core/text.hpp"
#include "judge/checks/checks.hpp"

namespace tunecheck::checks {
namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// What launches of each config took, without the tuner: as the probe timed them, and on a GPU,
// where no observer can, as the judge's own measurement did.
std::map<std::string, double> own_times_ns(const CheckContext& context) {
  if (is_gpu(context.scenario.backend))
    return context.call.measurement ? context.call.measurement->median_ns
                                    : std::map<std::string, double>();
  std::map<std::string, std::vector<double>> observed;
  for (const LaunchEvent& launch : context.call.trial_launches())
    if (launch.ended && launch.status == 0)
      // The tuner's clock runs while the probe works too; that much it may report.
      observed[launch.config].push_back(static_cast<double>(launch.elapsed_ns + launch.cost_ns));
  std::map<std::string, double> medians;
  for (auto& [config, times] : observed)
    medians[config] = median(std::move(times));
  return medians;
}

}  // namespace

// A restore that costs many times the kernel shows in every reported time; the bound leaves room
// for the clock, the probe and noise.
Answer timing_excludes_restore(const CheckContext& context) {
  constexpr double most_times = 3;
  constexpr double slack_ns = 50'000;
  const std::string expected =
      fmt::format("reported times are at most {} times the kernel's own", most_times);
  const std::map<std::string, double> own_times = own_times_ns(context);
  std::int64_t compared = 0, inflated = 0;
  std::string example;
  for (const protocol::Trial& trial : context.call.answer->trials) {
    const auto found = own_times.find(to_string(trial.config));
    if (!trial.failure.empty() || found == own_times.end()) continue;
    const double own_ns = found->second;
    ++compared;
    if (trial.median_ns <= most_times * own_ns + slack_ns) continue;
    ++inflated;
    example = fmt::format("{} took {:.0f} us and is reported as {:.0f} us", found->first,
                          own_ns / 1e3, trial.median_ns / 1e3);
  }
  if (compared == 0) return no_evidence(expected, "no reported time could be compared");
  return judged(2 * inflated <= compared, expected,
                fmt::format("{} of {} configs are reported as slower{}{}", inflated, compared,
                            example.empty() ? "" : ": ", example));
}

Answer winner_regret(const CheckContext& context) {
  const double allowed = parse_number(context.parameter).value_or(0);
  const std::string expected =
      fmt::format("a winner at most {} % slower than the best config", allowed);
  const auto& measurement = context.call.measurement;
  const LaunchEvent* const real = context.call.real_launch();
  if (!measurement || !measurement->trouble.empty())
    return no_evidence(expected, measurement ? measurement->trouble : "nothing was measured");
  if (real == nullptr) return no_evidence(expected, "the probe saw no real call");
  const auto own = measurement->median_ns.find(real->config);
  if (own == measurement->median_ns.end() && measurement->is_exact)
    return judged(false, expected, real->config + " won, but never gives right results");
  if (own == measurement->median_ns.end())
    return no_evidence(expected, "the winner was not among the measured configs");
  const auto best =
      std::min_element(measurement->median_ns.begin(), measurement->median_ns.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  const double regret = 100 * (own->second / best->second - 1);
  return judged(
      regret <= allowed, expected,
      fmt::format("{} takes {:.1f} us on pristine arguments, the best config, {}, takes {:.1f} us: "
                  "{:.0f} % slower",
                  own->first, own->second / 1e3, best->first, best->second / 1e3, regret));
}

}  // namespace tunecheck::checks
