#include "core/libraries/elf_file.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "core/files.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;

// A library that every program here has.
fs::path some_library() {
  Dl_info place{};
  const auto* const function = reinterpret_cast<const void*>(&::getenv);
  return ::dladdr(function, &place) != 0 ? fs::canonical(place.dli_fname) : fs::path();
}

TEST(ElfFile, says_its_name_what_it_needs_and_what_it_has) {
  const auto read = ElfFile::read(some_library());
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->soname, "libc.so.6");
  EXPECT_THAT(read->needed, testing::Contains(testing::StartsWith("ld-linux")));
  EXPECT_THAT(read->symbols, testing::Contains("getenv"));
  EXPECT_THAT(read->symbols, testing::Not(testing::Contains("__tls_get_addr")));  // of the loader
}

TEST(ElfFile, has_the_build_id_where_it_says) {
  const fs::path library = some_library();
  const auto read = ElfFile::read(library);
  ASSERT_TRUE(read) << read.error().text();
  if (read->build_id.empty()) GTEST_SKIP() << "this C library has none";
  const std::string content = read_text_file(library).value();
  std::string there;
  for (const char each :
       std::string_view(content).substr(read->build_id_offset, read->build_id.size() / 2))
    there += fmt::format("{:02x}", static_cast<unsigned char>(each));
  EXPECT_EQ(there, read->build_id);
}

TEST(ElfFile, that_is_cut_off_or_none_is_an_error) {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-test-elf").value();
  const fs::path file = folder.path() / "library.so";
  const std::string content = read_text_file(some_library()).value();
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{10}, std::size_t{64}, std::size_t{4096}, content.size() / 2}) {
    ASSERT_TRUE(write_file(file, std::string_view(content).substr(0, size)));
    EXPECT_FALSE(ElfFile::read(file)) << size;
    EXPECT_EQ(is_cut_off(file), size >= 4096) << size;  // less is no library
  }
  ASSERT_TRUE(write_file(file, content));
  EXPECT_FALSE(is_cut_off(file));
  EXPECT_FALSE(is_cut_off(folder.path()));
  EXPECT_FALSE(is_cut_off(folder.path() / "none"));
  EXPECT_FALSE(ElfFile::read(folder.path()));
  EXPECT_FALSE(ElfFile::read(folder.path() / "none"));
}

TEST(ElfFile, that_is_a_fifo_is_an_error_and_is_not_waited_for) {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-test-elf").value();
  const fs::path fifo = folder.path() / "library.so";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_FALSE(ElfFile::read(fifo));
  EXPECT_FALSE(is_cut_off(fifo));
}

TEST(ElfFile, with_damaged_headers_is_an_error_or_what_it_says) {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-test-elf").value();
  const fs::path file = folder.path() / "library.so";
  const std::string content = read_text_file(some_library()).value();
  ASSERT_TRUE(write_file(file, content));
  std::fstream damaged(file, std::ios::in | std::ios::out | std::ios::binary);
  const auto put = [&](std::size_t at, char byte) {
    damaged.seekp(static_cast<std::streamoff>(at));
    damaged.put(byte).flush();
  };
  constexpr std::size_t headers = 64 + 8 * 56;
  for (std::size_t at = 0; at < headers; ++at) {
    put(at, static_cast<char>(~content[at]));
    (void)ElfFile::read(file);
    put(at, content[at]);
  }
  EXPECT_TRUE(ElfFile::read(file));
}

TEST(BuildId, is_found_among_other_notes_and_never_outside) {
  const auto note = [](std::uint32_t type, const std::string& name, const std::string& content) {
    std::string bytes;
    for (const std::uint32_t number : {static_cast<std::uint32_t>(name.size()),
                                       static_cast<std::uint32_t>(content.size()), type})
      bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    return bytes + name + content;
  };
  const std::string gnu("GNU\0", 4);
  const std::string notes = note(1, gnu, "abcdefgh") + note(3, gnu, "\x01\x02\x03\xff");
  EXPECT_EQ(build_id_in(notes).id, "010203ff");
  EXPECT_EQ(build_id_in(notes).offset, notes.size() - 4);
  for (std::size_t size = 0; size < notes.size(); ++size)
    EXPECT_EQ(build_id_in(std::string_view(notes).substr(0, size)).id, "") << size;
  EXPECT_EQ(build_id_in(note(3, std::string("XXX\0", 4), "abcd")).id, "");
}

}  // namespace
}  // namespace tunecheck::test
