// docs/gate-rule.md: its settings and machines are those of the code. docs/gate-measurements.md:
// its figures are what the command makes, as far as a smaller simulation can tell.
#include <cmath>
#include <filesystem>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "core/files.hpp"
#include "core/text.hpp"
#include "gate/rule/calibration.hpp"
#include "gate/rule/noise.hpp"
#include "gate/rule/other_rules.hpp"
#include "gate/rule/real_session.hpp"
#include "page.hpp"
#include "reports/terminal/real_rates_page.hpp"

namespace tunecheck::test::gate_page {
namespace {

using namespace gate;
namespace fs = std::filesystem;

const Page& rule_page() {
  static const Page the_page("gate-rule.md");
  return the_page;
}

const Page& measurements_page() {
  static const Page the_page("gate-measurements.md");
  return the_page;
}

std::string percent(double share) {
  return fmt::format("{:g} %", 100 * share);
}

TEST(GatePage, gives_the_default_of_every_setting) {
  const Settings settings;
  std::vector<std::vector<std::string>> expected;
  for (const auto& [name, value] : std::vector<std::pair<std::string, double>>{
           {"delta", settings.delta},
           {"tolerance", settings.tolerance},
           {"alpha", settings.alpha},
           {"same_alpha", settings.same_alpha},
           {"pass_alpha", settings.pass_alpha},
           {"planned_power", settings.planned_power},
           {"stated_power", settings.stated_power},
           {"planted", settings.planted},
           {"screen_pairs", static_cast<double>(settings.screen_pairs)},
           {"least_pairs", static_cast<double>(settings.least_pairs)},
           {"most_pairs", static_cast<double>(settings.most_pairs)}})
    expected.push_back({"`" + name + "`", fmt::format("{:g}", value)});
  std::vector<std::vector<std::string>> given;
  for (const std::vector<std::string>& row : rule_page().rows("Settings", "setting"))
    given.push_back({row.at(0), row.at(1)});
  EXPECT_EQ(given, expected);
}

TEST(GatePage, gives_the_numbers_of_every_machine) {
  std::vector<std::vector<std::string>> expected;
  for (const NoiseModel& model : noise_models())
    expected.push_back(
        {fmt::format("`{}`", model.name), percent(model.process_deviation),
         fmt::format("{} of processes, +{}", percent(model.slow_chance), percent(model.slow_by)),
         percent(model.sample_deviation), percent(model.drift_deviation),
         fmt::format("{} of samples, +{}", percent(model.outlier_chance),
                     percent(model.outlier_mean)),
         fmt::format("before {} of processes, {:g} long, +{}", percent(model.burst_chance),
                     model.burst_processes, percent(model.burst_mean))});
  EXPECT_EQ(rule_page().rows("The simulated machines", "machine"), expected);
}

// A share that the page gives, against so many of `sessions`: four deviations apart at most, and
// one session.
void expect_near(const std::string& given, std::size_t count, std::size_t sessions,
                 const std::string& what) {
  const double share = std::stod(given) / 100, all = static_cast<double>(sessions);
  const double allowed = 4 * std::sqrt(all * share * (1 - share)) + 1;
  EXPECT_NEAR(static_cast<double>(count), share * all, allowed) << what;
}

TEST(GatePage, has_the_figures_that_the_command_makes) {
  CalibrationOptions options;
  options.sessions = 1000;
  options.seed = 99;
  const Calibration calibration = calibrate(options);
  for (std::size_t at = 0; at < calibration.machines.size(); ++at) {
    const MachineCalibration& machine = calibration.machines[at];
    const auto rows = measurements_page().rows(
        fmt::format("{}: {}", machine.machine, noise_models()[at].meaning), "called slower");
    ASSERT_EQ(rows.size(), 5 + other_rules().size());
    for (std::size_t column = 0; column < planted_slowdowns.size(); ++column) {
      const OwnCounts& own = machine.own[column];
      const auto expect_row = [&](std::size_t row, std::size_t count) {
        expect_near(rows[row].at(column + 1), count, options.sessions,
                    machine.machine + ", " + rows[row][0]);
      };
      expect_row(0, own.of(Answer::regression));
      expect_row(1, own.of(Answer::inconclusive));
      expect_row(2, own.of(Answer::pass));
      expect_row(3, own.of(Answer::improved));
      for (std::size_t i = 0; i < other_rules().size(); ++i) {
        EXPECT_EQ(rows[5 + i][0], other_rules()[i].name);
        expect_row(5 + i, machine.others[i][column]);
      }
    }
  }
}

// What `tunecheck gate calibrate --from docs/measurements/gate-sessions/*.jsonl` prints, and what
// it prints of the sessions of the rule before.
TEST(GatePage, has_the_tables_that_the_stored_sessions_make) {
  const fs::path docs = TUNECHECK_DOCS;
  const std::string text = read_text_file(docs / "gate-measurements.md").value();
  for (const char* const folder : {"gate-sessions", "gate-sessions-60-pairs"}) {
    std::vector<RealSession> sessions;
    for (const auto& file : fs::directory_iterator(docs / "measurements" / folder)) {
      const auto read = read_sessions(file.path());
      ASSERT_TRUE(read) << read.error().text();
      sessions.insert(sessions.end(), read->sessions.begin(), read->sessions.end());
    }
    ASSERT_FALSE(sessions.empty());
    EXPECT_NE(text.find(real_rates_page(sessions)), text.npos)
        << "expected in it, of " << folder << ":\n"
        << real_rates_page(sessions);
  }
}

TEST(GatePage, explains_every_key_of_a_stored_session) {
  RealSession session;
  session.kind.part = gate::SessionPart();
  const auto line = nlohmann::json::parse(to_line(session));
  std::set<std::string> written;
  for (const auto& [key, value] : line.items())
    written.insert(key);
  std::set<std::string> explained;
  for (const auto& row : measurements_page().rows("The file of sessions", "key"))
    for (const std::string& name : split_words(row.at(0)))
      explained.insert(name.substr(1, name.size() - 2));
  EXPECT_EQ(explained, written);
}

}  // namespace
}  // namespace tunecheck::test::gate_page
