// tunecheck-adapter-mutants: the reference adapter with one planted bug.
#include <cstdio>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "adapter/reference/reference_adapter.hpp"
#include "backend/all_backends.hpp"
#include "mutants/mutant.hpp"

namespace {

constexpr int bad_input = 3;

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The reference adapter with one planted bug");
  bool list = false;
  std::string name;
  app.add_flag("--list", list, "print all mutants as JSON");
  app.add_option("--mutant", name, "the bug to plant");
  app.require_option(1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : bad_input;
  }
  if (list) {
    fmt::print("{}\n", tunecheck::mutants_as_json());
    return 0;
  }
  const tunecheck::Mutant* const mutant = tunecheck::find_mutant(name);
  if (mutant == nullptr) {
    fmt::print(stderr, "tunecheck-adapter-mutants: there is no mutant \"{}\"; see --list\n", name);
    return bad_input;
  }
  tunecheck::ReferenceAdapterSetup setup;
  setup.tuner = "mutant:" + mutant->name;
  mutant->plant(setup);
  const tunecheck::AllBackends backends;
  setup.other_backends = backends.others();
  return tunecheck::run_reference_adapter(backends.cpu, std::move(setup));
}
