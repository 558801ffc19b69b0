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

// What launches of each config of a call took, without the tuner: as the probe timed them, and on a
// GPU, where no observer can, as the judge's own measurement for the judged call did.
std::map<std::string, double> own_times_ns(const CheckContext& context, const CallRecord& call) {
  if (is_gpu(context.scenario.backend))
    return context.call.measurement ? context.call.measurement->median_ns
                                    : std::map<std::string, double>();
  std::map<std::string, std::vector<double>> observed;
  for (const LaunchEvent& launch : call.trial_launches())
    if (launch.ended && launch.status == 0)
      // The tuner's clock runs while the probe works too; that much it may report.
      observed[launch.config].push_back(static_cast<double>(launch.elapsed_ns + launch.cost_ns));
  std::map<std::string, double> medians;
  for (auto& [config, times] : observed)
    medians[config] = median(std::move(times));
  return medians;
}

}  // namespace

namespace {

// What a tuner reported of a config, and what the config took.
struct ReportedTime {
  double reported_ns, own_ns;
  [[nodiscard]] double times() const { return reported_ns / own_ns; }
};

// By config, of all calls that asked the same: the report that exceeds the config's own time least.
std::map<std::string, ReportedTime> fairest_reports(const CheckContext& context) {
  std::map<std::string, ReportedTime> fairest;
  for (const ProcessRecord& process : context.scenario.processes)
    for (const CallRecord& call : process.calls) {
      if (!call.answer || !same_question(call.request, context.call.request)) continue;
      const std::map<std::string, double> own_times = own_times_ns(context, call);
      for (const protocol::Trial& trial : call.answer->trials) {
        const auto own = own_times.find(to_string(trial.config));
        if (!trial.failure.empty() || own == own_times.end()) continue;
        const ReportedTime time{trial.median_ns, own->second};
        const auto [place, is_first] = fairest.emplace(own->first, time);
        if (!is_first && time.times() < place->second.times()) place->second = time;
      }
    }
  return fairest;
}

}  // namespace

// A restore that costs many times the kernel shows in every reported time, each time that it is
// tuned; the bound leaves room for the clock, the probe and noise. A busy machine may stop the
// tuner in most of a config's few launches, right beside the kernel: it does not do so in each
// tuning.
Answer timing_excludes_restore(const CheckContext& context) {
  constexpr double most_times = 3;
  constexpr double slack_ns = 50'000;
  const std::string expected =
      fmt::format("reported times are at most {} times the kernel's own", most_times);
  const std::map<std::string, ReportedTime> reports = fairest_reports(context);
  std::size_t inflated = 0;
  std::string example;
  for (const auto& [config, time] : reports) {
    if (time.reported_ns <= most_times * time.own_ns + slack_ns) continue;
    ++inflated;
    example = fmt::format("{} took {:.0f} us and is reported as {:.0f} us", config,
                          time.own_ns / 1e3, time.reported_ns / 1e3);
  }
  if (reports.empty()) return no_evidence(expected, "no reported time could be compared");
  return judged(2 * inflated <= reports.size(), expected,
                fmt::format("{} of {} configs are reported as slower{}{}", inflated, reports.size(),
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
