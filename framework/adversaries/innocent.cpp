// Tuners that are right and do something unusual. A judge that blames them is wrong.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "adversaries/adversary.hpp"
#include "core/command.hpp"
#include "core/files.hpp"

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

// As a build system does that resolves all links once.
void resolve_compiler(const protocol::CallRequest&) {
  std::error_code error;
  if (const char* const compiler = std::getenv("TUNECHECK_CXX"))
    ::setenv("TUNECHECK_CXX", std::filesystem::canonical(compiler, error).c_str(), 1);
}

// Compiles to an object first, and links that.
constexpr const char* two_steps = R"(#!/bin/sh
output= shared=
for argument; do
  [ "$before" != -o ] || output=$argument
  [ "$argument" != -shared ] || shared=yes
  before=$argument
done
[ -n "$output" ] && [ -n "$shared" ] || exec "$REAL_CXX" "$@"
"$REAL_CXX" "$@" -c -o "$output.o" 2> "$output.log"; status=$?
grep -v 'linker input file unused' "$output.log" >&2
[ $status = 0 ] && "$REAL_CXX" -shared "$output.o" -o "$output"
status=$?
rm -f "$output.o" "$output.log"
exit $status
)";

void compile_in_two_steps(const protocol::CallRequest&) {
  const std::string script = std::string(std::getenv("TMPDIR")) + "/two-steps";
  if (std::filesystem::exists(script)) return;
  (void)write_file(script, std::string_view(two_steps));
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  ::setenv("REAL_CXX", std::getenv("TUNECHECK_CXX"), 1);
  ::setenv("TUNECHECK_CXX", script.c_str(), 1);
}

}  // namespace

std::vector<Adversary> innocent() {
  return {
      {"asks_other_programs", "runs programs with an empty environment in each call",
       [](ReferenceAdapterSetup& setup) { setup.before_call = ask_other_programs; }},
      {"keeps_statistics", "notes each call in a file of its cache folder after the launch",
       [](ReferenceAdapterSetup& setup) { setup.before_answer = note_use; }},
      {"resolves_its_compiler",
       "calls its compiler by the path that is left when all links are resolved",
       [](ReferenceAdapterSetup& setup) { setup.before_call = resolve_compiler; }},
      {"compiles_in_two_steps", "compiles to an object and links that",
       [](ReferenceAdapterSetup& setup) { setup.before_call = compile_in_two_steps; }},
  };
}

}  // namespace tunecheck::adversaries
