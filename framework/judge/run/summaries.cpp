#include "judge/run/summaries.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <system_error>

#include "core/device_kinds.hpp"
#include "judge/checks/checks.hpp"
#include "judge/checks/expected_digest.hpp"

namespace tunecheck {
namespace {

// Cut at the border of a character.
std::string bounded(const std::string& text) {
  if (text.size() <= SummaryBounds::text) return text;
  std::size_t end = SummaryBounds::text;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
    --end;
  return text.substr(0, end) + "...";
}

// The least and the greatest are among them.
std::vector<std::int64_t> bounded(std::vector<std::int64_t> samples) {
  std::sort(samples.begin(), samples.end());
  if (samples.size() <= SummaryBounds::samples) return samples;
  std::vector<std::int64_t> quantiles;
  for (std::size_t i = 0; i < SummaryBounds::samples; ++i)
    quantiles.push_back(samples[i * (samples.size() - 1) / (SummaryBounds::samples - 1)]);
  return quantiles;
}

template <class Item>
void cut(std::vector<Item>& items, std::size_t most, std::int64_t& left_out) {
  if (items.size() <= most) return;
  left_out = static_cast<std::int64_t>(items.size() - most);
  items.resize(most);
}

double finite(double ns) {
  return std::isfinite(ns) && ns > 0 ? ns : 0;
}

bool has_failed(const LaunchEvent& launch) {
  return !launch.ended || launch.status != 0;
}

// What reports show of one call. summary() is called once: the answer comes first, because it names
// the winner that configs are marked by, then configs and events. It does not judge, and it reads
// only the record. Everything is bounded (SummaryBounds), and what is left out is counted, so that
// a tuner that launches a million times cannot make result.json too large. A call that was never
// answered has a summary as well, of what observers saw of it.
class Summarizer {
 public:
  Summarizer(const ScenarioRecord& scenario, const ProcessRecord& process, const CallRecord& call)
      : m_context{scenario, process, call, m_no_parameter}, m_call(call) {}

  CallSummary summary(std::int64_t begun_ns) {
    m_summary.number = m_call.number;
    m_summary.line = m_call.step->line;
    m_summary.asked_ns = m_call.asked_ns == 0 ? 0 : m_call.asked_ns - begun_ns;
    m_summary.wall_ns = m_call.wall_ns;
    m_summary.arch = m_call.request.arch;
    m_summary.sizes = m_call.request.sizes;
    m_summary.compiles = m_call.compile_count();
    m_summary.launches = static_cast<std::int64_t>(m_call.launch_count());
    m_summary.trial_launches = static_cast<std::int64_t>(m_call.trial_launch_count());
    add_answer();
    add_traffic();
    add_configs();
    add_events();
    return std::move(m_summary);
  }

 private:
  void add_answer() {
    if (!m_call.answer) {
      m_summary.outcome = "no answer";
      m_summary.message = bounded(m_call.trouble);
      return;
    }
    m_summary.outcome = m_call.answer->done ? "done" : "failed";
    m_summary.message = bounded(m_call.answer->message);
    m_summary.cache = name_of(m_call.answer->cache);
    m_summary.missed_axes = m_call.answer->missed_axes;
    if (m_call.answer->winner) m_summary.winner = to_string(*m_call.answer->winner);
  }

  void add_traffic() {
    std::vector<DType> dtypes;
    for (const TensorParameter& parameter : m_context.scenario.kernel->tensors)
      for (const protocol::Tensor& tensor : m_call.request.tensors)
        if (tensor.name == parameter.name) dtypes.push_back(tensor.dtype);
    if (dtypes.size() != m_context.scenario.kernel->tensors.size()) return;
    const KernelDefinition& kernel = *m_context.scenario.kernel;
    m_summary.bytes = kernel.bytes_for(m_call.request.sizes, dtypes).value_or(0);
    m_summary.flops = kernel.flops_for(m_call.request.sizes, dtypes).value_or(0);
  }

  // Only before the configs are sorted.
  ConfigSummary& config(const std::string& name) {
    const auto [found, is_new] = m_places.emplace(name, m_summary.configs.size());
    if (is_new) m_summary.configs.emplace_back().config = name;
    return m_summary.configs[found->second];
  }

  void add_configs() {
    const bool has_trials = m_call.answer && !m_call.answer->trials.empty();
    if (!has_trials && !m_call.tuned() && !m_call.measurement) return;
    if (has_trials)
      for (const protocol::Trial& trial : m_call.answer->trials) {
        ConfigSummary& tried = config(to_string(trial.config));
        tried.failure = bounded(trial.failure);
        tried.median_ns = finite(trial.median_ns);
        tried.reps = trial.reps;
      }
    // What a launch takes on the simulated device is computed, not waited for.
    const bool simulated = m_context.scenario.backend == DeviceKind::sim;
    std::map<std::string, std::vector<std::int64_t>> samples;
    for (const LaunchEvent& launch : m_call.trial_launches()) {
      const std::string name = config_or_artifact(launch);
      if (name.empty()) continue;
      ++config(name).launches;
      if (!simulated && !has_failed(launch) && launch.elapsed_ns > 0)
        samples[name].push_back(launch.elapsed_ns);
    }
    for (auto& [name, times] : samples)
      config(name).samples_ns = bounded(std::move(times));
    if (m_call.measurement) {
      for (const auto& [name, median_ns] : m_call.measurement->median_ns)
        config(name).own_median_ns = finite(median_ns);
      for (const auto& [name, reason] : m_call.measurement->failed)
        config(name).own_failure = bounded(reason);
    }
    mark_configs();
    std::stable_sort(m_summary.configs.begin(), m_summary.configs.end(), is_before);
    cut(m_summary.configs, SummaryBounds::configs, m_summary.configs_left_out);
  }

  void mark_configs() {
    const auto chosen = m_context.scenario.kernel->default_for(m_call.request.sizes);
    for (ConfigSummary& each : m_summary.configs) {
      each.is_winner = !m_summary.winner.empty() && each.config == m_summary.winner;
      each.is_default = chosen && each.config == to_string(*chosen);
    }
  }

  // By what there is: the tuner's median, else what observers or the judge measured.
  static double time_of(const ConfigSummary& config) {
    if (config.median_ns > 0) return config.median_ns;
    if (!config.samples_ns.empty())
      return static_cast<double>(config.samples_ns[config.samples_ns.size() / 2]);
    return config.own_median_ns > 0 ? config.own_median_ns : HUGE_VAL;
  }

  // The winner and the default are never cut.
  static bool is_before(const ConfigSummary& a, const ConfigSummary& b) {
    const auto rank = [](const ConfigSummary& config) {
      return std::tuple(!config.is_winner, !config.is_default, !config.failure.empty(),
                        time_of(config));
    };
    return rank(a) < rank(b);
  }

  void add_events() {
    for (const CompileEvent& compile : m_call.compiles)
      add_compile(compile);
    for (const LaunchEvent& launch : m_call.launches)
      add_launch(launch, &launch == m_call.real_launch() ? "launch" : "trials");
    for (const LaunchEvent& launch : m_call.captured)
      add_launch(launch, "captured");
    for (const FaultEvent& fault : m_call.faults)
      add_fault(fault);
    if (m_call.burst) add_burst(*m_call.burst);
    const bool was_last = &m_call == &m_context.process.calls.back();
    if (const std::int64_t killed_ns = m_context.process.killed_ns; killed_ns != 0 && was_last)
      event("killed", killed_ns);
    std::stable_sort(m_summary.events.begin(), m_summary.events.end(),
                     [](const CallEvent& a, const CallEvent& b) { return a.at_ns < b.at_ns; });
    cut(m_summary.events, SummaryBounds::events, m_summary.events_left_out);
  }

  CallEvent& event(const std::string& kind, std::int64_t time_ns) {
    CallEvent& added = m_summary.events.emplace_back();
    added.kind = kind;
    added.at_ns = std::max<std::int64_t>(0, time_ns - m_call.asked_ns);
    return added;
  }

  void add_compile(const CompileEvent& compile) {
    CallEvent& added = event("compile", compile.time_ns);
    added.wall_ns = compile.wall_ns;
    added.config = checks::config_of(compile);
    added.failed = compile.exit_status != 0;
    added.from_store = compile.from_store;
  }

  // Of one config in a row: one event, as long as it is the same kind.
  void add_launch(const LaunchEvent& launch, const std::string& kind) {
    const std::string name = config_or_artifact(launch);
    const bool goes_on = !m_summary.events.empty() && m_summary.events.back().kind == kind &&
                         m_summary.events.back().config == name;
    CallEvent& place = goes_on ? m_summary.events.back() : event(kind, launch.time_ns);
    const std::int64_t end_ns = launch.time_ns + launch.cost_ns + launch.elapsed_ns;
    place.config = name;
    place.wall_ns = std::max(place.wall_ns, end_ns - m_call.asked_ns - place.at_ns);
    place.count = goes_on ? place.count + 1 : 1;
    place.failed += has_failed(launch);
    place.differing += differs(launch, kind == "launch");
  }

  bool differs(const LaunchEvent& launch, bool real) const {
    if (!m_context.scenario.scenario->watch || launch.digests.size() != m_call.tensors.size())
      return false;
    for (std::size_t i = 0; i < launch.digests.size(); ++i) {
      const std::string expected = expected_digest(m_context, i, real);
      if (!expected.empty() && launch.digests[i] != expected) return true;
    }
    return false;
  }

  void add_fault(const FaultEvent& fault) {
    CallEvent& added = event(fault.error == 0 ? "killed" : "fault", fault.time_ns);
    added.text =
        bounded(fault.error == 0 ? fmt::format("at {} of {}", fault.point, fault.path)
                                 : fmt::format("at {} of {}: {}", fault.point, fault.path,
                                               std::generic_category().message(fault.error)));
  }

  void add_burst(const BurstRecord& burst) {
    CallEvent& added = event("burst", m_call.asked_ns);
    added.wall_ns = burst.wall_ns;
    added.count = static_cast<std::int64_t>(burst.counts.launches + burst.counts.trial_launches);
    added.failed = static_cast<std::int64_t>(burst.counts.failed);
  }

  const std::string m_no_parameter;
  CheckContext m_context;
  const CallRecord& m_call;
  CallSummary m_summary;
  std::map<std::string, std::size_t> m_places = {};  // in m_summary.configs
};

// When the first call of the scenario was asked; 0 where none was.
std::int64_t begin_of(const ScenarioRecord& record) {
  std::int64_t begun_ns = 0;
  for (const ProcessRecord& process : record.processes)
    for (const CallRecord& call : process.calls)
      if (call.asked_ns != 0 && (begun_ns == 0 || call.asked_ns < begun_ns))
        begun_ns = call.asked_ns;
  return begun_ns;
}

}  // namespace

std::vector<ProcessSummary> summaries_of(const ScenarioRecord& record) {
  const std::int64_t begun_ns = begin_of(record);
  std::vector<ProcessSummary> summaries;
  for (const ProcessRecord& process : record.processes) {
    ProcessSummary& summary = summaries.emplace_back();
    summary.name = process.step->name;
    summary.end = process.end;
    summary.log = process.log_file;
    for (const CallRecord& call : process.calls) {
      summary.launches += static_cast<std::int64_t>(call.launch_count());
      summary.compiles += call.compile_count();
      summary.compiles_from_store +=
          std::count_if(call.compiles.begin(), call.compiles.end(),
                        [](const CompileEvent& compile) { return compile.from_store; });
      if (summary.calls.size() < SummaryBounds::calls)
        summary.calls.push_back(Summarizer(record, process, call).summary(begun_ns));
      else
        ++summary.calls_left_out;
    }
  }
  return summaries;
}

}  // namespace tunecheck
