// Tuners that are right and do something unusual: whoever blames them is wrong.
#include <fstream>
#include <string>

#include "adversaries/adversary.hpp"
#include "core/command.hpp"

namespace tunecheck::adversaries {
namespace {

void ask_other_programs(const protocol::CallRequest&) {
  for (const char* const program : {"/bin/uname", "/usr/bin/id"}) {
    CommandOptions options;
    options.arguments = {"/usr/bin/env", "-i", program};
    (void)run_command(options);
  }
}

// After each call, as tuners count the uses of a winner.
void note_use(const protocol::CallRequest&, protocol::CallAnswer&) {
  std::ofstream(cache_folder() + "/statistics.txt", std::ios::app) << "one call more\n";
}

}  // namespace

std::vector<Adversary> innocent() {
  return {
      {"asks_other_programs", "runs programs with an empty environment in each call",
       [](ReferenceAdapterSetup& setup) { setup.before_call = ask_other_programs; }},
      {"keeps_statistics", "notes each call in a file of its cache folder after the launch",
       [](ReferenceAdapterSetup& setup) { setup.before_answer = note_use; }},
  };
}

}  // namespace tunecheck::adversaries
