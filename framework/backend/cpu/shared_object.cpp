#include "backend/cpu/shared_object.hpp"

#include <algorithm>
#include <string_view>

#include "core/command.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

// The first line that has "error:" in it, else how the compiler ended and what it said last.
Error complaint(const CommandResult& run) {
  std::string last;
  const std::string_view output = run.output;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    const std::string_view line = output.substr(at, end - at);
    if (line.find("error:") != line.npos)
      return Error{ErrorKind::untrusted, std::string(line), {}, 0, {}};
    if (!line.empty()) last = line;
    at = end + 1;
  }
  return Error{
      ErrorKind::untrusted,
      fmt::format("the compiler failed: {}{}{}", run.end.text(), last.empty() ? "" : ": ", last),
      {},
      0,
      {}};
}

Environment compiler_environment(const fs::path& temporary_folder) {
  Environment environment = current_environment();
  environment["LC_ALL"] = "C";  // complaints in one language
  // What the compiler would leave behind where it is killed goes with the folder.
  environment["TMPDIR"] = temporary_folder.string();
  // Debug information and __FILE__ record this name in place of the real one: GCC and Clang take
  // PWD at its word where it leads to the working folder.
  environment["PWD"] = "/proc/self/cwd";
  return environment;
}

// Relative to the folder, so that __FILE__ and the names of local symbols hold no place.
fs::path name_in_folder(const fs::path& source, const fs::path& folder) {
  if (source.is_relative()) return source;
  const fs::path name = source.lexically_normal().lexically_relative(folder.lexically_normal());
  return name.empty() ? source : name;
}

}  // namespace

std::vector<std::string> shared_object_options() {
  const std::string include = fs::absolute(find_resources().include).string();
  return {"-std=c++20",
          "-O3",
          "-fPIC",
          "-shared",
          "-fvisibility=hidden",
          "-Wl,--build-id=none",  // the same code is the same bytes
          "-I" + include,
          "-ffile-prefix-map=" + include + "=tunecheck-include"};
}

Result<Artifact> compile_shared_object(const Toolchain& toolchain,
                                       const SharedObjectRequest& request) {
  TUNECHECK_TRY(const TemporaryFolder temporary, TemporaryFolder::create("tunecheck-compile"));
  const fs::path object = temporary.path() / "kernel.so";
  const fs::path folder = fs::absolute(request.folder.empty() ? "." : request.folder);
  CommandOptions command;
  command.folder = folder;
  command.environment = compiler_environment(temporary.path());
  command.time_limit = request.time_limit;
  command.arguments = {toolchain.compiler().string()};
  for (const auto& options : {shared_object_options(), request.options})
    command.arguments.insert(command.arguments.end(), options.begin(), options.end());
  command.arguments.insert(
      command.arguments.end(),
      {"-o", object.string(), name_in_folder(request.source, folder).string()});
  TUNECHECK_TRY(const CommandResult run, run_command(command));
  if (!run.end.success()) return failure(complaint(run));
  auto bytes = read_binary_file(object);
  if (!bytes) return failure("the compiler succeeded but wrote no shared object");
  return Artifact{std::move(*bytes)};
}

Result<Artifact> compile_reference(const Toolchain& toolchain, const KernelDefinition& kernel) {
  return compile_shared_object(
      toolchain, {kernel.folder, fs::absolute(kernel.reference), {}, default_compile_time_limit});
}

}  // namespace tunecheck
