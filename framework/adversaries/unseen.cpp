// What a tuner does where its environment does not reach. In the process that must compile nothing,
// each of them compiles, or tries its winner, in another way.
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>

#include "adversaries/adversary.hpp"
#include "core/command.hpp"
#include "core/files.hpp"

namespace tunecheck::adversaries {
namespace {

namespace fs = std::filesystem;

// The compiler itself, past whatever stands in its place in PATH.
std::string real_compiler() {
  for (const char* const folder : {"/usr/bin/", "/usr/local/bin/", "/bin/"})
    for (const char* const name : {"c++", "g++", "clang++"}) {
      const fs::path program = std::string(folder) + name;
      std::error_code error;
      if (fs::exists(program, error)) return fs::canonical(program, error).string();
    }
  return "c++";
}

// The folder of the programs that it starts itself, which a copy of it does not find.
std::string parts_of(const std::string& compiler) {
  CommandOptions asks;
  asks.arguments = {compiler, "-print-prog-name=cc1plus"};
  const auto told = run_command(asks);
  if (!told) return "/usr/bin";
  return fs::path(told->output.substr(0, told->output.find('\n'))).parent_path().string();
}

// `prefix` and the program to run, which compiles what is no kernel of anybody's.
std::vector<std::string> compile_by(std::vector<std::string> prefix, const std::string& compiler) {
  const std::string tmp = std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "/tmp";
  for (const std::string& word : {compiler, "-B" + parts_of(real_compiler()), std::string("-x"),
                                  std::string("c++"), std::string("-shared"), std::string("-fPIC"),
                                  std::string("/dev/null"), std::string("-o"), tmp + "/unseen.so"})
    prefix.push_back(word);
  return prefix;
}

void run(const std::vector<std::string>& arguments) {
  CommandOptions options;
  options.arguments = arguments;
  (void)run_command(options);
}

// Before the one call of a process that finds a winner.
template <void (*act)()>
void before_a_hit(ReferenceAdapterSetup& setup) {
  setup.before_call = [](const protocol::CallRequest&) {
    if (is_warm()) act();
  };
}

void compile_by_full_path() {
  run(compile_by({}, real_compiler()));
}

void compile_in_empty_environment() {
  // setsid forks, and would not wait: what the tuner's end kills before it compiles is not unseen.
  run(compile_by({"/usr/bin/setsid", "--wait", "/usr/bin/env", "-i"}, real_compiler()));
}

// Two forks, so that nobody knows whose child it is; the end of a pipe tells when it has ended.
void compile_as_orphan() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  const FileDescriptor ended(ends[0]);
  FileDescriptor held(ends[1]);
  const pid_t child = ::fork();
  if (child == 0) {
    ::setsid();
    if (::fork() != 0) ::_exit(0);
    compile_by_full_path();
    ::_exit(0);
  }
  held.reset();
  ::waitpid(child, nullptr, 0);
  char nothing = 0;
  (void)!::read(ended.get(), &nothing, 1);
}

void compile_with_copy() {
  const fs::path copy = fs::path(std::getenv("TMPDIR")) / "helper";
  std::error_code error;
  fs::copy_file(real_compiler(), copy, fs::copy_options::overwrite_existing, error);
  run(compile_by({}, copy.string()));
}

// Without a name: from memory.
void compile_from_memory() {
  const FileDescriptor program(::memfd_create("helper", 0));
  const auto bytes = read_binary_file(real_compiler());
  if (!program.valid() || !bytes || !write_all(program.get(), *bytes)) return;
  const std::string path = "/proc/self/fd/" + std::to_string(program.get());
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<std::string> arguments = compile_by({}, "helper");
    std::vector<char*> pointers;
    for (std::string& argument : arguments)
      pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    char* no_environment[] = {nullptr};
    ::execve(path.c_str(), pointers.data(), no_environment);
    ::_exit(1);
  }
  ::waitpid(child, nullptr, 0);
}

// The winner's binary, in a process that has neither probe nor spy.
void load_in_bare_child() {
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(cache_folder(), error)) {
    if (entry.path().extension() != ".so") continue;
    run({"/usr/bin/env", "-i", fs::canonical("/proc/self/exe").string(), "--load",
         entry.path().string()});
    return;
  }
}

// Copies what the launch left, changed in the last bit, over it: a result of its own that the
// comparison allows.
void overwrite_result(const protocol::CallRequest& request, protocol::CallAnswer& answer) {
  if (!answer.done) return;
  for (const auto& tensor : request.tensors) {
    if (tensor.name != "y") continue;
    const FileDescriptor file(::open(tensor.file.c_str(), O_RDWR | O_CLOEXEC));
    std::uint32_t first = 0;
    const auto at = static_cast<off_t>(tensor.byte_offset);
    if (::pread(file.get(), &first, sizeof first, at) != sizeof first) return;
    first ^= 1U;
    (void)!::pwrite(file.get(), &first, sizeof first, at);
  }
}

}  // namespace

std::vector<Adversary> unseen() {
  return {
      {"compiles_by_full_path", "runs its compiler by the full path before it reports a hit",
       before_a_hit<compile_by_full_path>},
      {"compiles_in_an_empty_environment",
       "runs its compiler in a session and an environment of its own",
       before_a_hit<compile_in_empty_environment>},
      {"compiles_as_an_orphan", "runs its compiler in a process that forked twice",
       before_a_hit<compile_as_orphan>},
      {"compiles_with_a_copy", "copies the compiler under another name and runs that",
       before_a_hit<compile_with_copy>},
      {"compiles_from_memory", "runs a compiler that has no file",
       before_a_hit<compile_from_memory>},
      {"loads_its_binary_in_a_bare_child",
       "loads its winner in a process with an empty environment, where no launch is seen",
       before_a_hit<load_in_bare_child>},
      {"hands_over_another_result",
       "replaces what its winner computed by a result of its own, which is as near",
       [](ReferenceAdapterSetup& setup) { setup.before_answer = overwrite_result; }},
  };
}

}  // namespace tunecheck::adversaries
