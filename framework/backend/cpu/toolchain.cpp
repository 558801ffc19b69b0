#include "backend/cpu/toolchain.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>

#include <boost/interprocess/file_mapping.hpp>
#include <boost/interprocess/mapped_region.hpp>
#include <sys/stat.h>

#include "core/command.hpp"
#include "core/digest.hpp"
#include "core/files.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

// Tells whether a file is still the one that was looked at.
using Stamp = std::tuple<dev_t, ino_t, off_t, time_t, long>;

std::optional<Stamp> stamp_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return Stamp(status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
               status.st_mtim.tv_nsec);
}

// Mapped, because compilers are tens of megabytes.
Result<std::string> digest_of_file(const fs::path& path) {
  namespace ipc = boost::interprocess;
  try {
    const ipc::file_mapping file(path.c_str(), ipc::read_only);
    const ipc::mapped_region region(file, ipc::read_only);
    return key_digest({static_cast<const char*>(region.get_address()), region.get_size()});
  } catch (const ipc::interprocess_exception& error) {
    return failure(ErrorKind::machine, "cannot read the compiler {}: {}", path.string(),
                   error.what());
  }
}

Result<std::string> ask(const fs::path& compiler, const std::string& question) {
  CommandOptions command;
  command.arguments = {compiler.string(), question};
  command.environment = current_environment();
  command.environment->insert_or_assign("LC_ALL", std::string("C"));
  TUNECHECK_TRY(const CommandResult answer, run_command(command));
  if (!answer.end.success())
    return failure(ErrorKind::machine, "the compiler {} does not answer {}: {}", compiler.string(),
                   question, answer.end.text());
  return answer.output;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

bool is_gcc(const std::string& version) {
  return version.find("Free Software Foundation") != version.npos;
}

// The version text without what depends on where the compiler lies: GCC begins with the name it was
// called by, Clang names folders. A configuration file counts by its content.
std::string without_paths(const std::string& version) {
  if (is_gcc(version)) return version.substr(std::min(version.find(' '), version.size()));
  constexpr std::string_view configuration = "Configuration file: ";
  std::string kept;
  for (std::size_t at = 0; at < version.size();) {
    const std::size_t end = std::min(version.find('\n', at), version.size());
    std::string line = version.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("InstalledDir:")) continue;
    if (line.starts_with(configuration))
      line = read_text_file(line.substr(configuration.size())).value_or("");
    kept += line + '\n';
  }
  return kept;
}

// The program that turns source into machine code; the compiler's own file where it does not say.
Result<fs::path> compiling_program(const fs::path& compiler, bool gcc) {
  TUNECHECK_TRY(const std::string answer,
                ask(compiler, gcc ? "-print-prog-name=cc1plus" : "-print-prog-name=clang"));
  const fs::path named = first_line(answer);
  std::error_code error;
  return named.is_absolute() && fs::is_regular_file(named, error) ? named : compiler;
}

struct Identity {
  std::string fingerprint;
  std::string version_line;
  fs::path program;
};

Result<Identity> identify(const fs::path& compiler) {
  TUNECHECK_TRY(const std::string version, ask(compiler, "--version"));
  Identity identity;
  identity.version_line = first_line(version);
  TUNECHECK_TRY(identity.program, compiling_program(compiler, is_gcc(version)));
  TUNECHECK_TRY(const std::string content, digest_of_file(identity.program));
  std::error_code error;
  const auto size = fs::file_size(identity.program, error);
  const std::string text = without_paths(version);
  const std::string line = first_line(text);
  identity.fingerprint = fmt::format("{}{} [{}]", is_gcc(version) ? "gcc" : "", line,
                                     key_digest(fmt::format("{}\n{}\n{}", text, size, content)));
  return identity;
}

struct Known {
  std::optional<Stamp> compiler, program;
  Identity identity;
};

Result<Identity> identity_of(const fs::path& compiler) {
  static std::mutex mutex;
  static std::map<fs::path, Known> known;
  // Held while the compiler is asked, so that threads that start together ask once.
  const std::lock_guard lock(mutex);
  const std::optional<Stamp> stamp = stamp_of(compiler);
  if (const auto found = known.find(compiler);
      found != known.end() && found->second.compiler == stamp &&
      found->second.program == stamp_of(found->second.identity.program))
    return found->second.identity;
  TUNECHECK_TRY(Identity identity, identify(compiler));
  known[compiler] = {stamp, stamp_of(identity.program), identity};
  return identity;
}

}  // namespace

Result<Toolchain> Toolchain::find() {
  if (const char* const named = std::getenv("TUNECHECK_CXX"); named != nullptr && *named != '\0') {
    const fs::path program = find_program(named);
    if (program.empty())
      return failure(
          "no C++ compiler: TUNECHECK_CXX is \"{}\", which is not a program; correct it, or unset "
          "it "
          "and install g++ or clang++",
          named);
    return Toolchain(fs::absolute(program));
  }
  for (const char* const name : {"c++", "g++", "clang++"})
    if (const fs::path program = find_program(name); !program.empty())
      return Toolchain(fs::absolute(program));
  return failure(ErrorKind::machine,
                 "no C++ compiler: set TUNECHECK_CXX or install g++ or clang++");
}

Result<std::string> Toolchain::fingerprint() const {
  return identity_of(m_compiler).map([](const Identity& identity) { return identity.fingerprint; });
}

Result<std::string> Toolchain::version_line() const {
  return identity_of(m_compiler).map([](const Identity& identity) {
    return identity.version_line;
  });
}

}  // namespace tunecheck
