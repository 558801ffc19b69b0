#include "gate/measure/real_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>

#include "core/in_parallel.hpp"
#include "core/stopwatch.hpp"
#include "gate/measure/common_configs.hpp"
#include "gate/measure/kernel_benchmarks.hpp"
#include "gate/measure/run_session.hpp"

namespace tunecheck::gate {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t tunings = 5;

// Keeps every core busy while it lives.
class Load {
 public:
  Load() {
    for (std::size_t i = 0; i < worker_count(0); ++i)
      m_threads.emplace_back([](const std::stop_token& stop) {
        volatile unsigned spun = 0;
        while (!stop.stop_requested())
          spun = spun + 1;
      });
  }

 private:
  std::vector<std::jthread> m_threads;
};

void note_winners(const KernelSide& side, SideResult& result) {
  for (std::size_t i = 0; i < side.tunings().size(); ++i)
    result.environment[fmt::format("winner of tuning {}", i + 1)] = side.tunings()[i].winner;
}

// Sessions of a build against itself on the machine at hand, which show how often the gate is wrong
// there. row() is called once for each row of the table and runs all of its sessions. Every session
// makes and tunes both sides anew and has a seed of its own, counted over all rows: sessions that
// shared anything would be wrong together. An error loses the row; nothing can be concluded from a
// row with fewer sessions than were asked for.
class RealCalibrating {
 public:
  RealCalibrating(const RealCalibrationOptions& options, const Bench& bench)
      : m_options(options), m_bench(bench) {}

  Result<RealRow> row(bool is_loaded, bool is_planted) {
    RealRow row;
    row.is_loaded = is_loaded;
    row.is_planted = is_planted;
    const std::size_t sessions = is_planted ? m_options.sessions / 2 : m_options.sessions;
    const auto load = is_loaded ? std::make_unique<Load>() : nullptr;
    while (row.sessions < sessions) {
      {
        const Stopwatch watch(row.wall_ns);
        TUNECHECK_CHECK(session(row));
      }
      if (m_options.progress)
        m_options.progress(fmt::format("{}{} {} of {}", is_loaded ? "loaded, " : "",
                                       is_planted ? "slowed" : "same", row.sessions, sessions));
    }
    return row;
  }

 private:
  [[nodiscard]] Result<std::unique_ptr<KernelSide>> create(const char* name) const {
    return KernelSide::create(m_bench, m_options.build, m_options.kernel, m_options.size, name);
  }

  static Result<void> tune(KernelSide& side) {
    TUNECHECK_TRY(const std::string trouble, side.tune());
    if (!trouble.empty()) return failure("the build cannot tune: {}", trouble);
    return {};
  }

  Result<void> session(RealRow& row) {
    TUNECHECK_TRY(const auto base, create("calibration.base"));
    TUNECHECK_TRY(const auto head, create("calibration.head"));
    for (std::size_t i = 0; i < tunings; ++i) {
      TUNECHECK_CHECK(tune(*base));
      TUNECHECK_CHECK(tune(*head));
    }
    const CaseName name{m_options.kernel, m_options.size, m_bench.backend};
    const CommonConfigs common = common_configs(*base, *head);
    const bool launches = m_options.metric == "winner_time";
    if (launches && !common.reason.empty()) return failure("{}", common.reason);
    const Runnable runnable{subject_of(name, m_options.metric, "ns"), Role::measured,
                            [&](Side side, std::size_t number, bool) {
                              const bool is_head = side == Side::head;
                              KernelSide& measured = is_head ? *head : *base;
                              const bool is_slowed = row.is_planted && is_head;
                              if (launches) return launch_time(measured, common, number, is_slowed);
                              return measure(measured, m_options.metric, number, is_slowed);
                            },
                            true};
    GateResult result;
    result.seed = m_options.seed + m_sessions++;
    result.settings = m_options.settings;
    result.backend = name_of(m_bench.backend);
    note_winners(*base, result.base);
    note_winners(*head, result.head);
    TUNECHECK_CHECK(run_session({runnable}, {}, result));
    count(result.benchmarks.front(), row);
    const bool is_alarm = result.answer == Answer::regression || result.answer == Answer::improved;
    return is_alarm && !row.is_planted && m_options.alarm ? m_options.alarm(result)
                                                          : Result<void>();
  }

  static void count(const BenchmarkResult& benchmark, RealRow& row) {
    ++row.sessions;
    ++row.answers.at(static_cast<std::size_t>(benchmark.finding.answer));
    row.pairs += benchmark.pairs.size();
    if (std::isfinite(benchmark.finding.detectable)) {
      row.detectable += benchmark.finding.detectable;
      ++row.stated;
    }
  }

  const RealCalibrationOptions& m_options;
  const Bench& m_bench;
  std::uint64_t m_sessions = 0;
};

}  // namespace

bool RealCalibration::is_kept() const {
  return std::all_of(rows.begin(), rows.end(), [](const RealRow& row) {
    return row.is_planted || 200 * row.of(Answer::regression) <= row.sessions;
  });
}

Result<RealCalibration> calibrate_for_real(const RealCalibrationOptions& options) {
  const fs::path store = fs::absolute(options.out / "compile-store");
  TUNECHECK_CHECK(create_folders(store));
  Bench bench;
  bench.work = fs::absolute(options.out / "work");
  bench.planted = options.settings.planted;
  TUNECHECK_TRY(bench.observers, find_observers(store, bench.work / "spies"));
  bench.cpu = CpuLease::take();
  RealCalibration calibration{options.metric, options.kernel, options.size, bench.cpu.text(), {}};
  RealCalibrating calibrating(options, bench);
  for (const bool is_loaded : {false, true})
    for (const bool is_planted : {false, true}) {
      TUNECHECK_TRY(RealRow row, calibrating.row(is_loaded, is_planted));
      calibration.rows.push_back(row);
    }
  std::error_code ignored;
  fs::remove_all(bench.work, ignored);
  return calibration;
}

}  // namespace tunecheck::gate
