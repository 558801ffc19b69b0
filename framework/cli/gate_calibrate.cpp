// tunecheck gate calibrate: how often the rule is right, on simulated machines and on this one.
#include "cli/gate_calibrate.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "cli/arguments.hpp"
#include "cli/console.hpp"
#include "cli/out_lock.hpp"
#include "cli/usage.hpp"
#include "core/resources.hpp"
#include "core/text.hpp"
#include "gate/measure/real_calibration.hpp"
#include "gate/rule/calibration.hpp"
#include "reports/stored/gate_json.hpp"
#include "reports/terminal/calibration_page.hpp"

namespace tunecheck::cli {
namespace {

int print_calibration(const gate::CalibrationOptions& options) {
  const gate::Calibration calibration = gate::calibrate(options);
  print(calibration_page(calibration));
  const std::vector<gate::Promise> promises = gate::promises(calibration);
  const bool all_kept = std::all_of(promises.begin(), promises.end(),
                                    [](const gate::Promise& promise) { return promise.is_kept; });
  return all_kept ? held : failed;
}

std::string share_of(std::size_t count, std::size_t all) {
  return all == 0 ? "" : fmt::format("{} of {}", count, all);
}

std::string real_table(const gate::RealCalibration& calibration) {
  std::string text = fmt::format("{} of {} at {}; {}\n\n", calibration.metric, calibration.kernel,
                                 calibration.size, calibration.pinning);
  text +=
      "| machine | head | regression | inconclusive | pass | improved | invalid | pairs | seconds "
      "| "
      "would find |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  for (const gate::RealRow& row : calibration.rows) {
    const auto sessions = static_cast<double>(std::max<std::size_t>(row.sessions, 1));
    text += fmt::format("| {} | {} |", row.is_loaded ? "every core busy" : "as it is",
                        row.is_planted ? "+10 %" : "same");
    for (const gate::Answer answer :
         {gate::Answer::regression, gate::Answer::inconclusive, gate::Answer::pass,
          gate::Answer::improved, gate::Answer::invalid})
      text += fmt::format(" {} |", share_of(row.of(answer), row.sessions));
    text += fmt::format(
        " {:.1f} | {:.1f} | {:.1f} % |\n", static_cast<double>(row.pairs) / sessions,
        static_cast<double>(row.wall_ns) / 1e9 / sessions,
        100 * row.detectable / static_cast<double>(std::max<std::size_t>(row.stated, 1)));
  }
  return text +
         fmt::format("\n{}  at most one false alarm in 200 sessions of a build with itself\n",
                     calibration.is_kept() ? "kept  " : "BROKEN");
}

struct RealArguments {
  std::size_t sessions = 0;  // 0: simulated ones
  std::string build, kernel = "rmsnorm", metric = "winner_time", out = "out";
  std::uint64_t seed = 1;
};

int calibrate_on_this_machine(const RealArguments& arguments) {
  gate::RealCalibrationOptions options;
  auto build = gate::open_build(arguments.build.empty() ? program_folder().parent_path()
                                                        : std::filesystem::path(arguments.build),
                                "reference", {});
  if (!build) return report(build.error());
  options.sessions = arguments.sessions;
  if (!build->kernels.contains(arguments.kernel)) {
    std::vector<std::string> known;
    for (const auto& [name, kernel] : build->kernels)
      known.push_back(name);
    return report(Error{ErrorKind::bad_input,
                        unknown_word_message("kernel", arguments.kernel, known),
                        {},
                        0,
                        "--kernel"});
  }
  options.build = std::move(*build);
  options.kernel = arguments.kernel;
  options.metric = arguments.metric;
  options.seed = arguments.seed;
  options.out = arguments.out;
  options.progress = [](const std::string& line) {
    print(line + "\n");
    (void)flushed(held);
  };
  options.alarm = [&](const gate::GateResult& session) {
    const std::string name = fmt::format("alarm-{}.json", session.seed);
    print(
        fmt::format("a false {}: {}\n", to_string(session.answer), (options.out / name).string()));
    return GateFile(options.out / name).update(session);
  };
  const auto lock = lock_out(options.out);
  if (!lock) return report(lock.error());
  const auto calibration = calibrate_for_real(options);
  if (!calibration) return report(calibration.error());
  print("\n" + real_table(*calibration));
  return calibration->is_kept() ? held : failed;
}

}  // namespace

void add_calibrate_command(CLI::App& command, Action& action) {
  const auto options = std::make_shared<gate::CalibrationOptions>();
  CLI::App& calibration = *command.add_subcommand(
      "calibrate",
      "Measure how often the gate's rule and other rules are right on simulated machines");
  calibration
      .add_option("--sessions", options->sessions,
                  "Simulated sessions per machine and slowdown; 100000 if not given")
      ->transform(whole_number(1, 100'000'000))
      ->type_name("N");
  calibration.add_option("--seed", options->seed, "Seed for the machines' noise; 1 if not given")
      ->transform(whole_number(0, std::numeric_limits<std::int64_t>::max()))
      ->type_name("N");
  calibration.add_option("--jobs,-j", options->jobs, "Threads; one per core if not given")
      ->transform(whole_number(1, 4096))
      ->type_name("N");
  const auto real = std::make_shared<RealArguments>();
  calibration
      .add_option("--real", real->sessions,
                  "Use this machine instead: N sessions that compare a build with itself, half\n"
                  "as many with itself slowed down by 10 %, and all again with every core busy")
      ->transform(whole_number(2, 1'000'000))
      ->type_name("N");
  calibration
      .add_option("--build", real->build, "The build to run; this tunecheck's own if not given")
      ->type_name("DIR");
  calibration
      .add_option("--kernel", real->kernel,
                  "The kernel to tune, at size smoke; rmsnorm if not given")
      ->type_name("NAME");
  calibration
      .add_option("--metric", real->metric, "winner_time or warm_start; winner_time if not given")
      ->check(CLI::IsMember({"winner_time", "warm_start"}))
      ->type_name("NAME");
  add_out(calibration, real->out);
  set_examples(calibration,
               "  tunecheck gate calibrate\n"
               "  tunecheck gate calibrate --real 200\n"
               "  tunecheck gate calibrate --sessions 1000 --seed 7\n");
  calibration.callback([options, real, &action] {
    real->seed = options->seed;
    action = [options, real] {
      return real->sessions == 0 ? print_calibration(*options) : calibrate_on_this_machine(*real);
    };
  });
}

}  // namespace tunecheck::cli
