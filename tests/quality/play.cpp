#include "play.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "backend/sim/sim_backend.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"
#include "core/text.hpp"
#include "judge/scenario/amount.hpp"
#include "judge/scenario/scenario_settings.hpp"
#include "tuner/tuner.hpp"

namespace tunecheck::test {
namespace {

struct Played {
  double cost_ns = 0;
  double best_ns = 0;
  std::size_t tried = 0;
  std::size_t space = 0;
};

class Player {
 public:
  /// Processes share `cache_folder`; "" if each is to be alone.
  Player(const KernelDefinition& kernel, std::uint64_t seed, const TunerParts& parts,
         std::filesystem::path cache_folder)
      : m_kernel(kernel), m_seed(seed), m_parts(parts), m_cache_folder(std::move(cache_folder)) {}

  Played call(const CallStep& step, const std::string& effort, std::uint64_t process) const {
    const ResolvedCall resolved = resolve_call(m_kernel, step.settings).value();
    TuneRequest request;
    request.kernel = m_kernel;
    request.sizes = resolved.sizes;
    request.space = resolved.space;
    if (step.settings.search) request.search = options_of(*step.settings.search);
    const SimBackend device({m_seed, process});
    TunerOptions options;
    options.cache_folder = m_cache_folder;
    options.search.effort = parse_effort(effort);
    Tuner tuner(device, options, m_parts);
    std::vector<std::vector<std::byte>> memory;
    std::vector<TensorView> views;
    for (std::size_t i = 0; i < m_kernel.tensors.size(); ++i) {
      memory.emplace_back(static_cast<std::size_t>(resolved.layouts[i].count()) *
                          size_of(resolved.dtypes[i]));
      views.push_back({memory.back().data(), resolved.dtypes[i], resolved.layouts[i]});
    }
    auto bound = tuner.bind(request);
    if (!bound) throw std::runtime_error(bound.error().text());
    const auto report = bound->call({views, {}});
    if (!report) throw std::runtime_error(report.error().text());
    Played played = {0, std::numeric_limits<double>::infinity(), report->trials.size(),
                     resolved.configs.size()};
    for (const Config& config : resolved.configs)
      played.best_ns = std::min(played.best_ns, cost(device, config, resolved.sizes));
    played.cost_ns = cost(device, *report->winner, resolved.sizes);
    return played;
  }

 private:
  static SearchOptions options_of(const protocol::Search& search) {
    SearchOptions options;
    options.strategy = parse_search_strategy(search.strategy).value();
    options.trials = search.trials;
    options.time = std::chrono::nanoseconds(static_cast<std::int64_t>(search.time_ms * 1e6));
    options.seed = search.seed;
    return options;
  }

  double cost(const SimBackend& device, const Config& config, const Sizes& sizes) const {
    CompileRequest request;
    request.kernel = &m_kernel;
    request.config = config;
    request.sizes = sizes;
    return device.true_cost_ns(request).value_or(std::numeric_limits<double>::infinity());
  }

  const KernelDefinition& m_kernel;
  std::uint64_t m_seed;
  const TunerParts& m_parts;
  std::filesystem::path m_cache_folder;
};

}  // namespace

const Catalogue& quality_catalogue() {
  static const Catalogue catalogue = [] {
    Catalogue read = read_catalogue({{}, {find_resources().scenarios / "quality"}}).value();
    // What a real machine's clock decides cannot be played.
    std::erase_if(read.scenarios, [](const auto& named) {
      return device_of(named.second, DeviceKind::cpu) != DeviceKind::sim;
    });
    return read;
  }();
  return catalogue;
}

std::vector<Finding> play(const Scenario& scenario, std::uint64_t seed, const TunerParts& parts) {
  // A later process goes on with the search of an earlier one, which lies in the cache folder.
  const auto& needs = scenario.needs;
  const bool goes_on = std::find(needs.begin(), needs.end(), "search_on") != needs.end();
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-quality").value();
  const Player player(quality_catalogue().test_kernels.at(scenario.kernel), seed, parts,
                      goes_on ? folder.path() : std::filesystem::path());
  std::vector<Finding> findings;
  double best_ns = std::numeric_limits<double>::infinity();
  double worst_ns = 0;
  std::uint64_t number = 0;
  for (const auto& each : scenario.steps) {
    const auto* const process = std::get_if<ProcessStep>(&each);
    if (process == nullptr) continue;
    ++number;
    const auto& step = std::get<CallStep>(process->steps.front());
    const Played played = player.call(step, process->settings.effort, number);
    best_ns = std::min(best_ns, played.cost_ns);
    worst_ns = std::max(worst_ns, played.cost_ns);
    for (const Expectation& expectation : step.expectations) {
      const double allowed = parse_number(expectation.parameter).value_or(0);
      if (expectation.check->name == "winner.regret")
        findings.push_back({"winner.regret", allowed, 100 * (played.cost_ns / played.best_ns - 1)});
      else if (expectation.check->name == "winner.stable")
        findings.push_back({"winner.stable", allowed, 100 * (worst_ns / best_ns - 1)});
      else if (expectation.check->name == "tuning.cost")
        findings.push_back(
            {"tuning.cost",
             static_cast<double>(parse_amount(expectation.parameter)->of(played.space)),
             static_cast<double>(played.tried)});
    }
  }
  return findings;
}

std::uint64_t seeds_to_play(std::uint64_t otherwise) {
  const char* const text = std::getenv("TUNECHECK_QUALITY_SEEDS");
  const auto value = text != nullptr ? parse_integer(text) : std::nullopt;
  return value && *value > 0 ? static_cast<std::uint64_t>(*value) : otherwise;
}

}  // namespace tunecheck::test
