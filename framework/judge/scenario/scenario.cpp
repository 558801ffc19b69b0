#include "judge/scenario/scenario.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "core/sim_reader.hpp"
#include "core/text.hpp"
#include "harness/process/adapter_info.hpp"
#include "judge/checks/table/check.hpp"
#include "judge/scenario/scenario_cache.hpp"
#include "judge/scenario/scenario_exchange.hpp"
#include "judge/scenario/scenario_expectations.hpp"
#include "judge/scenario/scenario_faults.hpp"
#include "judge/scenario/scenario_groups.hpp"
#include "judge/scenario/scenario_loops.hpp"
#include "judge/scenario/scenario_needs.hpp"
#include "judge/scenario/scenario_remote.hpp"
#include "judge/scenario/scenario_settings.hpp"
#include "result/verdict.hpp"

namespace tunecheck {
namespace {

using KernelMap = std::map<std::string, const KernelDefinition*>;

constexpr std::array<std::pair<std::string_view, Touch::Target>, 7> touch_words = {{
    {"source", Touch::Target::source},
    {"header", Touch::Target::header},
    {"inner_header", Touch::Target::inner_header},
    {"comment", Touch::Target::comment},
    {"blanks", Touch::Target::blanks},
    {"signature", Touch::Target::signature},
    {"folder", Touch::Target::folder},
}};

bool is_below(const std::filesystem::path& file) {
  return file.is_relative() &&
         std::none_of(file.begin(), file.end(), [](const auto& part) { return part == ".."; });
}

template <class Table>
std::vector<std::string> words_of(const Table& table) {
  std::vector<std::string> words;
  for (const auto& [word, value] : table)
    words.emplace_back(word);
  return words;
}

// Reads one scenario block. read() is called once. The head comes first, because steps are checked
// against the kernel that it names; without a known kernel no step is read. Steps are read in their
// order, so that an `expect` can name only processes that come before it. Settings go down by
// value: what a block sets ends with it. Mistakes go to the InfoErrors, which keep the one with the
// smallest line, and rules that follow from others are asked only while there is none: a misspelt
// word must not be reported as a missing process. After a mistake the scenario is half filled, and
// read_scenarios() returns none.
class ScenarioReader {
 public:
  ScenarioReader(InfoNode node, const KernelMap& kernels, InfoErrors& errors)
      : m_node(std::move(node)), m_kernels(kernels), m_errors(errors) {}

  Scenario read() {
    InfoReader reader(m_node, m_errors);
    m_scenario.file = m_errors.file();
    m_scenario.line = m_node.line;
    m_scenario.name = reader.text("name");
    const std::size_t dot = m_scenario.name.find('.');
    m_scenario.family = m_scenario.name.substr(0, dot);
    if (!m_scenario.name.empty() &&
        (dot == m_scenario.name.npos || !is_identifier(m_scenario.family) ||
         !is_identifier(m_scenario.name.substr(dot + 1))))
      add("name", "expected FAMILY.NAME in lower-case letters, digits and '_'");
    m_scenario.because = reader.text("because");
    read_kernel_name(reader);
    read_backends(reader);
    m_scenario.needs = reader.words_or_none("needs");
    for (const std::string& need : m_scenario.needs)
      if (std::find(known_capabilities().begin(), known_capabilities().end(), need) ==
          known_capabilities().end())
        add("needs", unknown_word_message("capability", need, known_capabilities()));
    if (const std::int64_t seconds = reader.integer_or("time_limit", 1);
        seconds < 1 || seconds > most_seconds)
      add("time_limit",
          fmt::format("expected seconds from 1 to {}, found {}", most_seconds, seconds));
    else if (m_node.child("time_limit") != nullptr)
      m_scenario.time_limit = std::chrono::seconds(seconds);
    m_scenario.measures = reader.yes_or("measures", false);
    m_scenario.waits = reader.yes_or("waits", false);
    if (m_scenario.measures && m_scenario.waits)
      add("waits", "expected measures or waits, found both");
    m_scenario.watch = reader.yes_or("watch", true);
    m_scenario.catches = reader.words_or_none("catches");
    if (const InfoNode* const bears = reader.section("bears", false)) read_bears(*bears);
    const InfoNode* const steps = reader.section("steps", true);
    reader.finish();
    if (steps != nullptr && m_kernel != nullptr) read_steps(*steps);
    if (const std::size_t calls = m_scenario.calls().size(); calls > most_calls)
      m_errors.add(
          steps->line, "steps",
          fmt::format("expected at most {} calls, found {}; a burst makes many calls of one",
                      most_calls, calls));
    if (!m_errors.any()) follow_calls();
    return std::move(m_scenario);
  }

 private:
  // Each costs tens of milliseconds at least.
  static constexpr std::size_t most_calls = 20'000;
  static constexpr std::int64_t most_seconds = 24 * 60 * 60;

  void add(const std::string& key, std::string message) {
    const InfoNode* const node = m_node.child(key);
    m_errors.add(node != nullptr ? node->line : m_node.line, key, std::move(message));
  }

  void read_kernel_name(InfoReader& reader) {
    m_scenario.kernel = reader.text("kernel");
    const auto found = m_kernels.find(m_scenario.kernel);
    if (found != m_kernels.end()) {
      m_kernel = found->second;
    } else if (!m_scenario.kernel.empty()) {
      std::vector<std::string> names;
      for (const auto& [name, kernel] : m_kernels)
        names.push_back(name);
      add("kernel", unknown_word_message("kernel", m_scenario.kernel, names));
    }
  }

  // An adversary a line, and what must come of it.
  void read_bears(const InfoNode& bears) {
    for (const InfoNode& each : bears.children) {
      if (each.value != name_of(Verdict::pass) && each.value != name_of(Verdict::error) &&
          find_check(each.value) == nullptr)
        m_errors.add(
            each.line, each.key,
            fmt::format("expected pass, error or the name of a check, found \"{}\"", each.value));
      if (!m_scenario.bears.emplace(each.key, each.value).second)
        m_errors.add(each.line, each.key, "is named twice");
    }
  }

  void read_backends(InfoReader& reader) {
    const std::vector<std::string> named = reader.words_or_none("backends");
    m_scenario.cpu_only = reader.text_or("cpu_only", "");
    std::vector<DeviceKind> kinds;
    for (const std::string& name : named)
      if (const auto kind = parse_device_kind(name))
        kinds.push_back(*kind);
      else
        add("backends", kind.error().message);
    if (!named.empty() && !m_scenario.cpu_only.empty())
      add("cpu_only", "expected backends or cpu_only, found both");
    if (kinds.size() > 1 && std::find(kinds.begin(), kinds.end(), DeviceKind::sim) != kinds.end())
      add("backends", "expected only sim");
    if (m_kernel == nullptr || m_errors.any()) return;
    m_scenario.backends = named.empty() ? default_backends() : kinds;
    for (const DeviceKind backend : m_scenario.backends)
      if (!has_section_for(backend))
        return add(named.empty() ? "kernel" : "backends",
                   fmt::format("the kernel {} has no section {}; expected {}", m_kernel->name,
                               is_gpu(backend) ? "gpu" : name_of(backend),
                               backend == DeviceKind::sim ? "another backend" : "backends sim"));
  }

  // Where nothing is said: the CPU, and every GPU that the kernel has a source for.
  std::vector<DeviceKind> default_backends() {
    if (m_scenario.cpu_only.empty() && !m_kernel->gpu && m_kernel->versions.empty())
      m_scenario.cpu_only = fmt::format("the kernel {} has no section gpu", m_kernel->name);
    std::vector<DeviceKind> backends;
    if (m_kernel->cpu || !m_kernel->versions.empty() || !m_scenario.cpu_only.empty())
      backends.push_back(DeviceKind::cpu);
    if (m_scenario.cpu_only.empty())
      backends.insert(backends.end(), gpu_kinds.begin(), gpu_kinds.end());
    return backends;
  }

  // The section of the kernel file that is needed to run there.
  bool has_section_for(DeviceKind backend) const {
    if (backend != DeviceKind::sim && !m_kernel->versions.empty()) return true;
    if (is_gpu(backend)) return m_kernel->gpu.has_value();
    return backend == DeviceKind::sim ? m_kernel->sim.has_value() : m_kernel->cpu.has_value();
  }

  // What a call asks of the adapter, the scenario needs; what one of its expectations asks, that
  // expectation alone needs. On the CPU there are no streams, captures, contexts and devices, and
  // nothing for the checks that are about them.
  void follow_calls() {
    leave_out_gpus();
    for (const ProcessStep* const process : m_scenario.processes())
      for (const CallStep* const call : process->calls())
        if (call->settings.environment != process->settings.environment)
          add_need("live_environment");
    const auto& kinds = m_scenario.backends;
    const bool gpus_alone = std::all_of(kinds.begin(), kinds.end(), is_gpu);
    for (const CallStep* const call : m_scenario.calls()) {
      for (const std::string_view need : needs_of(call->settings))
        add_need(need);
      if (!gpus_alone && call->settings.gpu != protocol::GpuCall())
        m_errors.add(call->line, "call",
                     "stream, capture, context and device expect a scenario with backends \"cuda "
                     "hip\"");
      if (!call->settings.wait && call->settings.burst)
        m_errors.add(call->line, "wait", "expected in a call that is no burst");
      const CompilerMode compiler = call->settings.compiler;
      const bool is_program =
          compiler == CompilerMode::rebuilt || compiler == CompilerMode::lingering;
      if (is_program && std::any_of(kinds.begin(), kinds.end(), is_gpu))
        m_errors.add(call->line, "compiler",
                     "rebuilt and lingering expect a scenario for the CPU alone (cpu_only)");
      for (const Expectation& expectation : call->expectations) {
        const Check& check = *expectation.check;
        if (!gpus_alone && check.on == Devices::gpus)
          m_errors.add(expectation.line, std::string(check.name),
                       "expected in a scenario with backends \"cuda hip\"");
      }
    }
  }

  // On a GPU, where all launches may come from one process, the one for a caller that does not wait
  // could not be told from those of the search.
  void leave_out_gpus() {
    const auto calls = m_scenario.calls();
    const auto unwaited = std::find_if(calls.begin(), calls.end(),
                                       [](const CallStep* call) { return !call->settings.wait; });
    if (unwaited == calls.end()) return;
    std::erase_if(m_scenario.backends, [](DeviceKind kind) { return is_gpu(kind); });
    if (m_scenario.backends.empty())
      m_errors.add((*unwaited)->line, "wait", "expected a scenario that runs on a CPU");
    if (m_scenario.cpu_only.empty())
      m_scenario.cpu_only =
          "on a GPU, the launch for a caller that does not wait cannot be told from a search";
  }

  void add_need(std::string_view capability) {
    auto& needs = m_scenario.needs;
    if (std::find(needs.begin(), needs.end(), capability) == needs.end())
      needs.emplace_back(capability);
  }

  void read_steps(const InfoNode& steps) {
    Settings settings;
    for (const InfoNode& node : keys_in_braces(steps, m_errors)) {
      if (node.key == "process")
        read_lone_process(node, settings);
      else if (node.key == "parallel")
        read_process_group(node, settings);
      else if (node.key == "touch")
        m_scenario.steps.emplace_back(read_touch(node));
      else if (node.key == "cache")
        m_scenario.steps.emplace_back(read_cache(node));
      else if (node.key == "remote_values")
        m_scenario.steps.emplace_back(read_remote_step(node, m_errors));
      else if (is_exchange_step(node))
        m_scenario.steps.emplace_back(read_exchange_step(node, m_errors));
      else if (!read_setting(node, *m_kernel, settings, m_errors))
        unknown_step(node, {"process", "parallel", "touch", "cache", "remote_values", "table_files",
                            "bundle_files", "archive_files", "for", "repeat", "each"});
    }
    // A misspelt step is the mistake to show.
    if (m_processes.empty() && !m_errors.any())
      m_errors.add(steps, "expected at least one process");
  }

  void unknown_step(const InfoNode& node, std::vector<std::string> known) {
    known.insert(known.end(), setting_keys().begin(), setting_keys().end());
    m_errors.add(node, unknown_word_message("step", node.key, known));
  }

  void read_process_group(const InfoNode& node, Settings settings) {
    ProcessGroup group;
    group.line = node.line;
    for (const InfoNode& child : keys_in_braces(node, m_errors)) {
      if (child.key != "process") {
        if (!read_setting(child, *m_kernel, settings, m_errors)) unknown_step(child, {"process"});
        continue;
      }
      group.processes.push_back(read_process(child, settings));
      check_waits_for(group, m_errors);
      for (const InfoNode& step : child.children)
        if (step.key == "touch" || step.key == "cache")
          m_errors.add(step,
                       "expected outside of parallel: other processes use it at the same time");
    }
    if (group.processes.size() < 2 && !m_errors.any())
      m_errors.add(node, "expected at least two processes");
    if (!m_errors.any()) check_barriers(group, m_errors);
    m_scenario.steps.emplace_back(std::move(group));
  }

  void read_lone_process(const InfoNode& node, const Settings& settings) {
    ProcessStep process = read_process(node, settings);
    check_alone(process, m_errors);
    m_scenario.steps.emplace_back(std::move(process));
  }

  ProcessStep read_process(const InfoNode& node, Settings settings) {
    ProcessStep process;
    process.name = node.value;
    process.line = node.line;
    check_process_name(node);
    bool has_call = false;  // or has begun otherwise to work
    const InfoNode* kill = nullptr;
    const auto begin_calls = [&] {
      if (!has_call) process.settings = settings;
      has_call = true;
    };
    for (const InfoNode& child : node.children) {
      if (child.key == "call") {
        begin_calls();
        process.steps.emplace_back(read_call(child, settings));
      } else if (child.key == "parallel") {
        begin_calls();
        process.steps.emplace_back(read_call_group(child, settings));
      } else if (child.key == "touch") {
        process.steps.emplace_back(read_touch(child));
      } else if (child.key == "cache") {
        process.steps.emplace_back(read_cache(child));
        if (const InfoNode* const of = child.child("of"))
          m_errors.add(*of, "expected between processes: what one has made is known at its end");
      } else if (has_call && child.key == "compiler") {
        process.steps.emplace_back(read_compiler(child, settings));
      } else if (has_call && is_of_process(child)) {
        m_errors.add(child, "expected before the first call: a process starts with it");
      } else if (child.key == "kill" || child.key == "freeze") {
        expect_first(process.kill.has_value(), child, m_errors);
        kill = &child;
        process.kill =
            child.key == "kill" ? read_kill(child, m_errors) : read_freeze(child, m_errors);
      } else if (child.key == "fail") {
        expect_first(process.fail.has_value(), child, m_errors);
        process.fail = read_fail(child, m_errors);
      } else if (child.key == "waits_for") {
        process.waits_for = child.value;
      } else if (child.key == "cache_folder") {
        process.cache_folder = read_cache_folder(child, m_errors);
      } else if (child.key == "export" || child.key == "import") {
        begin_calls();
        const ArchiveStep archive = read_archive_step(child, m_errors);
        add_need("archive");
        if (archive.key != RemoteKey::own) add_need("archive_key");
        process.steps.emplace_back(archive);
      } else if (child.key == "rest") {
        process.steps.emplace_back(read_rest(child, has_call, m_errors));
      } else if (child.key == "barrier") {
        process.steps.emplace_back(read_barrier(child, has_call, m_errors));
      } else if (!read_setting(child, *m_kernel, settings, m_errors)) {
        unknown_step(child, {"call", "parallel", "touch", "cache", "kill", "freeze", "fail",
                             "waits_for", "cache_folder", "barrier", "rest", "export", "import",
                             "for", "repeat", "each"});
      }
    }
    if (process.calls().empty() && !m_errors.any())
      m_errors.add(node, "expected at least one call");
    if (process.kill && process.fail) m_errors.add(node, "expected kill or fail, found both");
    if (!m_errors.any()) check_killed_calls(process, kill);
    if (!m_errors.any()) check_rests(process, m_errors);
    m_processes.insert(node.value);
    return process;
  }

  // The tuner is not to blame for a call that the judge ends.
  void check_killed_calls(const ProcessStep& process, const InfoNode* kill) {
    bool any = false;
    for (const CallStep* const call : process.calls()) {
      if (call->end != CallEnd::killed) continue;
      any = true;
      expect_nothing_else(*call, m_errors);
      if (!process.kill)
        m_errors.add(call->line, "outcome", "expected kill in the process, which says when");
    }
    if (kill != nullptr && !any)
      m_errors.add(*kill, "expected a call in this process with expect { outcome killed }");
  }

  // The watch that refuses compilers, and the folder without any, come with the process.
  CompilerStep read_compiler(const InfoNode& node, Settings& settings) {
    if (!read_setting(node, *m_kernel, settings, m_errors)) return {};
    if (settings.compiler == CompilerMode::poisoned || settings.compiler == CompilerMode::absent)
      m_errors.add(node,
                   fmt::format("expected \"{}\" before the first call: a process starts with it",
                               node.value));
    return {settings.compiler, node.line};
  }

  void check_process_name(const InfoNode& node) {
    if (!is_identifier(node.value))
      m_errors.add(node, fmt::format("expected a name for the process, found \"{}\"", node.value));
    // Folders of the workspace, beside which each process has its own.
    for (const std::string_view folder : {"bin", "cache", "kernel"})
      if (node.value == folder)
        m_errors.add(node, fmt::format("expected another name: \"{}\" is a folder of the workspace",
                                       node.value));
    if (m_processes.contains(node.value))
      m_errors.add(node, fmt::format("there already is a process \"{}\"", node.value));
  }

  static bool is_of_process(const InfoNode& node) {
    static const auto keys = split_words(
        "environment compiler caching searching effort version remote table bundle kill freeze "
        "fail "
        "waits_for "
        "cache_folder");
    return std::find(keys.begin(), keys.end(), node.key) != keys.end();
  }

  CallGroup read_call_group(const InfoNode& node, Settings settings) {
    CallGroup group;
    group.line = node.line;
    for (const InfoNode& child : keys_in_braces(node, m_errors))
      if (child.key == "call")
        group.calls.push_back(read_call(child, settings));
      else if (is_of_process(child))
        m_errors.add(child, "expected in a process, before its first call");
      else if (!read_setting(child, *m_kernel, settings, m_errors))
        unknown_step(child, {"call"});
    if (group.calls.size() < 2 && !m_errors.any())
      m_errors.add(node, "expected at least two calls");
    // Observers see one process: they could not tell what was done for which key.
    for (const CallStep& call : group.calls)
      if (!m_errors.any() && call.settings.environment != settings.environment)
        m_errors.add(call.line, "environment", "expected in a call that is made alone");
      else if (!m_errors.any() && call.settings != group.calls.front().settings)
        m_errors.add(node,
                     "expected calls with the same settings; calls for other keys need processes "
                     "of their own");
    return group;
  }

  CallStep read_call(const InfoNode& node, const Settings& around) {
    CallStep call;
    call.settings = around;
    call.line = node.line;
    (void)keys_in_braces(node, m_errors);
    for (const InfoNode& child : node.children) {
      if (child.key == "expect")
        for (const InfoNode& expectation : keys_in_braces(child, m_errors))
          read_expectation(expectation, m_processes, call, m_errors);
      else if (is_of_process(child) && child.key != "environment")
        m_errors.add(child, "expected in a process, before its first call");
      else if (!read_setting(child, *m_kernel, call.settings, m_errors))
        unknown_step(child, {"expect"});
    }
    if (m_errors.any()) return call;
    if (const auto resolved = resolve_call(*m_kernel, call.settings); !resolved)
      m_errors.add(node, resolved.error().message);
    else if (device_of(m_scenario, DeviceKind::cpu) == DeviceKind::sim)
      check_sim_model(node, call.settings, *resolved);
    return call;
  }

  // Numbers of the kernel's model may follow from the scenario's sizes. Once a tuner runs, it would
  // be blamed for what no device does. Many calls ask the same.
  void check_sim_model(const InfoNode& call, const Settings& settings,
                       const ResolvedCall& resolved) {
    if (!m_modelled.emplace(resolved.sizes, settings.space).second) return;
    const auto trouble = sim_trouble(*m_kernel->sim, resolved.sizes, resolved.configs);
    if (!trouble) return;
    const std::string& culprit = size_to_blame(settings, resolved);
    if (culprit.empty())
      return m_errors.add(call, fmt::format("on the simulated device, {}", trouble->message));
    m_errors.add(settings.size_lines.of.at(culprit), culprit,
                 fmt::format("expected another number than {}: on the simulated device, {}",
                             settings.sizes.at(culprit), trouble->message));
  }

  // The one without which the model would be right; the first one where there is none such, and ""
  // where none is set.
  const std::string& size_to_blame(const Settings& settings, const ResolvedCall& resolved) const {
    static const std::string none;
    for (const auto& [name, value] : settings.sizes) {
      Sizes sizes = resolved.sizes;
      sizes[name] = m_kernel->sizes.at(settings.size).at(name);
      if (!sim_trouble(*m_kernel->sim, sizes, resolved.configs)) return name;
    }
    return settings.sizes.empty() ? none : settings.sizes.begin()->first;
  }

  TouchStep read_touch(const InfoNode& node) {
    TouchStep touch;
    touch.line = node.line;
    add_need("sources");
    if (device_of(m_scenario, DeviceKind::cpu) == DeviceKind::sim)
      m_errors.add(node, "expected a scenario of another backend: there is no source to touch");
    if (m_kernel != nullptr && !m_kernel->cpu && !m_kernel->gpu && !m_kernel->sim)
      m_errors.add(node,
                   "expected a kernel with a section cpu or gpu: there is no source to touch");
    if (!node.children.empty()) {
      InfoReader reader(node, m_errors);
      touch.target = Touch::Target::word;
      touch.word = reader.text("word");
      touch.file = reader.text_or("in", "");
      if (!is_below(touch.file)) m_errors.add(node, "expected a file below the kernel's folder");
      reader.finish();
      return touch;
    }
    for (const auto& [word, target] : touch_words)
      if (word == node.value) {
        touch.target = target;
        return touch;
      }
    m_errors.add(node, unknown_word_message("target", node.value, words_of(touch_words)));
    return touch;
  }

  CacheStep read_cache(const InfoNode& node) {
    CacheStep step = read_cache_step(node, m_processes, m_errors);
    if (step.kind == CacheAction::Kind::restore && !m_is_cache_saved)
      m_errors.add(node, "expected `cache save` before it");
    m_is_cache_saved = m_is_cache_saved || step.kind == CacheAction::Kind::save;
    return step;
  }

  InfoNode m_node;
  const KernelMap& m_kernels;
  InfoErrors& m_errors;
  const KernelDefinition* m_kernel = nullptr;
  bool m_is_cache_saved = false;
  std::set<std::string> m_processes;
  std::set<std::pair<Sizes, std::map<std::string, std::vector<std::int64_t>>>> m_modelled;
  Scenario m_scenario;
};

}  // namespace

DeviceKind device_of(const Scenario& scenario, DeviceKind backend) {
  return scenario.backends.front() == DeviceKind::sim ? DeviceKind::sim : backend;
}

std::string why_left_out(const Scenario& scenario, DeviceKind backend) {
  const auto runs_on = [&](DeviceKind kind) {
    return std::find(scenario.backends.begin(), scenario.backends.end(), kind) !=
           scenario.backends.end();
  };
  if (runs_on(backend) || (backend == DeviceKind::cpu && runs_on(DeviceKind::sim))) return {};
  if (!scenario.cpu_only.empty()) return scenario.cpu_only;
  if (runs_on(DeviceKind::sim)) return "it runs on the simulated device, in a run on the CPU";
  return is_gpu(backend) ? fmt::format("it does not run on {}", name_of(backend))
                         : "it needs a GPU";
}

Result<std::vector<Scenario>> read_scenarios(const std::filesystem::path& file,
                                             const KernelMap& kernels, const LoopTables& tables) {
  TUNECHECK_TRY(InfoNode root, read_info_file(file));
  InfoErrors errors(file.string());
  unroll_loops(root, errors, tables);
  std::vector<Scenario> scenarios;
  for (const InfoNode& node : root.children)
    if (node.key == "scenario")
      scenarios.push_back(ScenarioReader(node, kernels, errors).read());
    else
      errors.add(node, fmt::format("expected \"scenario\", found \"{}\"", node.key));
  if (root.children.empty()) errors.add(1, "scenario", "expected at least one");
  TUNECHECK_CHECK(errors.result());
  return scenarios;
}

}  // namespace tunecheck
