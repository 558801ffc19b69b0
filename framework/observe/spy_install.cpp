#include <cerrno>
#include <unistd.h>

#include "core/command.hpp"
#include "core/files.hpp"
#include "observe/spy_settings.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

fs::path absolute_or_empty(const fs::path& path) {
  return path.empty() ? path : fs::absolute(path).lexically_normal();
}

// The compiler as an absolute path; empty where there is none. A library need not be executable.
fs::path real_compiler(const fs::path& named, const fs::path& spy) {
  if (spy.extension() != ".so") return absolute_or_empty(find_program(named.string()));
  std::error_code error;
  return fs::is_regular_file(named, error) ? absolute_or_empty(named) : fs::path();
}

Result<void> replace_link(const fs::path& target, const fs::path& link) {
  const fs::path temporary = fmt::format("{}.{}.new", link.string(), ::getpid());
  std::error_code error;
  fs::remove(temporary, error);
  // A hard link where that can be: a tuner that asks for the real path of its compiler is told this
  // name, which has the settings beside it.
  fs::create_hard_link(target, temporary, error);
  if (error) fs::create_symlink(target, temporary, error);
  if (!error) fs::rename(temporary, link, error);
  if (!error) return {};
  std::error_code ignored;
  fs::remove(temporary, ignored);
  return failure(Error{
      ErrorKind::machine, "cannot install the spy: " + error.message(), link.string(), 0, {}});
}

}  // namespace

Result<void> install_spy(const fs::path& link, const fs::path& spy_program,
                         const SpySettings& settings) {
  if (!is_spy_mode(settings.mode))
    return failure("unknown mode \"{}\"; expected one of: {}", settings.mode, spy_modes());
  if (settings.evidence.empty()) return failure("a spy needs a file for its evidence");
  SpySettings absolute = settings;
  absolute.real_compiler = real_compiler(settings.real_compiler, spy_program);
  absolute.evidence = absolute_or_empty(settings.evidence);
  absolute.store = absolute_or_empty(settings.store);
  absolute.workspace = absolute_or_empty(settings.workspace);
  absolute.programs = absolute_or_empty(settings.programs);
  std::error_code error;
  if (absolute.real_compiler.empty())
    return failure(Error{ErrorKind::machine,
                         "no such compiler, or not executable",
                         settings.real_compiler.string(),
                         0,
                         {}});
  if (!fs::exists(spy_program, error))
    return failure(
        Error{ErrorKind::machine, "the spy itself is missing", spy_program.string(), 0, {}});
  if (fs::equivalent(absolute.real_compiler, spy_program, error))
    return failure(Error{ErrorKind::machine,
                         "the real compiler is a spy already",
                         absolute.real_compiler.string(),
                         0,
                         {}});
  const fs::file_status status = fs::symlink_status(link, error);
  const bool is_spy = fs::exists(status) && fs::equivalent(link, spy_program, error);
  // One of another session, which linked to a copy of its own.
  const bool was_spy = fs::exists(spy_settings_file(link), error);
  if (fs::exists(status) && !fs::is_symlink(status) && !is_spy && !was_spy)
    return failure(Error{
        ErrorKind::machine, "will not replace a file that is not a link", link.string(), 0, {}});
  TUNECHECK_CHECK(write_file_atomically(spy_settings_file(link), to_text(absolute)));
  if (is_spy) return {};
  return replace_link(fs::canonical(spy_program, error), link);
}

}  // namespace tunecheck
