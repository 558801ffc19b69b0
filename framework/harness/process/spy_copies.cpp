#include "harness/process/spy_copies.hpp"

#include <fmt/format.h>

#include "core/files.hpp"
#include "core/libraries/elf_file.hpp"

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

namespace {

// What is installed need not be writable, and then neither is its copy.
Result<void> replace_content(const fs::path& copy, std::string_view content) {
  std::error_code error;
  fs::permissions(copy, fs::perms::owner_write, fs::perm_options::add, error);
  return write_file(copy, content);
}

}  // namespace

// A loader does not look at what stands behind the last section.
Result<fs::path> rebuilt_copy_of_spy(const fs::path& spy, const fs::path& folder) {
  TUNECHECK_TRY(fs::path copy, copy_of_spy(spy, folder / "rebuilt"));
  TUNECHECK_TRY(std::string content, read_text_file(copy));
  content += "another build";
  TUNECHECK_CHECK(replace_content(copy, content));
  return copy;
}

Result<fs::path> copy_of_spy_with_another_build_id(const fs::path& spy, const fs::path& folder) {
  TUNECHECK_TRY(fs::path copy, copy_of_spy(spy, folder / "other"));
  const auto library = ElfFile::read(copy);
  if (!library || library->build_id.empty()) return copy;
  TUNECHECK_TRY(std::string content, read_text_file(copy));
  char& first = content.at(library->build_id_offset);
  first = static_cast<char>(~first);
  TUNECHECK_CHECK(replace_content(copy, content));
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
