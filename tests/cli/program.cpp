#include "program.hpp"

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <stdexcept>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "../observe/cached_compiler.hpp"
#include "core/resources.hpp"
#include "json_schema.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;

Environment environment_with(const Environment& further) {
  Environment environment = current_environment();
  for (const char* name :
       {"NO_COLOR", "FORCE_COLOR", "TUNECHECK_ROOT", "TUNECHECK_CXX", "TUNECHECK_CONFIG"})
    environment.erase(name);
  // What is there to be found is what the others are about.
  if (!further.contains("PATH")) environment["TUNECHECK_CXX"] = cached_compiler();
  environment["TERM"] = "xterm";
  for (const auto& [name, value] : further)
    environment[name] = value;
  return environment;
}

// A slow machine that does much else is no failure.
constexpr auto time_limit = std::chrono::minutes(4);

// Both ends of a terminal.
struct Terminal {
  FileDescriptor person, program;
  Terminal() : person(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    if (!person.valid() || ::grantpt(person.get()) != 0 || ::unlockpt(person.get()) != 0)
      throw std::runtime_error("no terminal: " + last_system_error());
    std::array<char, 128> name{};
    ::ptsname_r(person.get(), name.data(), name.size());
    program = FileDescriptor(::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
  }
};

// Whatever a test is about: a result that the program leaves is as the schema says.
void check_results(const fs::path& folder, fs::file_time_type begun) {
  const std::map<std::string, std::string> schemas = {{"result.json", "result.schema.json"},
                                                      {"audit.json", "audit.schema.json"},
                                                      {"gate.json", "gate.schema.json"}};
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const auto schema = schemas.find(entry.path().filename().string());
    if (schema == schemas.end() || entry.last_write_time() < begun) continue;
    const std::string text = read_text_file(entry.path()).value();
    EXPECT_THAT(violations(nlohmann::json::parse(text), schema->second), testing::IsEmpty())
        << entry.path();
  }
}

}  // namespace

bool has_terminals() {
  return FileDescriptor(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)).valid();
}

Place::Place() : m_folder(TemporaryFolder::create("tunecheck-cli").value()) {}

bool Place::has(const std::string& file) const {
  return fs::exists(path() / file);
}

std::string Place::read(const std::string& file) const {
  return read_text_file(path() / file).value();
}

std::string Place::write(const std::string& file, const std::string& text) const {
  fs::create_directories((path() / file).parent_path());
  if (const auto written = write_file(path() / file, text); !written)
    throw std::runtime_error(written.error().text());
  return (path() / file).string();
}

Environment Place::make_root(const std::string& scenarios, const std::string& adapter) const {
  const Resources own = find_resources();
  write("root/scenarios/mine.info", scenarios);
  fs::create_directory_symlink(own.kernels, path() / "root/kernels");
  fs::create_directory_symlink(own.scenarios / "kernels", path() / "root/scenarios/kernels");
  link_headers();
  write(
      "root/adapters/own/adapter.info",
      adapter.empty() ? read_text_file(own.adapters / "reference/adapter.info").value() : adapter);
  return {{"TUNECHECK_ROOT", (path() / "root").string()}};
}

void Place::link_headers() const {
  const Resources own = find_resources();
  fs::create_directories(path() / "root/include/tunecheck");
  for (const fs::path& include : {own.include, own.gpu_include})
    for (const auto& header : fs::directory_iterator(include / "tunecheck"))
      fs::create_symlink(header.path(),
                         path() / "root/include/tunecheck" / header.path().filename());
}

Ran Place::shell(const std::string& line, const Environment& further) const {
  CommandOptions options;
  options.time_limit = time_limit;
  options.arguments = {"/bin/sh", "-c", "exec 2>stderr.txt\n" + line};
  options.environment = environment_with(further);
  // A line that a report gives begins with the name alone.
  auto& search = (*options.environment)["PATH"];
  search = program_folder().string() + ":" + search;
  options.folder = path();
  const CommandResult result = run_command(options).value();
  return {result.end.signal == 0 ? result.end.exit_status : -1, result.output, read("stderr.txt")};
}

Ran Place::run(const std::vector<std::string>& arguments, const Environment& further) const {
  CommandOptions options;
  options.time_limit = time_limit;
  options.arguments = {"/bin/sh", "-c", "exec \"$@\" 2>stderr.txt", "sh", TUNECHECK_PROGRAM};
  options.arguments.insert(options.arguments.end(), arguments.begin(), arguments.end());
  options.environment = environment_with(further);
  options.folder = path();
  const auto begun = fs::file_time_type::clock::now();
  const CommandResult result = run_command(options).value();
  check_results(path(), begun);
  return {result.end.signal == 0 ? result.end.exit_status : -1, result.output, read("stderr.txt")};
}

Ran Place::run_on_terminal(const std::vector<std::string>& arguments,
                           const Environment& further) const {
  Terminal terminal;
  Ran ran;
  std::jthread reader([&] {
    std::array<char, 4096> buffer;
    // The end of the last program on a terminal is an error (EIO) to who reads the other end.
    for (ssize_t got; (got = ::read(terminal.person.get(), buffer.data(), buffer.size())) > 0;)
      ran.out.append(buffer.data(), static_cast<std::size_t>(got));
  });
  CommandOptions options;
  options.time_limit = time_limit;
  options.arguments = {TUNECHECK_PROGRAM};
  options.arguments.insert(options.arguments.end(), arguments.begin(), arguments.end());
  options.environment = environment_with(further);
  options.folder = path();
  options.in_child = [descriptor = terminal.program.get()] { ::dup2(descriptor, STDOUT_FILENO); };
  const CommandResult result = run_command(options).value();
  terminal.program.reset();
  reader.join();
  ran.status = result.end.signal == 0 ? result.end.exit_status : -1;
  ran.err = result.output;
  return ran;
}

std::string axpy_scenario(const std::string& name) {
  return "scenario\n{\n  name " + name +
         "\n  because \"a trial must not be seen by the caller\"\n  kernel axpy_inplace\n"
         "  steps { process cold { call { expect { cache miss  inputs.pristine yes } } } }\n}\n";
}

std::string tunecheck_program() {
  return TUNECHECK_PROGRAM;
}

}  // namespace tunecheck::test
