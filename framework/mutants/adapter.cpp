// An adapter that misbehaves must cost a verdict, never the judge. The tuner itself is whole.
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <string_view>
#include <unistd.h>

#include "core/files.hpp"
#include "mutants/families.hpp"

namespace tunecheck::mutants {
namespace {

template <void (*act)()>
class BeforeLaunch : public RealCall {
 public:
  void prepare(std::span<const TensorRole> roles, const LaunchArguments& arguments,
               CallKind kind) const override {
    act();
    RealCall::prepare(roles, arguments, kind);
  }
};

template <void (*act)()>
void before_launch(ReferenceAdapterSetup& setup) {
  setup.parts.real_call = std::make_shared<BeforeLaunch<act>>();
}

// With a status that looks like success: only the missing answer tells.
void leave() {
  std::_Exit(0);
}

void sleep_for_ever() {
  for (;;)
    ::pause();
}

// The adapter keeps its stdout for the protocol, so the line goes to a copy made before that.
class PrintsGarbage : public RealCall {
 public:
  void prepare(std::span<const TensorRole> roles, const LaunchArguments& arguments,
               CallKind kind) const override {
    constexpr std::string_view line = "tuned in 0.1 s\n";
    (void)write_all(m_stdout.get(), std::as_bytes(std::span(line)));
    RealCall::prepare(roles, arguments, kind);
  }

 private:
  FileDescriptor m_stdout{::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)};
};

void crash() {
  std::signal(SIGSEGV, SIG_DFL);
  std::raise(SIGSEGV);
}

// A shell that puts an output into a variable reads to its end: until nobody can write to it.
constexpr const char* reads_to_the_end = R"(#!/bin/sh
output=$("$BEHIND_CXX" "$@")
status=$?
[ -z "$output" ] || printf '%s\n' "$output"
exit $status
)";

void compile_behind_a_shell(const protocol::CallRequest&) {
  const std::filesystem::path script = std::filesystem::temp_directory_path() / "reads-to-the-end";
  if (std::filesystem::exists(script)) return;
  (void)write_file(script, std::string_view(reads_to_the_end));
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const char* const compiler = std::getenv("TUNECHECK_CXX");
  ::setenv("BEHIND_CXX", compiler != nullptr ? compiler : "c++", 1);
  ::setenv("TUNECHECK_CXX", script.c_str(), 1);
}

}  // namespace

std::vector<Mutant> adapter_mutants() {
  return {
      {"exits_mid_call", "ends its process in the first call, before it has answered",
       before_launch<leave>},
      {"never_answers", "sleeps forever in the first call", before_launch<sleep_for_ever>},
      {"prints_garbage", "prints a line that is not an answer to its stdout before each answer",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.real_call = std::make_shared<PrintsGarbage>();
       }},
      {"waits_for_compilers_children",
       "waits until nobody can write to its compiler's output, which may be a process that the "
       "compiler left behind",
       [](ReferenceAdapterSetup& setup) { setup.before_call = compile_behind_a_shell; }},
      {"dies_on_quit", "crashes when it is asked to quit",
       [](ReferenceAdapterSetup& setup) { setup.on_quit = crash; }},
  };
}

}  // namespace tunecheck::mutants
