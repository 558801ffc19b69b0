// tunecheck gate calibrate: how often the rule is right, on simulated machines and on this one.
#include "cli/gate_calibrate.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/console.hpp"
#include "cli/division.hpp"
#include "cli/gate_calibrate_real.hpp"
#include "cli/gate_session.hpp"
#include "cli/usage.hpp"
#include "gate/rule/calibration.hpp"
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

// What has an effect with --real alone.
const std::vector<std::string_view>& real_options() {
  static const std::vector<std::string_view> names = {
      "--plant",  "--load",    "--at-once", "--whole",     "--build", "--kernel", "--size",
      "--metric", "--backend", "--delta",   "--tolerance", "--out",   "--shard"};
  return names;
}

void add_real_options(CLI::App& command, RealArguments& real) {
  command
      .add_option("--real", real.sessions,
                  "Use this machine instead: sessions of a build against itself, played until\n"
                  "sessions.jsonl in --out has N of them. Several commands may add to one file")
      ->transform(whole_number(1, 1'000'000))
      ->type_name("N");
  command
      .add_option("--plant", real.head,
                  "Make the head of each session really slower by this; 0% if not given")
      ->transform(percentage(0, 100))
      ->type_name("PERCENT");
  command
      .add_option("--load", real.load,
                  "\"busy\" keeps every core at work meanwhile; \"idle\" if not given")
      ->check(one_of("idle", "busy"))
      ->type_name("LOAD");
  command
      .add_option("--at-once", real.at_once,
                  "Sessions to play at the same time, in processes of their own; 1 if not given")
      ->transform(whole_number(1, 1024))
      ->type_name("K");
  command.add_flag("--whole", real.is_whole,
                   "Play whole sessions, as \"tunecheck gate\" does: with canaries, and with\n"
                   "winner_choice if tunings chose differently");
  command.add_option("--build", real.build, "The build to run; this tunecheck's own if not given")
      ->type_name("DIR");
  add_repeatable(command, "--kernel", real.kernels,
                 "A kernel to measure, rmsnorm if not given; may be given several times", "NAME");
  add_repeatable(command, "--size", real.sizes,
                 "A size of each kernel, smoke if not given; may be given several times", "SIZE");
  add_repeatable(command, "--metric", real.metrics,
                 "What to measure, winner_time if not given; may be given several times", "NAME")
      ->check(known_metric);
  add_backend(command, real.backend, "cpu, cuda or hip; cpu if not given");
  command.add_option("--delta", real.delta, "Smaller slowdowns are ignored; 2% if not given")
      ->transform(percentage(0.1, 50))
      ->type_name("PERCENT");
  command
      .add_option("--tolerance", real.tolerance,
                  "A slowdown of this size must be found; 5% if not given")
      ->transform(percentage(0.1, 100))
      ->type_name("PERCENT");
  add_out(command, real.out);
  add_shard_option(command, real.shard, "sessions");
}

Result<void> check_effects(const std::vector<std::string>& given, bool is_real, bool is_shown) {
  if (is_shown) {
    TUNECHECK_CHECK(check_effect(given, {"--real", "--sessions", "--seed", "--jobs"},
                                 "without --from, which plays no session"));
  }
  if (is_real) TUNECHECK_CHECK(check_effect(given, {"--sessions", "--jobs"}, "without --real"));
  if (!is_real) TUNECHECK_CHECK(check_effect(given, real_options(), "with --real alone"));
  return {};
}

}  // namespace

void add_calibrate_command(CLI::App& command, Action& action) {
  const auto options = std::make_shared<gate::CalibrationOptions>();
  CLI::App& calibration = *command.add_subcommand(
      "calibrate",
      "Measure how often the gate's rule is right: beside other rules on simulated machines, or "
      "on this one");
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
  add_real_options(calibration, *real);
  const auto shown = std::make_shared<std::vector<std::string>>();
  calibration
      .add_option("--from", *shown,
                  "Play nothing: show the sessions that --real stored in these files")
      ->type_name("FILE");
  set_examples(calibration,
               "  tunecheck gate calibrate\n"
               "  tunecheck gate calibrate --sessions 1000 --seed 7\n"
               "  tunecheck gate calibrate --real 200 --out rates\n"
               "  tunecheck gate calibrate --real 60 --plant 5% --load busy --out rates\n"
               "  tunecheck gate calibrate --real 200 --shard 3/16 --out rates/3\n"
               "  tunecheck gate calibrate --from rates/sessions.jsonl\n");
  calibration.callback([options, real, shown, &calibration, &action] {
    real->seed = options->seed;
    action = [options, real, shown, given = given_options(calibration)] {
      if (const auto checked = check_effects(given, real->sessions > 0, !shown->empty()); !checked)
        return report(checked.error());
      if (!shown->empty()) return show_sessions(*shown);
      return real->sessions == 0 ? print_calibration(*options) : calibrate_on_this_machine(*real);
    };
  });
}

}  // namespace tunecheck::cli
