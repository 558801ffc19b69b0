#include "gate/measure/compare_builds.hpp"

#include <algorithm>
#include <memory>

#include "core/text.hpp"
#include "gate/measure/common_configs.hpp"
#include "gate/measure/kernel_benchmarks.hpp"
#include "gate/measure/run_session.hpp"
#include "gate/rule/name_changes.hpp"

namespace tunecheck::gate {
namespace {

namespace fs = std::filesystem;

// A kernel at a size, as both builds have it.
struct ComparedCase {
  std::string kernel, size;
  std::unique_ptr<KernelSide> base, head;
  ProcessRun base_tuning, head_tuning;  // how the tuner failed, where it did
  CommonConfigs common;                 // once both are tuned
  std::string loop_trouble = {};        // why no loop slows its launches down; "" where one does

  [[nodiscard]] bool is_tuned() const {
    return base_tuning.failure.empty() && head_tuning.failure.empty();
  }
  [[nodiscard]] KernelSide& of(Side side) const { return side == Side::base ? *base : *head; }
};

// One session between two builds. run() is called once: it finds the cases, tunes each for both
// builds, makes the list of benchmarks and canaries, and measures their pairs. Benchmarks hold
// references to cases, so no case is added once the first benchmark is. Until the session begins,
// only names, winners and reasons are noted in the result, and compare_builds() clears those at its
// start. so_far sees every pair: after an error or a kill, a result that was kept there can be
// handed in again, and the session goes on with new tunings. The work folder is removed only after
// success.
class Comparing {
 public:
  Comparing(const CompareOptions& options, GateResult& result)
      : m_options(options), m_result(result) {}

  Result<void> run() {
    TUNECHECK_TRY(m_bench, make_bench(m_options.out, m_result, m_options.store));
    TUNECHECK_CHECK(find_cases());
    for (ComparedCase& each : m_cases)
      TUNECHECK_CHECK(tune(each));
    for (const ComparedCase& each : m_cases)
      add_benchmarks(each);
    if (m_runnables.empty()) return failure("nothing is left to measure");
    // A machine on which no kernel could be tuned needs no canary to say so.
    const auto tuned = std::find_if(m_cases.begin(), m_cases.end(),
                                    [](const ComparedCase& each) { return each.is_tuned(); });
    if (tuned != m_cases.end() && m_options.is_whole) TUNECHECK_CHECK(add_canaries(*tuned));
    say(fmt::format("comparing {}, canaries included", counted(m_runnables.size(), "benchmark")));
    SessionHooks hooks;
    hooks.so_far = m_options.so_far;
    hooks.count = [this](GateResult& result) { count(result); };
    const auto ran = run_session(m_runnables, hooks, m_result);
    std::error_code ignored;
    if (ran) fs::remove_all(m_bench.work, ignored);
    return ran;
  }

 private:
  void say(const std::string& text) const {
    if (m_options.progress) m_options.progress(text);
  }

  [[nodiscard]] bool wants(std::string_view metric) const {
    const auto& wanted = m_options.metrics;
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), metric) != wanted.end();
  }

  static bool has(const Build& build, const std::string& kernel, const std::string& size) {
    const auto found = build.kernels.find(kernel);
    return found != build.kernels.end() && found->second.sizes.contains(size);
  }

  // What only one of the builds has is listed. A kernel that neither has is a mistake.
  Result<void> find_cases() {
    std::vector<std::string> in_base, in_head;
    for (const std::string& kernel : m_options.kernels)
      for (const std::string& size : m_options.sizes) {
        const std::string name = case_name({kernel, size, m_bench.backend});
        const bool base = has(m_options.base, kernel, size);
        const bool head = has(m_options.head, kernel, size);
        if (base) in_base.push_back(name);
        if (head) in_head.push_back(name);
        if (!base && !head) return unknown(kernel, size);
        if (base && head) m_cases.push_back({kernel, size, nullptr, nullptr, {}, {}, {}, {}});
      }
    note_names(in_base, in_head, m_result);
    if (m_cases.empty())
      return failure(ErrorKind::bad_input, "base and head have no kernel and size in common");
    return {};
  }

  [[nodiscard]] Result<void> unknown(const std::string& kernel, const std::string& size) const {
    std::vector<std::string> known;
    for (const Build* const build : {&m_options.base, &m_options.head})
      for (const auto& [name, definition] : build->kernels)
        known.push_back(name);
    const bool is_known = std::find(known.begin(), known.end(), kernel) != known.end();
    if (is_known)
      return failure(Error{ErrorKind::bad_input,
                           fmt::format("the kernel \"{}\" has no size \"{}\"", kernel, size),
                           {},
                           0,
                           "--size"});
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    return failure(Error{
        ErrorKind::bad_input, unknown_word_message("kernel", kernel, known), {}, 0, "--kernel"});
  }

  // In turn, so that a machine that becomes slower does so to both.
  Result<void> tune(ComparedCase& each) {
    const std::string name = each.kernel + "." + each.size;
    say(fmt::format("tuning {} at {}", each.kernel, each.size));
    TUNECHECK_TRY(each.base, KernelSide::create(m_bench, m_options.base, each.kernel, each.size,
                                                name + ".base"));
    TUNECHECK_TRY(each.head, KernelSide::create(m_bench, m_options.head, each.kernel, each.size,
                                                name + ".head"));
    for (std::size_t i = 0; i < m_options.tunings; ++i)
      for (const Side side : {Side::base, Side::head})
        if (each.is_tuned()) {
          ProcessRun& tuning = side == Side::base ? each.base_tuning : each.head_tuning;
          TUNECHECK_TRY(tuning.failure, each.of(side).tune());
        }
    if (!each.is_tuned()) return {};
    each.head->slow_down(m_options.slower_head);
    if (m_options.tuned) m_options.tuned(*each.base, *each.head);
    each.common = common_configs(*each.base, *each.head);
    TUNECHECK_CHECK(try_loop(each));
    m_result.base.tuner = each.base->tunings().front().tuner;
    m_result.head.tuner = each.head->tunings().front().tuner;
    return {};
  }

  // A loop in a kernel that the device hides would make a canary that nothing can find. So
  // processes show that it takes effect, before the session relies on it.
  Result<void> try_loop(ComparedCase& each) {
    const bool is_slowed = m_options.is_whole || m_options.slower_head > 0;
    if (!is_slowed || !wants("winner_time") ||
        how_slowed("winner_time", m_bench.backend) != slowed_by::loop)
      return {};
    if (!can_loop(*each.base, each.common)) {
      each.loop_trouble = "a config, or the kernel, cannot have a loop";
    } else if (const std::string earlier = earlier_canary(); !earlier.empty()) {
      if (earlier != slowed_by::loop) each.loop_trouble = "the session began without";
    } else if (!m_options.is_loop_tried) {
      say(fmt::format("trying a loop in {}", each.kernel));
      TUNECHECK_TRY(each.loop_trouble, trouble_of_loop(*each.base, each.common, m_bench.planted));
    }
    if (m_options.slower_head > 0 && !each.loop_trouble.empty())
      return failure(ErrorKind::machine, "{}: the head cannot be slowed down: {}",
                     case_name(name_of(each)), each.loop_trouble);
    if (!each.loop_trouble.empty()) say("no launch is slowed down: " + each.loop_trouble);
    return {};
  }

  // How the canary of a session that is resumed is slowed down; "" of one that begins.
  [[nodiscard]] std::string earlier_canary() const {
    for (const BenchmarkResult& benchmark : m_result.benchmarks)
      if (benchmark.role == Role::slowed) return benchmark.canary_of.slowed_by;
    return "";
  }

  [[nodiscard]] CaseName name_of(const ComparedCase& each) const {
    return {each.kernel, each.size, m_bench.backend};
  }

  [[nodiscard]] Runnable benchmark_of(const ComparedCase& each, std::string_view metric) const {
    Runnable benchmark = unslowed_benchmark_of(each, metric);
    benchmark.slowed_by = how_slowed(metric, m_bench.backend);
    if (benchmark.slowed_by != slowed_by::loop) return benchmark;
    if (!each.loop_trouble.empty()) benchmark.slowed_by.clear();
    benchmark.as_slowed_canary = [&each](std::size_t number, bool is_slowed) {
      return looped_launch_time(*each.base, each.common, number, is_slowed);
    };
    // Both sides are compiled by the judge then: they differ in the loop alone.
    if (m_options.slower_head > 0)
      benchmark.run = [&each](Side side, std::size_t number, bool is_slowed) {
        return looped_launch_time(each.of(side), each.common, number, is_slowed);
      };
    return benchmark;
  }

  [[nodiscard]] Runnable unslowed_benchmark_of(const ComparedCase& each,
                                               std::string_view metric) const {
    return {subject_of(name_of(each), metric, "ns"),
            Role::measured,
            [&each, metric](Side side, std::size_t number, bool is_slowed) {
              if (metric == "winner_time")
                return launch_time(each.of(side), each.common, number, is_slowed);
              if (metric == "winner_choice") return choice_time(each.of(side), *each.base);
              KernelSide& measured = each.of(side);
              return measure(measured, metric, tuning_of_pair(measured, each.common, number),
                             is_slowed);
            },
            {}};
  }

  void add_benchmarks(const ComparedCase& each) {
    if (each.is_tuned()) {
      add_times(each);
      note_winners(each);
    } else {
      // A head that cannot tune has got worse; of a base that cannot, nothing can be said.
      m_runnables.push_back({subject_of(name_of(each), "tuning_time", "ns"), Role::measured,
                             [&each](Side side, std::size_t, bool) -> Result<ProcessRun> {
                               return side == Side::base ? each.base_tuning : each.head_tuning;
                             }});
    }
  }

  void add_times(const ComparedCase& each) {
    for (const Metric& metric : metrics()) {
      if (!wants(metric.name)) continue;
      const std::string reason = why_not_of(each, metric.name);
      if (reason.empty())
        m_runnables.push_back(benchmark_of(each, metric.name));
      else
        m_result.not_measured.push_back(
            {subject_of(name_of(each), metric.name, "ns").name, reason});
    }
  }

  // Why the sides cannot be compared by it; "" where they can.
  [[nodiscard]] static std::string why_not_of(const ComparedCase& each, std::string_view metric) {
    if (metric == "winner_time") return each.common.reason;
    if (metric == "winner_choice") return why_no_choice(*each.base, *each.head);
    const std::string reason = why_not(*each.base, metric);
    return reason.empty() ? why_not(*each.head, metric) : reason;
  }

  // Five tunings of a side say little about which config it chooses: one of two equals, or a worse
  // one because something disturbed them. Where they differ, fresh tunings decide, asked for or
  // not.
  void note_winners(const ComparedCase& each) {
    WinnerChange change = winners_of(name_of(each), *each.base, *each.head);
    if (change.base == change.head) return;
    change.reason = why_not_of(each, "winner_choice");
    if (change.reason.empty()) {
      const Runnable choice = benchmark_of(each, "winner_choice");
      change.benchmark = choice.subject.name;
      if (!wants("winner_choice") && m_options.is_whole) m_runnables.push_back(choice);
    }
    m_result.winner_changes.push_back(std::move(change));
  }

  [[nodiscard]] bool measures_any(const std::vector<std::string_view>& metrics) const {
    return std::any_of(m_runnables.begin(), m_runnables.end(), [&](const Runnable& each) {
      return std::find(metrics.begin(), metrics.end(), each.subject.metric) != metrics.end();
    });
  }

  // One of equal builds for each kind of what is measured. Its second side is the base's build once
  // more, set up by itself as a head is: what makes sides of one build differ is then seen.
  Result<void> add_canaries(const ComparedCase& of) {
    say(fmt::format("tuning {} at {} once more, for a canary", of.kernel, of.size));
    TUNECHECK_TRY(m_twin, KernelSide::create(m_bench, m_options.base, of.kernel, of.size,
                                             of.kernel + "." + of.size + ".twin"));
    for (std::size_t i = 0; i < m_options.tunings && m_twin_tuning.failure.empty(); ++i) {
      TUNECHECK_TRY(m_twin_tuning.failure, m_twin->tune());
    }
    std::vector<std::string_view> canaries;
    m_of_twin = m_twin_tuning.failure.empty() ? common_configs(*of.base, *m_twin) : of.common;
    const bool can_launch = m_of_twin.reason.empty();
    if (measures_any({"winner_time", "winner_choice"}) && can_launch)
      canaries.emplace_back("winner_time");
    if (measures_any({"warm_start", "tuning_time", "dispatch"}))
      canaries.emplace_back("warm_start");
    const Runnable slowed = slowed_canary(benchmark_of(of, "warm_start"), m_runnables);
    for (const std::string_view metric : canaries) {
      Runnable canary = benchmark_of(of, metric);
      canary.run = [this, &of, metric](Side side, std::size_t number,
                                       bool is_slowed) -> Result<ProcessRun> {
        if (side == Side::head && !m_twin_tuning.failure.empty()) return m_twin_tuning;
        KernelSide& measured = side == Side::base ? *of.base : *m_twin;
        if (metric == "winner_time") return launch_time(measured, m_of_twin, number, is_slowed);
        return measure(measured, metric, tuning_of_pair(measured, m_of_twin, number), is_slowed);
      };
      m_runnables.push_back(same_canary(std::move(canary), "/" + std::string(metric)));
    }
    m_runnables.push_back(slowed);
    return {};
  }

  void count(GateResult& result) const {
    result.counts.clear();
    for (const ComparedCase& each : m_cases) {
      if (!each.is_tuned()) continue;
      const std::vector<Counted> base = counts_of(*each.base, name_of(each));
      const std::vector<Counted> head = counts_of(*each.head, name_of(each));
      for (std::size_t i = 0; i < base.size(); ++i)
        // A warm start that nobody has run yet is not counted yet.
        if (!base[i].counts.empty() && !head[i].counts.empty())
          result.counts.push_back({base[i].subject, compare_counts(base[i].counts, head[i].counts),
                                   base[i].counts, head[i].counts});
    }
  }

  const CompareOptions& m_options;
  GateResult& m_result;
  Bench m_bench;
  std::vector<ComparedCase> m_cases;
  std::unique_ptr<KernelSide> m_twin;  // of the base
  ProcessRun m_twin_tuning;            // how it failed, where it did
  CommonConfigs m_of_twin;             // what it and the base launch
  std::vector<Runnable> m_runnables;
};

}  // namespace

Result<void> compare_builds(const CompareOptions& options, GateResult& result) {
  // Of an interrupted session too: they are found again.
  result.added.clear();
  result.removed.clear();
  result.renamed.clear();
  result.winner_changes.clear();
  result.not_measured.clear();
  return Comparing(options, result).run();
}

}  // namespace tunecheck::gate
