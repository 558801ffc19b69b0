#include "core/files.hpp"

#include <array>
#include <atomic>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/mapped_file.hpp"
#include "ordinary_user.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Files : public testing::Test {
 protected:
  fs::path path(const std::string& name) const { return m_folder.path() / name; }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(m_folder.path()))
      all.push_back(entry.path().filename().string());
    return all;
  }

 private:
  TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-test-files").value();
};

TEST_F(Files, what_is_written_is_read) {
  using namespace std::string_literals;
  const std::string text = "a\0b\n"s;
  ASSERT_TRUE(write_file(path("a"), text));
  EXPECT_EQ(read_text_file(path("a")), text);
  ASSERT_TRUE(write_file(path("a"), "x"));
  EXPECT_EQ(read_binary_file(path("a"))->size(), 1U);
  ASSERT_TRUE(write_file_atomically(path("a"), text));
  EXPECT_EQ(read_text_file(path("a")), text);
  ASSERT_TRUE(write_file_atomically(path("a"), ""));
  EXPECT_EQ(read_text_file(path("a")), "");
}

TEST_F(Files, a_file_that_is_not_there_or_no_file_is_an_error_with_its_name) {
  EXPECT_EQ(read_text_file(path("none")).error().text(),
            path("none").string() + ": cannot read: No such file or directory");
  EXPECT_EQ(read_text_file(path("")).error().text(),
            path("").string() + ": expected a regular file");
  EXPECT_FALSE(write_file(path("no/folder"), "x"));
  EXPECT_FALSE(write_file_atomically(path("no/folder"), "x"));
}

TEST_F(Files, a_fifo_is_refused_and_not_waited_for) {
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  EXPECT_THAT(read_text_file(path("fifo")).error().text(), HasSubstr("expected a regular file"));
}

TEST_F(Files, a_reader_of_an_atomically_written_file_sees_one_content_or_the_other) {
  const std::string contents[] = {std::string(300000, 'a'), std::string(200000, 'b')};
  ASSERT_TRUE(write_file_atomically(path("a"), contents[0]));
  std::atomic<bool> done = false;
  std::atomic<int> reads = 0;
  std::atomic<int> torn = 0;
  std::thread reader([&] {
    while (!done) {
      const auto seen = read_text_file(path("a"));
      if (!seen || (*seen != contents[0] && *seen != contents[1])) ++torn;
      ++reads;
    }
  });
  for (int i = 0; i < 50 || reads < 50; ++i)
    if (const auto written = write_file_atomically(path("a"), contents[i % 2]); !written)
      ADD_FAILURE() << written.error().text();
  done = true;
  reader.join();
  EXPECT_EQ(torn, 0);
}

TEST_F(Files, two_writers_of_one_file_do_not_disturb_each_other) {
  std::vector<std::thread> writers;
  for (const char letter : {'a', 'b', 'c'})
    writers.emplace_back([&, letter] {
      for (int i = 0; i < 20; ++i)
        if (!write_file_atomically(path("a"), std::string(1000, letter))) ADD_FAILURE();
    });
  for (std::thread& writer : writers)
    writer.join();
  EXPECT_THAT(names(), testing::ElementsAre("a"));
  const std::string left = read_text_file(path("a")).value();
  EXPECT_EQ(left, std::string(1000, left[0]));
}

TEST_F(Files, an_atomic_write_that_fails_leaves_nothing_behind) {
  ASSERT_TRUE(create_folders(path("a/b")));
  const auto written = write_file_atomically(path("a"), "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().text(), path("a").string() + ": cannot write: Is a directory");
  EXPECT_THAT(names(), testing::ElementsAre("a"));
}

TEST_F(Files, an_atomic_write_replaces_a_symbolic_link_and_not_what_it_points_at) {
  ASSERT_TRUE(write_file(path("target"), "old"));
  fs::create_symlink("target", path("link"));
  ASSERT_TRUE(write_file_atomically(path("link"), "new"));
  EXPECT_EQ(read_text_file(path("target")), "old");
  EXPECT_EQ(read_text_file(path("link")), "new");
}

TEST_F(Files, an_output_goes_to_where_a_symbolic_link_leads) {
  ASSERT_TRUE(write_file(path("a"), "old"));
  fs::create_symlink("a", path("link"));
  ASSERT_TRUE(write_output(path("link"), "new"));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_text_file(path("a")), "new");
}

TEST_F(Files, an_output_takes_no_place_of_a_symbolic_link_that_leads_nowhere) {
  fs::create_symlink("nowhere/a", path("link"));
  const auto written = write_output(path("link"), "new");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::bad_input);
  EXPECT_EQ(written.error().text(), path("link").string() +
                                        ": expected a link to a file; it leads to nowhere/a: No "
                                        "such file or directory");
  EXPECT_TRUE(fs::is_symlink(path("link")));
}

TEST_F(Files, all_of_an_open_file_is_read_from_a_byte_on) {
  ASSERT_TRUE(write_file(path("a"), "0123456789"));
  const FileDescriptor file(::open(path("a").c_str(), O_RDONLY | O_CLOEXEC));
  std::array<std::byte, 8> bytes{};
  EXPECT_EQ(read_all(file.get(), bytes), 8U);
  EXPECT_EQ(bytes[7], std::byte('7'));
  EXPECT_EQ(read_all(file.get(), bytes, 7), 3U) << "the file ends";
  EXPECT_EQ(bytes[0], std::byte('7'));
  EXPECT_EQ(read_all(-1, bytes), std::nullopt);
}

TEST_F(Files, an_output_is_written_into_a_pipe_that_stays_one) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const FileDescriptor reader(::open(path("pipe").c_str(), O_RDWR | O_NONBLOCK));
  ASSERT_TRUE(write_output(path("pipe"), "text"));
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  char got[5] = {};
  EXPECT_EQ(::read(reader.get(), got, 4), 4);
  EXPECT_STREQ(got, "text");
}

TEST_F(Files, an_atomic_write_gives_the_mode_that_the_umask_leaves) {
  const mode_t before = ::umask(027);
  const auto written = write_file_atomically(path("a"), "x");
  ::umask(before);
  ASSERT_TRUE(written);
  EXPECT_EQ(fs::status(path("a")).permissions(), static_cast<fs::perms>(0640));
}

TEST_F(Files, an_output_keeps_the_mode_of_the_file_that_it_replaces) {
  ASSERT_TRUE(write_output(path("a"), "old"));
  fs::permissions(path("a"), static_cast<fs::perms>(0600));
  fs::create_symlink("a", path("link"));
  for (const char* const name : {"a", "link"}) {
    ASSERT_TRUE(write_output(path(name), "new"));
    EXPECT_EQ(fs::status(path("a")).permissions(), static_cast<fs::perms>(0600)) << name;
  }
}

TEST_F(Files, a_read_only_file_in_a_writable_folder_is_replaced) {
  ASSERT_TRUE(write_file(path("a"), "old"));
  fs::permissions(path("a"), fs::perms::owner_read);
  ASSERT_TRUE(write_file_atomically(path("a"), "new"));
  EXPECT_EQ(read_text_file(path("a")), "new");
}

TEST_F(Files, a_read_only_folder_is_an_error_that_says_so) {
  fs::permissions(path(""), static_cast<fs::perms>(0555));
  EXPECT_TRUE(test::as_ordinary_user([&] {
    const auto written = write_file_atomically(path("a"), "x");
    return !written && written.error().message == "cannot write: Permission denied";
  }));
}

TEST_F(Files, folders_are_created_with_their_parents) {
  ASSERT_TRUE(create_folders(path("a/b/c")));
  EXPECT_TRUE(create_folders(path("a/b/c")));
  ASSERT_TRUE(write_file(path("f"), ""));
  EXPECT_THAT(create_folders(path("f/g")).error().text(), HasSubstr("cannot create the folder"));
}

TEST_F(Files, a_mapping_and_the_file_are_one) {
  ASSERT_TRUE(write_file(path("a"), "hello"));
  const auto first = MappedFile::open(path("a"));
  const auto second = MappedFile::open(path("a"));
  ASSERT_TRUE(first && second);
  ASSERT_EQ(first->bytes().size(), 5U);
  first->bytes()[0] = std::byte{'J'};
  EXPECT_EQ(second->bytes()[0], std::byte{'J'});
  EXPECT_EQ(read_text_file(path("a")), "Jello");
  EXPECT_FALSE(MappedFile::open(path("none")));
}

TEST(TemporaryFolder, is_private_and_goes_with_its_content) {
  fs::path path;
  {
    const auto folder = TemporaryFolder::create("tunecheck-test");
    ASSERT_TRUE(folder);
    path = folder->path();
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    EXPECT_THAT(path.filename().string(), testing::StartsWith("tunecheck-test."));
    ASSERT_TRUE(create_folders(path / "a/b"));
    ASSERT_TRUE(write_file(path / "a/b/c", "x"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, goes_even_where_a_step_made_a_part_of_it_read_only) {
  EXPECT_TRUE(test::as_ordinary_user([] {
    fs::path path;
    {
      const auto folder = TemporaryFolder::create("tunecheck-test");
      if (!folder || !create_folders(folder->path() / "a/b")) return false;
      path = folder->path();
      if (!write_file(path / "a/b/c", "x")) return false;
      fs::permissions(path / "a/b", fs::perms::none);
      fs::permissions(path / "a", fs::perms::owner_read);
      fs::permissions(path, fs::perms::owner_read | fs::perms::owner_exec);
    }
    return !fs::exists(path);
  }));
}

TEST(TemporaryFolder, does_not_follow_symbolic_links_when_it_goes) {
  const auto outside = TemporaryFolder::create("tunecheck-test-outside");
  ASSERT_TRUE(outside && write_file(outside->path() / "kept", "x"));
  {
    const auto folder = TemporaryFolder::create("tunecheck-test");
    ASSERT_TRUE(folder);
    fs::create_directory_symlink(outside->path(), folder->path() / "link");
  }
  EXPECT_TRUE(fs::exists(outside->path() / "kept"));
}

TEST(TemporaryFolder, belongs_to_the_one_it_was_moved_to) {
  auto first = TemporaryFolder::create("tunecheck-test").value();
  const fs::path path = first.path();
  {
    const TemporaryFolder second = std::move(first);
    EXPECT_EQ(second.path(), path);
    EXPECT_TRUE(fs::exists(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(FileDescriptor, closes_itself_once) {
  int number = -1;
  {
    FileDescriptor file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    ASSERT_TRUE(file.valid());
    number = file.get();
    const FileDescriptor moved = std::move(file);
    EXPECT_EQ(moved.get(), number);
  }
  EXPECT_EQ(::fcntl(number, F_GETFD), -1);
}

// In a folder that several machines share, a process of another one may have this number, too.
TEST_F(Files, an_atomic_write_goes_past_temporary_files_of_the_same_name) {
  for (int number = 0; number < 2000; number += 2)
    ASSERT_TRUE(write_file(path(fmt::format(".x.{}.{}.tmp", ::getpid(), number)),
                           std::string_view("another machine's")));
  for (int i = 0; i < 4; ++i)
    ASSERT_TRUE(write_file_atomically(path("x"), std::string_view("text")));
  EXPECT_EQ(read_text_file(path("x")).value(), "text");
}

}  // namespace
}  // namespace tunecheck
