#include "harness/process/spy_copies.hpp"

#include <fmt/format.h>

#include "core/files.hpp"

namespace tunecheck {

namespace fs = std::filesystem;

Result<fs::path> copy_of_spy(const fs::path& spy, const fs::path& folder) {
  const fs::path copy = folder / spy.filename();
  TUNECHECK_CHECK(create_folders(folder));
  std::error_code error;
  fs::remove(copy, error);  // one of an earlier session, to which links may lead
  if (!error) fs::copy_file(spy, copy, error);
  if (error)
    return failure(
        Error{ErrorKind::machine, "cannot copy the spy: " + error.message(), copy.string(), 0, {}});
  return copy;
}

// A loader does not look at what stands behind the last section.
Result<fs::path> rebuilt_copy_of_spy(const fs::path& spy, const fs::path& folder) {
  TUNECHECK_TRY(fs::path copy, copy_of_spy(spy, folder / "rebuilt"));
  TUNECHECK_TRY(std::string content, read_text_file(copy));
  content += "another build";
  // What is installed need not be writable, and then neither is its copy.
  std::error_code error;
  fs::permissions(copy, fs::perms::owner_write, fs::perm_options::add, error);
  TUNECHECK_CHECK(write_file(copy, content));
  return copy;
}

Result<void> make_rebuilt_programs(const fs::path& folder, const fs::path& real_compiler) {
  TUNECHECK_CHECK(create_folders(folder));
  for (const char* const name : {"cc1plus", "cc1", "clang"}) {
    const fs::path program = folder / name;
    TUNECHECK_CHECK(write_file(
        program,
        fmt::format("#!/bin/sh\n# Another build.\nexec \"$('{}' -print-prog-name={})\" \"$@\"\n",
                    real_compiler.string(), name)));
    std::error_code error;
    fs::permissions(program, fs::perms::owner_all, error);
  }
  return {};
}

}  // namespace tunecheck
