// Tunings that were recorded next to other work, on a real machine, and decided again. What
// `tunecheck-noise-bench --record` writes is in traces/.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/parse_json.hpp"
#include "probe_kernel.hpp"

namespace tunecheck::test {
namespace {

using Json = nlohmann::json;

// What was recorded of one kernel. Its configs are blocks of the probe kernel here, from 1, in the
// order of the kernel's space.
class Recorded {
 public:
  explicit Recorded(const std::string& name) {
    const std::string file =
        std::string(TUNECHECK_SOURCE_ROOT) + "/tests/tuner/traces/" + name + ".json";
    const Json json = parse_json<Json>(read_text_file(file).value());
    std::set<std::string> configs;
    for (const Json& look : json.at("looks"))
      configs.insert(look.at("config").get<std::string>());
    std::map<std::string, std::int64_t> blocks;
    for (const std::string& config : configs) {
      blocks.emplace(config, static_cast<std::int64_t>(blocks.size()) + 1);
      m_space += (m_space.empty() ? "" : " ") + std::to_string(blocks.size());
    }
    for (const Json& look : json.at("looks"))
      m_looks[blocks.at(look.at("config"))].push_back(look);
    m_first = blocks.at(json.at("looks").front().at("config"));
    m_best = blocks.at(json.at("best"));
  }

  // The best config, by hundreds of launches in other processes.
  [[nodiscard]] std::int64_t best() const { return m_best; }

  // The block that wins where each look at a config takes what the next recorded one took.
  [[nodiscard]] std::int64_t winner() const;

 private:
  friend class ReplayedTrials;
  std::map<std::int64_t, std::vector<Json>> m_looks;
  std::string m_space;
  std::int64_t m_first = 0, m_best = 0;
};

// Runs each trial here and then puts down the recorded times. One thread at a time.
class ReplayedTrials final : public TrialRunner {
 public:
  ReplayedTrials(const Recorded& recorded, const std::int64_t& launched)
      : m_recorded(recorded), m_launched(launched) {}

  Result<Outcome> run(const std::function<void(TrialRecord&)>& body,
                      const TrialLimits& limits) const override {
    TUNECHECK_TRY(Outcome outcome, InProcessTrialRunner().run(body, limits));
    const std::vector<Json>& looks = m_recorded.m_looks.at(m_launched);
    const Json& look = looks[m_taken[m_launched]++ % looks.size()];
    const auto samples = look.at("elapsed_ns").get<std::vector<std::int64_t>>();
    std::copy(samples.begin(), samples.end(), outcome.record.elapsed_ns.begin());
    outcome.record.samples = static_cast<std::int32_t>(samples.size());
    outcome.record.interrupted = 0;
    // At the recorded time, unless that is over by now.
    const auto began_ns = look.at("began_ns").get<std::int64_t>();
    outcome.record.began_ns = std::max(m_now_ns, began_ns);
    m_now_ns = outcome.record.began_ns + look.at("ended_ns").get<std::int64_t>() - began_ns;
    outcome.record.ended_ns = m_now_ns;
    return outcome;
  }

 private:
  const Recorded& m_recorded;
  const std::int64_t& m_launched;  // the block of the latest launch
  mutable std::map<std::int64_t, std::size_t> m_taken;
  mutable std::int64_t m_now_ns = 1;
};

std::int64_t Recorded::winner() const {
  const ProbeFolder folder;
  folder.edit("block \"1 2\"  vec \"1 4\"", "block \"" + m_space + "\"  vec \"1\"");
  folder.edit("block 1  vec 4", "block " + std::to_string(m_first) + "  vec 1");
  std::int64_t launched = 0;
  const FunctionBackend backend([&](const Config& config, const LaunchArguments& arguments) {
    launched = config.at("block");
    return run_probe(config, arguments);
  });
  TunerParts parts = TunerParts::standard();
  parts.runner = std::make_shared<ReplayedTrials>(*this, launched);
  const ProbeTensors tensors;
  const auto report = fresh_call(backend, folder.request(), tensors, "", parts);
  if (!report) throw std::runtime_error(report.error().text());
  return report->trials.at(fastest_trial(report->trials).value()).config.at("block");
}

// The default config, which is the baseline, had two speeds, as 1 to 1.23. Corrected by it, another
// config that takes 6.5 us seemed to take 5.4, and won against one that takes 5.9.
TEST(TuningInNoise, is_not_misled_by_a_baseline_that_has_two_speeds) {
  const Recorded recorded("histogram_next_to_a_busy_process");
  EXPECT_EQ(recorded.winner(), recorded.best());
}

}  // namespace
}  // namespace tunecheck::test
