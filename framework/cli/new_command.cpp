// tunecheck new: the folder of a kernel to start from, which runs as it is.
#include <memory>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/kernel_template.hpp"
#include "cli/usage.hpp"
#include "core/command.hpp"
#include "core/resources.hpp"
#include "core/shell.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

struct NewArguments {
  std::string name, parent = ".", tuner;
  bool in_place = false, accumulating = false, pure = false;
};

Result<std::string> kind_of(const NewArguments& arguments) {
  const int kinds = arguments.in_place + arguments.accumulating + arguments.pure;
  if (!arguments.tuner.empty()) {
    if (kinds == 0) return arguments.tuner;
    return failure(ErrorKind::bad_input,
                   "--for: expected no --in-place, --accumulating or --pure beside it");
  }
  if (kinds != 1)
    return failure(ErrorKind::bad_input,
                   "expected one of --in-place, --accumulating, --pure and --for; see tunecheck "
                   "new kernel --help");
  return std::string(arguments.in_place       ? "in_place"
                     : arguments.accumulating ? "accumulating"
                                              : "pure");
}

// This program in a command line: by its name where a shell finds this very program.
std::string program_word() {
  const fs::path own = program_folder() / "tunecheck";
  const fs::path found = find_program("tunecheck");
  std::error_code error;
  return !found.empty() && fs::equivalent(found, own, error) ? "tunecheck"
                                                             : shell_quoted(own.string());
}

std::string next_commands(const NewKernel& kernel) {
  std::error_code error;
  // tunecheck's own kernels are read anyway; naming their folder again would be each of them twice.
  const std::string kernels = fs::equivalent(kernel.parent, find_resources().kernels, error)
                                  ? ""
                                  : " --kernels " + shell_quoted(kernel.parent.string());
  const std::string program = program_word();
  if (!kernel.tuner.empty())
    return fmt::format("  {} run{} --scenarios {} --adapter {}{}\n", program, kernels,
                       shell_quoted((kernel.folder() / "scenario.info").string()), kernel.tuner,
                       kernel.tuner == "triton" ? " --backend cuda" : "");
  return fmt::format("  {0} kernels prove {1}{2}\n", program, kernel.name, kernels) +
         fmt::format("  {0} kernels tune {1} --size full{2}\n", program, kernel.name, kernels) +
         fmt::format("  {0} run{1} --scenarios {2}\n", program, kernels,
                     shell_quoted((kernel.folder() / "scenario.info").string()));
}

int make_kernel(const NewArguments& arguments) {
  const auto kind = kind_of(arguments);
  if (!kind) return report(kind.error());
  const NewKernel kernel{arguments.name, *kind, arguments.tuner, arguments.parent};
  if (const auto checked = check_new_kernel(kernel); !checked) return report(checked.error());
  if (const auto written = write_new_kernel(kernel); !written) return report(written.error());
  std::string text = kernel.folder().string() + "\n";
  for (const TemplateFile& file : template_files(kernel))
    text += fmt::format("  {:15}{}\n", file.name, file.purpose);
  print(text + "It runs as it is. Replace what is marked DECIDE, and after each step run:\n" +
        next_commands(kernel));
  return held;
}

}  // namespace

void add_new_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<NewArguments>();
  CLI::App& command = *app.add_subcommand("new", "Write the files of a new kernel");
  command.require_subcommand(1);
  CLI::App& kernel = *command.add_subcommand(
      "kernel", "Write a folder with a small, proved kernel and its scenarios, to be replaced");
  kernel
      .add_option("NAME", arguments->name,
                  "Lower-case letters, digits and '_'; not the name of another kernel")
      ->required()
      ->type_name("");
  kernel.add_flag("--in-place", arguments->in_place, "It overwrites its own input (restore_value)");
  kernel.add_flag("--accumulating", arguments->accumulating,
                  "It adds to what is in its output (reset_to_zero)");
  kernel.add_flag("--pure", arguments->pure, "It only writes what it does not read");
  kernel
      .add_option("--for", arguments->tuner,
                  "A tuner that takes kernels in its own language: \"flydsl\" or \"triton\"")
      ->check(one_of("flydsl", "triton"))
      ->type_name("TUNER");
  kernel
      .add_option("--in", arguments->parent,
                  "Folder in which to create the folder NAME, made if it is missing;\n"
                  "the current folder if not given")
      ->check(not_empty("a folder"))
      ->type_name("DIR");
  set_examples(kernel,
               "  tunecheck new kernel leaky_relu --in-place --in my_kernels\n"
               "  tunecheck new kernel bias_grad --accumulating --in my_kernels\n"
               "  tunecheck new kernel softmax --pure --in my_kernels\n"
               "  tunecheck new kernel swiglu --for triton --in my_kernels\n");
  kernel.callback([=, &action] { action = [=] { return make_kernel(*arguments); }; });
}

}  // namespace tunecheck::cli
