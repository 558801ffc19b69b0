#include <atomic>
#include <chrono>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/digest.hpp"
#include "core/files.hpp"
#include "observe/evidence.hpp"
#include "observe/file_digest.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

class Snapshot : public testing::Test {
 protected:
  void put(const std::string& path, const std::string& content) {
    fs::create_directories((root / path).parent_path());
    ASSERT_TRUE(write_file(root / path, content).has_value());
  }
  TemporaryFolder folder = TemporaryFolder::create("tunecheck-snapshot").value();
  fs::path root = folder.path() / "cache";
  void SetUp() override { fs::create_directories(root); }
};

TEST_F(Snapshot, lists_files_by_path_with_size_mode_and_digest) {
  put("b/two", "second");
  put("a", "first");
  fs::permissions(root / "a", fs::perms(0640));
  const auto snapshot = take_snapshot(root);
  ASSERT_TRUE(snapshot.has_value());
  ASSERT_EQ(snapshot->files.size(), 2u);
  EXPECT_EQ(snapshot->files[0].path, "a");
  EXPECT_EQ(snapshot->files[0].size, 5u);
  EXPECT_EQ(snapshot->files[0].mode, 0640u);
  EXPECT_EQ(snapshot->files[0].digest, artifact_digest("first"));
  EXPECT_EQ(snapshot->files[1].path, "b/two");
  EXPECT_EQ(snapshot->files[1].digest, artifact_digest("second"));
}

TEST_F(Snapshot, digests_files_longer_than_one_read) {
  const std::string content(300'001, 'x');
  put("long", content);
  EXPECT_EQ(take_snapshot(root)->files.at(0).digest, artifact_digest(content));
}

TEST_F(Snapshot, a_file_of_terabytes_is_digested_by_what_lies_in_it) {
  const auto truncated = [&](off_t size) {
    return ::truncate((root / "index").c_str(), size) == 0;
  };
  put("index", "data");
  if (!truncated(off_t{1} << 40)) GTEST_SKIP() << "this file system has no file of 1 TiB";
  const auto digest = [&] { return take_snapshot(root)->files.at(0).digest; };
  const std::string first = digest();
  EXPECT_EQ(digest(), first);
  EXPECT_NE(first, "");
  ASSERT_TRUE(truncated((off_t{1} << 40) + 1));
  const std::string longer = digest();
  EXPECT_NE(longer, first) << "its size";
  const FileDescriptor file(::open((root / "index").c_str(), O_WRONLY | O_CLOEXEC));
  ASSERT_EQ(::pwrite(file.get(), "x", 1, off_t{1} << 39), 1);
  const std::string more = digest();
  EXPECT_NE(more, longer) << "one byte in the middle";
  ASSERT_EQ(::pwrite(file.get(), "y", 1, off_t{1} << 39), 1);
  EXPECT_NE(digest(), more) << "another byte there";
}

TEST_F(Snapshot, a_file_that_takes_more_than_its_limit_is_digested_by_its_ends_and_times) {
  constexpr std::uint64_t limit = 8 << 20;
  const std::string content(12 << 20, 'x');
  put("large", content);
  const auto digest = [&] { return file_digest(root / "large", limit); };
  const std::string first = digest();
  EXPECT_EQ(digest(), first);
  EXPECT_NE(first, "");
  EXPECT_NE(first, artifact_digest(content));
  EXPECT_EQ(file_digest(root / "large"), artifact_digest(content));
  const FileDescriptor file(::open((root / "large").c_str(), O_WRONLY | O_CLOEXEC));
  for (const off_t at : {off_t{0}, off_t{6} << 20, (off_t{12} << 20) - 1}) {
    const std::string before = digest();
    ASSERT_EQ(::pwrite(file.get(), "y", 1, at), 1);
    EXPECT_NE(digest(), before) << at;
  }
}

TEST_F(Snapshot, a_link_in_place_of_the_folder_is_not_followed) {
  fs::remove(root);
  fs::create_directory_symlink("/usr", root);
  const auto snapshot = take_snapshot(root);
  ASSERT_FALSE(snapshot);
  EXPECT_EQ(snapshot.error().message, "expected a folder, found a symbolic link");
}

TEST_F(Snapshot, finds_an_artifact_behind_something_else_in_its_file) {
  const std::string artifact = "\177ELF and its code";
  put("alone", artifact);
  put("behind", "a line\n" + artifact);
  put("none", "a line\n");
  const auto snapshot = take_snapshot(root);
  ASSERT_TRUE(snapshot.has_value());
  const std::string digest = artifact_digest(artifact);
  EXPECT_EQ(snapshot->files[0].embedded, "");
  EXPECT_TRUE(snapshot->files[0].holds(digest));
  EXPECT_EQ(snapshot->files[1].embedded, digest);
  EXPECT_TRUE(snapshot->files[1].holds(digest));
  EXPECT_FALSE(snapshot->files[2].holds(digest));
  EXPECT_FALSE(snapshot->files[2].holds(""));
}

// What stands before it would be a file of its own.
TEST_F(Snapshot, an_artifact_behind_more_than_64_kib_is_not_looked_for) {
  const std::string artifact = "ELF and its code";
  put("far", std::string(65'536, ' ') + artifact);
  put("near", std::string(65'500, ' ') + artifact);
  const auto snapshot = take_snapshot(root);
  ASSERT_TRUE(snapshot.has_value());
  EXPECT_EQ(snapshot->files[0].embedded, "");
  EXPECT_EQ(snapshot->files[1].embedded, artifact_digest(artifact));
}

TEST_F(Snapshot, symbolic_links_are_listed_but_not_followed) {
  put("../outside/secret", "elsewhere");
  fs::create_symlink("../outside", root / "folder");
  fs::create_symlink("nowhere", root / "dangling");
  const auto snapshot = take_snapshot(root);
  ASSERT_TRUE(snapshot.has_value());
  ASSERT_EQ(snapshot->files.size(), 2u);
  EXPECT_EQ(snapshot->files[0].path, "dangling");
  EXPECT_EQ(snapshot->files[0].digest, artifact_digest("nowhere"));
  EXPECT_EQ(snapshot->files[1].path, "folder");
}

TEST_F(Snapshot, a_named_pipe_does_not_stop_it) {
  put("a", "first");
  ASSERT_EQ(::mkfifo((root / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(take_snapshot(root)->files.size(), 1u);
}

TEST_F(Snapshot, a_missing_folder_is_an_error) {
  EXPECT_FALSE(take_snapshot(root / "missing").has_value());
  EXPECT_EQ(listing_digest(root / "missing"), "");
}

TEST_F(Snapshot, files_and_folders_that_vanish_meanwhile_are_left_out) {
  put("kept", "content");
  put("last/kept", "content");
  std::atomic<bool> stop{false};
  std::thread churn([&] {
    // Many at once: a listing then holds names of folders that are gone when it comes to them.
    while (!stop) {
      std::error_code ignored;
      for (int index = 0; index < 100; ++index) {
        const fs::path busy = root / ("folder" + std::to_string(index));
        fs::create_directories(busy, ignored);
        if (index % 8 == 0) (void)write_file(busy / "file", std::string_view("content"));
      }
      for (int index = 0; index < 100; ++index)
        fs::remove_all(root / ("folder" + std::to_string(index)), ignored);
    }
  });
  for (int round = 0; round < 500; ++round) {
    // Lets the other thread in: a folder cannot be changed while it is being listed.
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    const auto snapshot = take_snapshot(root);
    EXPECT_TRUE(snapshot.has_value()) << snapshot.error().text();
    if (!snapshot) break;
    std::vector<std::string> paths;
    for (const FileRecord& file : snapshot->files)
      paths.push_back(file.path);
    EXPECT_EQ(std::count(paths.begin(), paths.end(), "kept"), 1);
    EXPECT_EQ(std::count(paths.begin(), paths.end(), "last/kept"), 1);
    EXPECT_NE(listing_digest(root), "");
  }
  stop = true;
  churn.join();
}

TEST_F(Snapshot, the_listing_digest_tells_names_and_sizes_apart_and_nothing_else) {
  put("a", "first");
  put("sub/b", "second");
  const std::string digest = listing_digest(root);
  EXPECT_EQ(digest.size(), 16u);
  EXPECT_EQ(listing_digest(root), digest);
  put("a", "FIRST");
  EXPECT_EQ(listing_digest(root), digest);
  put("a", "longer");
  EXPECT_NE(listing_digest(root), digest);
  put("a", "first");
  EXPECT_EQ(listing_digest(root), digest);
  fs::rename(root / "sub" / "b", root / "sub" / "c");
  EXPECT_NE(listing_digest(root), digest);
}

TEST_F(Snapshot, an_empty_folder_has_a_listing_digest) {
  EXPECT_NE(listing_digest(root), "");
}

}  // namespace
}  // namespace tunecheck
