// add_kernels() of html_parts.hpp: every config of a kernel over all tunings of the same problem.
#include <algorithm>

#include <fmt/format.h>

#include "reports/html/html_parts.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t most_config_dots = 17;  // of a config
constexpr std::size_t most_failures = 5;      // reasons of a config
constexpr std::size_t most_configs = 512;     // of a problem

struct ConfigTimes {
  bool is_default = false;
  int won = 0, tunings = 0;
  std::int64_t launches = 0;
  std::vector<std::int64_t> samples_ns;
  std::vector<double> medians_ns, own_ns;  // of the tunings that have one
  std::map<std::string, int> failures;     // by reason: how often
};

// Only what is equal in all of these can be compared.
struct Problem {
  std::size_t run = 0;
  std::string device, arch;
  std::map<std::string, std::int64_t> sizes;
  double bytes = 0, flops = 0;

  auto operator<=>(const Problem&) const = default;
};

struct Tunings {
  int count = 0;
  std::map<std::string, ConfigTimes> configs;
};

void add(const ConfigSummary& tried, ConfigTimes& config) {
  ++config.tunings;
  config.is_default = config.is_default || tried.is_default;
  config.won += tried.is_winner ? 1 : 0;
  config.launches += tried.launches;
  config.samples_ns.insert(config.samples_ns.end(), tried.samples_ns.begin(),
                           tried.samples_ns.end());
  if (tried.median_ns > 0) config.medians_ns.push_back(tried.median_ns);
  if (tried.own_median_ns > 0) config.own_ns.push_back(tried.own_median_ns);
  for (const std::string* const failure : {&tried.failure, &tried.own_failure})
    if (!failure->empty()) ++config.failures[*failure];
}

double sort_for_median(std::vector<double>& times_ns) {
  std::sort(times_ns.begin(), times_ns.end());
  return times_ns.empty() ? 0 : times_ns[times_ns.size() / 2];
}

HtmlJson html_config(const std::string& name, ConfigTimes& config, bool has_samples) {
  std::sort(config.samples_ns.begin(), config.samples_ns.end());
  const double median_ns = sort_for_median(config.medians_ns);
  HtmlJson failures = HtmlJson::array();
  for (const auto& [reason, times] : config.failures)
    if (failures.size() < most_failures) failures.push_back({html_text(reason), times});
  return {html_text(name),
          config.is_default ? 1 : 0,
          config.won,
          config.tunings,
          html_microseconds(median_ns),
          html_microseconds(sort_for_median(config.own_ns)),
          config.launches,
          has_samples ? html_dots(config.samples_ns, most_config_dots)
                      : html_dots(config.medians_ns, most_config_dots),
          std::move(failures)};
}

HtmlJson html_problem(const Problem& problem, Tunings& tunings) {
  std::string sizes;
  for (const auto& [name, size] : problem.sizes)
    sizes += fmt::format("{}{}={}", sizes.empty() ? "" : ", ", name, size);
  const bool has_samples =
      std::any_of(tunings.configs.begin(), tunings.configs.end(),
                  [](const auto& item) { return !item.second.samples_ns.empty(); });
  HtmlJson configs = HtmlJson::array();
  for (auto& [name, config] : tunings.configs)
    if (configs.size() < most_configs || config.won > 0)
      configs.push_back(html_config(name, config, has_samples));
  return {{"run", problem.run},
          {"sizes", html_text(sizes)},
          {"device", html_text(problem.device)},
          {"arch", html_text(problem.arch)},
          {"bytes", problem.bytes},
          {"flops", problem.flops},
          {"tunings", tunings.count},
          {"source", has_samples ? "observers" : "tuner"},
          {"configs", std::move(configs)}};
}

using Kernel = std::map<Problem, Tunings>;

std::map<std::string, Kernel> kernels_of(const ReportSources& sources) {
  std::map<std::string, Kernel> kernels;
  for (std::size_t run = 0; run < sources.runs.size(); ++run)
    for (const ScenarioResult& scenario : sources.runs[run].scenarios)
      for (const ProcessSummary& process : scenario.processes)
        for (const CallSummary& call : process.calls) {
          if (call.configs.empty()) continue;
          Tunings& tunings = kernels[html_text(scenario.kernel, 200)][{
              run, scenario.device, call.arch, call.sizes, call.bytes, call.flops}];
          ++tunings.count;
          for (const ConfigSummary& config : call.configs)
            add(config, tunings.configs[config.config]);
        }
  return kernels;
}

}  // namespace

std::vector<std::size_t> add_kernels(const ReportSources& sources,
                                     const std::vector<std::string>& kernels, HtmlBlocks& blocks) {
  std::map<std::string, Kernel> tuned = kernels_of(sources);
  std::vector<std::size_t> tunings;
  for (std::size_t place = 0; place < kernels.size(); ++place) {
    std::size_t count = 0;
    HtmlJson problems = HtmlJson::array();
    for (auto& [problem, of] : tuned[kernels[place]]) {
      count += static_cast<std::size_t>(of.count);
      problems.push_back(html_problem(problem, of));
    }
    // Those with the most tunings say the most.
    std::stable_sort(problems.begin(), problems.end(), [](const HtmlJson& a, const HtmlJson& b) {
      return a["tunings"].get<int>() > b["tunings"].get<int>();
    });
    tunings.push_back(count);
    if (count > 0)
      blocks.add(fmt::format("kernel-{}", place),
                 {{"name", kernels[place]}, {"problems", std::move(problems)}});
  }
  return tunings;
}

}  // namespace tunecheck
