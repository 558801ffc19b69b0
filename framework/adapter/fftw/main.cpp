// tunecheck-adapter-fftw: FFTW as a process that the judge drives, with a planted bug if asked for.
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <span>
#include <string>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "adapter/fftw/fftw_adapter.hpp"
#include "core/files.hpp"

namespace {

constexpr int bad_input = 3;

// stdout belongs to the protocol; what anybody else prints goes to the log.
int serve(const tunecheck::FftwHabits& habits) {
  const tunecheck::FileDescriptor answers(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
  if (!answers.valid() || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return EXIT_FAILURE;
  tunecheck::FftwAdapter adapter(habits);
  for (std::string line; !adapter.is_asked_to_quit() && std::getline(std::cin, line);) {
    const std::string answer = adapter.answer(line) + "\n";
    if (!tunecheck::write_all(answers.get(), std::as_bytes(std::span(answer)))) return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("FFTW, for tunecheck");
  bool list = false;
  std::string name;
  app.add_flag("--list", list, "print all mutants as JSON");
  app.add_option("--mutant", name, "the bug to plant");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : bad_input;
  }
  if (list) {
    fmt::print("{}\n", tunecheck::fftw_mutants_as_json());
    return 0;
  }
  tunecheck::FftwHabits habits;
  if (!name.empty()) {
    const tunecheck::FftwMutant* const mutant = tunecheck::find_fftw_mutant(name);
    if (mutant == nullptr) {
      fmt::print(stderr, "tunecheck-adapter-fftw: there is no mutant \"{}\"; see --list\n", name);
      return bad_input;
    }
    mutant->plant(habits);
  }
  return serve(habits);
}
