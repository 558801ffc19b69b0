// What is believed of a cache folder, what is not, and how it mends.
#include "tuner/store/folder_store.hpp"

#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/digest.hpp"
#include "probe_kernel.hpp"
#include "tuner/store/entry_format.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class FolderStoreTest : public testing::Test {
 protected:
  CallReport call() {
    ProbeTensors tensors;
    CallReport report = fresh_call(m_backend, m_folder.request(), tensors, cache()).value();
    EXPECT_TRUE(tensors.hold_one_launch());
    return report;
  }
  void SetUp() override { ASSERT_EQ(call().cache, CacheUse::miss); }

  // Stale with the reason, tuned again, and whole from then on.
  void expect_stale_and_healed(const std::string& reason) {
    const CallReport report = call();
    EXPECT_EQ(report.cache, CacheUse::stale);
    EXPECT_THAT(report.message, HasSubstr(reason));
    EXPECT_GT(report.compiles, 0);
    EXPECT_EQ(report.warnings, std::vector<std::string>());
    EXPECT_EQ(call().cache, CacheUse::hit);
  }

  fs::path cache() const { return m_home.path() / "cache"; }
  fs::path only_file(const std::string& extension) const {
    fs::path found;
    int count = 0;
    for (const auto& file : fs::recursive_directory_iterator(cache()))
      if (file.path().extension() == extension) {
        found = file.path();
        ++count;
      }
    EXPECT_EQ(count, 1) << extension;
    return found;
  }
  static void flip_byte(const fs::path& file, std::size_t at) {
    auto bytes = read_binary_file(file).value();
    bytes.at(at) ^= std::byte{0x20};
    must(write_file(file, bytes));
  }

  TemporaryFolder m_home = TemporaryFolder::create("tunecheck-store").value();
  ProbeFolder m_folder;
  FunctionBackend m_backend{run_probe};
};

TEST_F(FolderStoreTest, an_entry_and_its_artifact_are_all_there_is) {
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(cache())) {
    if (entry.is_directory())
      EXPECT_EQ(entry.status().permissions(), fs::perms::owner_all) << entry.path();
    else
      ++files;
  }
  EXPECT_EQ(files, 2U);
  EXPECT_EQ(only_file(".so").stem(), artifact_digest(read_binary_file(only_file(".so")).value()));
}

TEST_F(FolderStoreTest, a_folder_that_was_moved_is_as_good) {
  fs::rename(cache(), m_home.path() / "moved");
  fs::create_symlink(m_home.path() / "moved", cache());
  EXPECT_EQ(call().cache, CacheUse::hit);
}

TEST_F(FolderStoreTest, a_torn_entry_is_stale) {
  fs::resize_file(only_file(".json"), fs::file_size(only_file(".json")) / 2);
  expect_stale_and_healed("does not match");
}

TEST_F(FolderStoreTest, an_empty_entry_is_stale) {
  fs::resize_file(only_file(".json"), 0);
  expect_stale_and_healed("format");
}

TEST_F(FolderStoreTest, a_changed_entry_is_stale) {
  std::string text = read_text_file(only_file(".json")).value();
  const std::size_t at = text.find("\"block\": ") + 9;
  text[at] = text[at] == '1' ? '2' : '1';
  must(write_file(only_file(".json"), text));
  expect_stale_and_healed("digest of the entry");
}

TEST_F(FolderStoreTest, an_entry_of_another_key_under_this_name_is_stale) {
  Entry entry = parse_entry(read_text_file(only_file(".json")).value()).value();
  std::vector<KeyValue> values = entry.key.values();
  for (KeyValue& value : values)
    if (value.axis == "arch") value.value = "other";
  entry.key = Key(values);
  must(write_file(only_file(".json"), to_json_text(entry)));
  expect_stale_and_healed("arch");
}

TEST_F(FolderStoreTest, a_changed_artifact_is_stale) {
  flip_byte(only_file(".so"), 30);
  expect_stale_and_healed("SHA-256");
}

TEST_F(FolderStoreTest, a_torn_artifact_is_stale) {
  fs::resize_file(only_file(".so"), 5);
  expect_stale_and_healed("bytes");
}

TEST_F(FolderStoreTest, a_missing_artifact_is_stale) {
  fs::remove(only_file(".so"));
  expect_stale_and_healed("missing");
}

TEST_F(FolderStoreTest, symbolic_links_are_not_followed) {
  for (const char* const extension : {".json", ".so"}) {
    const fs::path file = only_file(extension);
    fs::rename(file, m_home.path() / "elsewhere");
    fs::create_symlink(m_home.path() / "elsewhere", file);
    expect_stale_and_healed(file.filename().string() + " is a symbolic link");
    EXPECT_FALSE(fs::is_symlink(file));
  }
  const fs::path folder = only_file(".so").parent_path();
  fs::rename(folder, m_home.path() / "folder");
  fs::create_directory_symlink(m_home.path() / "folder", folder);
  expect_stale_and_healed("is a symbolic link or not a folder");
}

TEST_F(FolderStoreTest, what_others_may_write_is_not_believed) {
  for (const char* const extension : {".json", ".so"}) {
    ASSERT_EQ(::chmod(only_file(extension).c_str(), 0660), 0);
    expect_stale_and_healed("can be written by other users");
  }
  for (fs::path folder = only_file(".so").parent_path(); folder != cache();
       folder = folder.parent_path()) {
    ASSERT_EQ(::chmod(folder.c_str(), 0770), 0);
    expect_stale_and_healed("can be written by other users");
  }
}

TEST_F(FolderStoreTest, a_cache_folder_that_others_may_write_is_refused_visibly) {
  ASSERT_EQ(::chmod(cache().c_str(), 0777), 0);
  const CallReport report = call();
  EXPECT_EQ(report.cache, CacheUse::stale);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_THAT(report.warnings[0], HasSubstr("can be written by other users"));
  ASSERT_EQ(::chmod(cache().c_str(), 01777), 0);  // sticky: as the temporary folder is
  EXPECT_EQ(call().cache, CacheUse::hit);
}

TEST_F(FolderStoreTest, what_belongs_to_another_user_is_not_believed) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  ASSERT_EQ(::chown(only_file(".json").c_str(), 12345, 12345), 0);
  expect_stale_and_healed("belongs to another user (12345)");
  ASSERT_EQ(::chown(only_file(".so").c_str(), 12345, 12345), 0);
  expect_stale_and_healed("belongs to another user (12345)");
}

TEST_F(FolderStoreTest, a_pipe_in_place_of_a_file_does_not_block) {
  const fs::path file = only_file(".json");
  fs::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  expect_stale_and_healed("not a regular file");
}

TEST_F(FolderStoreTest, a_winner_that_cannot_be_stored_is_a_warning_and_the_call_is_right) {
  // A file where the folder should be stops root as well.
  fs::remove_all(cache());
  must(write_file(cache(), std::string_view("in the way")));
  struct Listening : TunerObserver {
    int warnings = 0;
    void on_warning(const std::string&) override { ++warnings; }
  };
  const auto observer = std::make_shared<Listening>();
  TunerParts parts = TunerParts::standard();
  parts.observer = observer;
  const ProbeTensors tensors;
  const CallReport report =
      fresh_call(m_backend, m_folder.request(), tensors, cache(), parts).value();
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_THAT(report.message, HasSubstr("the winner could not be stored"));
  EXPECT_EQ(observer->warnings, 1);
  EXPECT_TRUE(tensors.hold_one_launch());
}

TEST_F(FolderStoreTest, a_read_only_folder_is_a_warning) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::remove_all(cache());
  fs::create_directory(cache());
  fs::permissions(cache(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(call().warnings.size(), 1U);
}

TEST_F(FolderStoreTest, the_winner_is_stored_before_the_first_launch_that_counts) {
  fs::remove_all(cache());
  const pid_t tuner = ::getpid();
  bool stored = false;
  FunctionBackend backend([&](const Config& config, const LaunchArguments& arguments) {
    if (::getpid() == tuner)
      stored = fs::exists(cache()) && !only_file(".json").empty() && !only_file(".so").empty();
    return run_probe(config, arguments);
  });
  EXPECT_TRUE(fresh_call(backend, m_folder.request(), ProbeTensors(), cache()).has_value());
  EXPECT_TRUE(stored);
}

TEST_F(FolderStoreTest, a_new_winner_leaves_nothing_of_the_old_one) {
  const fs::path old_artifact = only_file(".so");
  flip_byte(only_file(".json"), 40);
  m_backend.elapsed_ns = [&](const Config& config) -> std::int64_t {
    return old_artifact.stem() == artifact_digest("function artifact " + to_string(config)) ? 1000
                                                                                            : 10;
  };
  expect_stale_and_healed("entry");
  EXPECT_NE(only_file(".so"), old_artifact);
}

TEST_F(FolderStoreTest, winners_of_two_toolchains_live_side_by_side) {
  m_backend.toolchain = "toolchain 2";
  EXPECT_EQ(call().cache, CacheUse::miss);
  m_backend.toolchain = "toolchain 1";
  EXPECT_EQ(call().cache, CacheUse::hit);
  m_backend.toolchain = "toolchain 2";
  EXPECT_EQ(call().cache, CacheUse::hit);
}

TEST_F(FolderStoreTest, without_a_toolchain_the_newest_whole_entry_is_used) {
  m_backend.toolchain = "toolchain 2";
  EXPECT_EQ(call().cache, CacheUse::miss);
  m_backend.toolchain.reset();
  EXPECT_EQ(call().cache, CacheUse::hit);
  fs::path newest;
  for (const auto& file : fs::recursive_directory_iterator(cache()))
    if (file.path().extension() == ".json" &&
        (newest.empty() || file.last_write_time() > fs::last_write_time(newest)))
      newest = file.path();
  fs::resize_file(newest, 10);
  EXPECT_EQ(call().cache, CacheUse::hit);
}

TEST_F(FolderStoreTest, without_a_toolchain_and_without_an_entry_the_error_says_so) {
  m_backend.toolchain.reset();
  const auto report = fresh_call(m_backend, m_folder.request(), ProbeTensors(2), cache());
  ASSERT_FALSE(report.has_value());
  EXPECT_THAT(report.error().message, HasSubstr("no compiler"));
}

TEST_F(FolderStoreTest, a_kernel_name_cannot_leave_the_folder) {
  const FolderStore store(cache());
  const Key key(std::vector<KeyValue>{{"kernel", "../../evil"}});
  EXPECT_EQ(store.folder_of(key).lexically_normal().parent_path().parent_path(), cache() / "v1");
}

}  // namespace
}  // namespace tunecheck::test
