// tunecheck-adapter-adversaries: the reference adapter with one habit that a judge must bear.
#include <dlfcn.h>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "adapter/reference/reference_adapter.hpp"
#include "adversaries/adversary.hpp"
#include "backend/all_backends.hpp"

namespace {

constexpr int bad_input = 3;

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The reference adapter with one habit that a judge must bear");
  bool list = false;
  std::string name, binary;
  app.add_flag("--list", list, "print all adversaries as JSON");
  app.add_option("--adversary", name, "which one");
  app.add_option("--load", binary, "only load this binary, as one of them has it done");
  app.require_option(1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : bad_input;
  }
  if (list) {
    fmt::print("{}\n", tunecheck::adversaries_as_json());
    return 0;
  }
  if (!binary.empty()) return ::dlopen(binary.c_str(), RTLD_NOW) != nullptr ? 0 : 1;
  const tunecheck::Adversary* const adversary = tunecheck::find_adversary(name);
  if (adversary == nullptr) {
    fmt::print(stderr, "tunecheck-adapter-adversaries: there is no adversary \"{}\"; see --list\n",
               name);
    return bad_input;
  }
  tunecheck::ReferenceAdapterSetup setup;
  setup.tuner = "adversary:" + adversary->name;
  adversary->join(setup);
  const tunecheck::AllBackends backends;
  setup.other_backends = backends.others();
  return tunecheck::run_reference_adapter(backends.cpu, std::move(setup));
}
