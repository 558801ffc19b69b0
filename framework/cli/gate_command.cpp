// tunecheck gate: is the head slower than the base?
#include <algorithm>
#include <limits>
#include <memory>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/usage.hpp"
#include "gate/calibration.hpp"
#include "reports/calibration_page.hpp"

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

}  // namespace

void add_gate_command(CLI::App& app, Action& action) {
  CLI::App& command = *app.add_subcommand("gate", "Regressions of times, without false alarms");
  command.require_subcommand(1);
  const auto options = std::make_shared<gate::CalibrationOptions>();
  CLI::App& calibration = *command.add_subcommand(
      "calibrate",
      "How often the gate's rule, and those of others, are right on simulated machines");
  calibration
      .add_option("--sessions", options->sessions,
                  "Simulated sessions of each machine and slowdown; 100000 if not given")
      ->transform(whole_number(1, 100'000'000))
      ->type_name("N");
  calibration
      .add_option("--seed", options->seed, "What the machines' noise comes from; 1 if not given")
      ->transform(whole_number(0, std::numeric_limits<std::int64_t>::max()))
      ->type_name("N");
  calibration.add_option("--jobs,-j", options->jobs, "Threads; one a core if not given")
      ->transform(whole_number(1, 4096))
      ->type_name("N");
  set_examples(calibration,
               "  tunecheck gate calibrate\n"
               "  tunecheck gate calibrate --sessions 1000 --seed 7\n");
  calibration.callback(
      [options, &action] { action = [options] { return print_calibration(*options); }; });
}

}  // namespace tunecheck::cli
