#include "cli/out_file.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

Result<void> refuse(const std::string& out, std::string expected) {
  return failure(Error{ErrorKind::bad_input, std::move(expected), out, 0, "--out"});
}

// A pipe with a name that nobody reads would keep the command waiting for ever.
bool is_pipe_that_nobody_reads(const std::string& file) {
  std::error_code unknown;
  if (!fs::is_fifo(file, unknown)) return false;
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  // It stays open until the program ends: to the reader, closing it would be the report's end.
  return descriptor < 0 && errno == ENXIO;
}

fs::path whole(const fs::path& path) {
  std::error_code unknown;
  const fs::path found = fs::weakly_canonical(fs::absolute(path), unknown);
  return (unknown ? fs::absolute(path) : found).lexically_normal();
}

// Whether `folder` is `inner`, or above it.
bool has(const fs::path& folder, const fs::path& inner) {
  return std::mismatch(folder.begin(), folder.end(), inner.begin(), inner.end()).first ==
         folder.end();
}

}  // namespace

Result<void> check_out_file(const std::string& out, const std::vector<std::string>& sources,
                            const std::string& what) {
  if (out.empty()) return {};
  if (is_pipe_that_nobody_reads(out))
    return refuse(out,
                  "expected a file, or a pipe that another program reads; nobody reads this one");
  for (const std::string& file : sources) {
    std::error_code unknown;
    // A device is not replaced. A file may not be there yet.
    const bool is_same = fs::exists(out, unknown) ? fs::is_regular_file(out, unknown) &&
                                                        fs::equivalent(file, out, unknown)
                                                  : whole(file) == whole(out);
    if (is_same) return refuse(out, "expected another file than the " + what + " is made of");
  }
  return {};
}

Result<void> check_can_write(const std::string& out, const std::vector<fs::path>& made) {
  if (out.empty()) return {};
  std::error_code unknown;
  const fs::file_status there = fs::status(out, unknown);
  if (fs::is_directory(there)) return refuse(out, "expected a file, found a folder");
  if (fs::exists(there) && !fs::is_regular_file(there)) return {};
  const fs::path folder = whole(out).parent_path();
  if (!fs::exists(folder, unknown)) {
    const bool will_be = std::any_of(
        made.begin(), made.end(), [&](const fs::path& each) { return has(folder, whole(each)); });
    if (will_be) return {};
    return refuse(out, "expected a file in a folder that exists; there is no " + folder.string());
  }
  if (!fs::is_directory(folder, unknown))
    return refuse(out, "expected a file in a folder; " + folder.string() + " is none");
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    return refuse(out, "expected a file in a folder that can be written to");
  return {};
}

}  // namespace tunecheck::cli
