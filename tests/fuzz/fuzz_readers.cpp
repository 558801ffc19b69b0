// tunecheck-fuzz --reader=NAME [corpus folders] [libFuzzer's options]: gives the reader files that
// libFuzzer makes. A crash, a leak, an error of a sanitizer, a second's work or a message without
// an end is a bug. ci/fuzz runs all readers.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "../readers/readers.hpp"
#include "core/files.hpp"

namespace {

using tunecheck::test::Reader;
using tunecheck::test::readers;

constexpr std::string_view option = "--reader=";
constexpr std::size_t longest_message = 4096;

const Reader* chosen = nullptr;

const std::filesystem::path& place() {
  static const auto folder = tunecheck::TemporaryFolder::create("tunecheck-fuzz").value();
  return folder.path();
}

}  // namespace

// Takes its own option away from those that libFuzzer reads.
extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  std::string name;
  int kept = 0;
  for (int i = 0; i < *count; ++i) {
    const std::string_view argument = (*arguments)[i];
    if (argument == "--list") {
      for (const Reader& reader : readers())
        std::puts(reader.name.c_str());
      std::exit(0);
    }
    if (argument.starts_with(option))
      name = argument.substr(option.size());
    else
      (*arguments)[kept++] = (*arguments)[i];
  }
  *count = kept;
  const auto found = std::find_if(readers().begin(), readers().end(),
                                  [&](const Reader& reader) { return reader.name == name; });
  if (found == readers().end()) {
    std::fprintf(stderr, "tunecheck-fuzz: expected --reader=NAME, one of --list\n");
    std::exit(3);
  }
  chosen = &*found;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = place() / chosen->file_name;
  if (!tunecheck::write_file(file, std::as_bytes(std::span(data, size)))) std::abort();
  if (chosen->read(file).size() > longest_message) std::abort();
  return 0;
}
