// Every way in which an entry and its artifact can be cut or altered by one bit, and kills at any
// moment while they are written.
#include <array>
#include <csignal>
#include <fcntl.h>
#include <random>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>

#include "core/digest.hpp"
#include "probe_kernel.hpp"
#include "tuner/store/entry_format.hpp"
#include "tuner/store/folder_store.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;

class SmallEntry : public testing::Test {
 protected:
  static Entry entry_of(const Artifact& artifact, std::int64_t block) {
    return {key(),
            {{"block", block}},
            artifact_digest(artifact.bytes),
            artifact.bytes.size(),
            {{{{"block", block}}, "", 10.5, 10, 11, 7}, {{{"block", 64}}, "signal 11", 0, 0, 0, 0}},
            1,
            "0"};
  }
  static Key key() {
    return Key({{"kernel", "small", false}, {"arch", "a", false}, {"toolchain", "t", true}});
  }
  static Artifact artifact_of(char letter) {
    Artifact artifact;
    artifact.bytes.assign(150, static_cast<std::byte>(letter));
    return artifact;
  }
  static void expect_same(const Found& found, const Entry& entry, const Artifact& artifact) {
    EXPECT_EQ(found.artifact.bytes, artifact.bytes);
    EXPECT_EQ(found.entry.winner, entry.winner);
    EXPECT_EQ(found.entry.trials, entry.trials);
    EXPECT_EQ(found.entry.created_ns, entry.created_ns);
  }
  Found find() {
    FunctionBackend backend(run_probe);
    const TuneRequest request = m_folder.request();
    const TunerOptions options;
    const BoundFacts facts{};
    return m_store.find(key(), {backend, request, options, facts, nullptr});
  }

  // Whatever is not the bytes that were written is stale with a reason, or reads as what was
  // written ("E" for "e" in a number).
  void expect_harmless(const fs::path& file, std::span<const std::byte> bytes,
                       const std::string& what) {
    must(write_file(file, bytes));
    const Found found = find();
    if (found.state == Found::State::hit)
      expect_same(found, entry_of(artifact_of('x'), 1), artifact_of('x'));
    else
      EXPECT_FALSE(found.reason.empty()) << what;
  }

  void damage_everywhere(const fs::path& file) {
    const std::vector<std::byte> whole = read_binary_file(file).value();
    for (std::size_t length = 0; length < whole.size(); ++length)
      expect_harmless(file, std::span(whole).first(length), fmt::format("cut at {}", length));
    for (std::size_t at = 0; at < whole.size(); ++at)
      for (int bit = 0; bit < 8; ++bit) {
        std::vector<std::byte> changed = whole;
        changed[at] ^= static_cast<std::byte>(1 << bit);
        expect_harmless(file, changed, fmt::format("bit {} of byte {}", bit, at));
      }
    must(write_file(file, whole));
    EXPECT_EQ(find().state, Found::State::hit);
  }

  TemporaryFolder m_home = TemporaryFolder::create("tunecheck-damage").value();
  fs::path m_cache = m_home.path() / "cache";
  ProbeFolder m_folder;
  FolderStore m_store{m_cache};
};

TEST_F(SmallEntry, is_never_believed_when_it_is_cut_or_altered_anywhere) {
  const Artifact artifact = artifact_of('x');
  ASSERT_TRUE(m_store.put(entry_of(artifact, 1), artifact));
  ASSERT_EQ(find().state, Found::State::hit);
  damage_everywhere(m_store.file_of(key()));
  damage_everywhere(m_store.folder_of(key()) / (entry_of(artifact, 1).artifact_digest + ".so"));
}

TEST_F(SmallEntry, of_another_format_version_is_stale_and_replaced) {
  const Artifact artifact = artifact_of('x');
  ASSERT_TRUE(m_store.put(entry_of(artifact, 1), artifact));
  std::string text = read_text_file(m_store.file_of(key())).value();
  const std::string first = fmt::format("tunecheck-entry-{} ", entry_format);
  ASSERT_TRUE(text.starts_with(first));
  text.replace(0, first.size(), fmt::format("tunecheck-entry-{} ", entry_format + 1));
  must(write_file(m_store.file_of(key()), text));
  EXPECT_EQ(find().state, Found::State::stale);
  EXPECT_THAT(find().reason, testing::HasSubstr("format"));
  ASSERT_TRUE(m_store.put(entry_of(artifact, 1), artifact));
  EXPECT_EQ(find().state, Found::State::hit);
}

// A child replaces one entry by the other without an end and is killed at any moment.
TEST_F(SmallEntry, is_the_old_or_the_new_one_after_a_kill_at_any_moment) {
  const std::array artifacts = {artifact_of('x'), artifact_of('y')};
  ASSERT_TRUE(m_store.put(entry_of(artifacts[0], 0), artifacts[0]));
  std::mt19937 random(1);
  std::uniform_int_distribution<useconds_t> moment_us(0, 3000);
  for (int kill = 0; kill < 300; ++kill) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0)
      for (std::size_t i = 0;; ++i)
        (void)m_store.put(entry_of(artifacts[i % 2], static_cast<std::int64_t>(i % 2)),
                          artifacts[i % 2]);
    ::usleep(moment_us(random));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const Found found = find();
    ASSERT_EQ(found.state, Found::State::hit) << found.reason;
    const auto which = static_cast<std::size_t>(found.entry.winner.at("block"));
    expect_same(found, entry_of(artifacts.at(which), found.entry.winner.at("block")),
                artifacts.at(which));
  }
}

// What real limits of a process do to the store; each in a child of its own.
template <class Body>
int in_child(const Body& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    // What it throws must not let it go on with the other tests.
    try {
      ::_exit(body());
    } catch (...) {
      ::_exit(99);
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_F(SmallEntry, that_exceeds_the_file_size_limit_is_reported_and_not_torn) {
  const Artifact old_artifact = artifact_of('x');
  ASSERT_TRUE(m_store.put(entry_of(old_artifact, 0), old_artifact));
  EXPECT_EQ(in_child([&] {
              ::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{100, 100};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              const Artifact artifact = artifact_of('y');
              return m_store.put(entry_of(artifact, 1), artifact) ? 1 : 0;
            }),
            0);
  const Found found = find();
  ASSERT_EQ(found.state, Found::State::hit) << found.reason;
  expect_same(found, entry_of(old_artifact, 0), old_artifact);
}

TEST_F(SmallEntry, cannot_be_stored_without_file_handles_and_that_is_reported) {
  EXPECT_EQ(in_child([&] {
              const rlimit limit{3, 3};
              ::setrlimit(RLIMIT_NOFILE, &limit);
              const Artifact artifact = artifact_of('y');
              return m_store.put(entry_of(artifact, 1), artifact) ? 1 : 0;
            }),
            0);
  EXPECT_EQ(find().state, Found::State::miss);
}

}  // namespace
}  // namespace tunecheck::test
