// tunecheck demo: a broken tuner, what the judge says of it, the repaired one, and the report.
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backend/cpu/toolchain.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/out_lock.hpp"
#include "cli/page_file.hpp"
#include "cli/run/run_reports.hpp"
#include "cli/tuner_run.hpp"
#include "cli/usage.hpp"
#include "core/shell.hpp"
#include "reports/stored/report_sources.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

// The bug that people find hardest to see: everything works, and one call in the life of a program
// returns nonsense.
constexpr std::string_view planted_bug = "no_restore";

// The first two fail with that bug. The third does not, because its kernel overwrites no input: a
// judge that finds fault with everything shows nothing.
const std::vector<std::string> demo_scenarios = {"restore.first_result_is_right",
                                                 "restore.two_overwritten_arguments",
                                                 "restore.out_of_place_control"};

struct DemoArguments {
  std::string out = "out/demo";
  int jobs = 0;
};

// One of the two tuners: how it is run, and where to.
struct Part {
  std::string adapter;
  fs::path out;
};

Part broken_part(const fs::path& out) {
  return {std::string(mutant_prefix) + std::string(planted_bug), out / "broken"};
}

Part repaired_part(const fs::path& out) {
  return {"reference", out / "repaired"};
}

// Paragraphs as wide as the terminal.
void say(const std::string& text) {
  const TerminalOptions options = terminal_options();
  Page page(options);
  page.entry("", 0, text);
  print("\n" + page.text());
  (void)flushed(held);
}

void say_title(const std::string& text) {
  const TerminalOptions options = terminal_options();
  Page page(options);
  page.line(text, Style::strong);
  print("\n" + page.text());
}

// As somebody would type it.
std::string command_of(const Part& part) {
  const std::string program = terminal_options().program;
  return fmt::format("  $ {} run {} --adapter {} --out {}\n\n",
                     program.empty() ? "tunecheck" : program, fmt::join(demo_scenarios, " "),
                     part.adapter, shell_quoted(part.out.string()));
}

int run_part(const Part& part, const DemoArguments& arguments) {
  print("\n" + command_of(part));
  RunArguments like_a_run;
  like_a_run.adapter = part.adapter;
  like_a_run.out = part.out.string();
  like_a_run.jobs = arguments.jobs;
  auto run = prepare(like_a_run);
  if (!run) return report(run.error());
  auto selected = select_scenarios(run->catalogue, demo_scenarios);
  if (!selected) return report(selected.error());
  run->scenarios = std::move(*selected);
  share_compile_store(*run, arguments.out);
  return run_and_report(*run, {});
}

Result<std::string> summary_of_bug() {
  TUNECHECK_TRY(const std::vector<MutantInfo> mutants, list_mutants());
  for (const MutantInfo& mutant : mutants)
    if (mutant.name == planted_bug) return mutant.summary;
  return failure(ErrorKind::internal, "there is no mutant \"{}\"", planted_bug);
}

Result<fs::path> page_of(const fs::path& out) {
  TUNECHECK_TRY(const ReportSources sources,
                read_report_sources({broken_part(out).out / "result.json",
                                     repaired_part(out).out / "result.json"}));
  return write_page(sources, out);
}

void say_what_is_next(const fs::path& page, const fs::path& out) {
  say_title("3. The report of both");
  print("\n");
  if (page.empty())
    print("  This tunecheck was built without the page for a browser.\n");
  else
    print(fmt::format("  {}    for a browser\n", fs::absolute(page).lexically_normal().string()));
  for (const Part& part : {broken_part(out), repaired_part(out)})
    print(
        fmt::format("  {}\n", fs::absolute(part.out / "result.json").lexically_normal().string()));
  say_title("What is next");
  print(
      "\n"
      "  tunecheck doctor                     what is here, and what is missing\n"
      "  tunecheck run --quick                few scenarios, every check\n"
      "  tunecheck run --adapter NAME         another tuner: tunecheck adapters list\n"
      "  tunecheck watch -- python train.py   a program with tuned kernels in it\n");
}

int demonstrate(const DemoArguments& arguments) {
  // Each run would say so too, and the text before it would have promised something.
  if (const auto toolchain = Toolchain::find(); !toolchain) return report(toolchain.error());
  const auto bug = summary_of_bug();
  if (!bug) return report(bug.error());
  const auto lock = lock_out(arguments.out);
  if (!lock) return report(lock.error());
  const fs::path out = arguments.out;

  print("tunecheck " + version() + ": a demonstration\n");
  say_title("1. A broken tuner");
  say(fmt::format(
      "An autotuner tries a kernel in many configs, times each one, and keeps the fastest. This "
      "tuner is tunecheck's own, with one bug planted in it, {}: {}. Two of the kernels below "
      "overwrite their own input. tunecheck runs the tuner in a process and watches it from "
      "outside.",
      planted_bug, *bug));
  const int broken = run_part(broken_part(out), arguments);
  if (broken != failed) {
    if (broken == held)
      return report({ErrorKind::untrusted,
                     "expected that the broken tuner fails, found that it passes",
                     {},
                     0,
                     {}});
    return broken;
  }
  say_title("2. The repaired tuner");
  say("The same scenarios, and the same tuner without the bug: it puts back what a trial "
      "overwrites before it launches the kernel again.");
  if (const int repaired = run_part(repaired_part(out), arguments); repaired != held)
    return repaired;
  const auto page = page_of(out);
  if (!page) return report(page.error());
  say_what_is_next(*page, out);
  return held;
}

}  // namespace

void add_demo_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<DemoArguments>();
  CLI::App& command = *app.add_subcommand(
      "demo", "Show what tunecheck does: a broken tuner, the repaired one, and the report");
  command
      .add_option("--out", arguments->out,
                  "Folder for reports and evidence; \"out/demo\" if not given")
      ->check(not_empty("a folder"))
      ->type_name("DIR");
  add_jobs(command, arguments->jobs);
  command.footer(
      "\nIt takes a few seconds and needs a C++ compiler, and no GPU. Nothing is prepared: both\n"
      "tuners run. Status 0 if the broken tuner fails and the repaired one passes.\n");
  command.callback(
      [arguments, &action] { action = [arguments] { return demonstrate(*arguments); }; });
}

}  // namespace tunecheck::cli
