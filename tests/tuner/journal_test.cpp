// What is kept of a tuning that does not come to its end.
#include <csignal>
#include <fcntl.h>
#include <map>
#include <set>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <sys/wait.h>

#include "core/digest.hpp"
#include "probe_kernel.hpp"
#include "tuner/store/sealed_text.hpp"
#include "tuner/store/tuning_journal.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

class Journal : public testing::Test {
 protected:
  std::unique_ptr<TuningJournal> open(const std::string& kernel = "probe") {
    const FileDescriptor folder(::open(m_folder.path().c_str(), O_RDONLY | O_DIRECTORY));
    return open_journal(folder, "x.journal", Key({{"kernel", kernel, false}}));
  }
  std::size_t finished(const std::string& kernel = "probe") {
    return open(kernel)->finished().size();
  }
  fs::path file() const { return m_folder.path() / "x.journal"; }
  static Trial trial(std::int64_t block) { return {{{"block", block}}, "", 10.5, 10, 11, 7}; }
  void write_two() {
    const auto journal = open();
    journal->add(trial(1));
    journal->add({{{"block", 2}}, "signal 11", 0, 0, 0, 0});
  }

  TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-journal").value();
};

TEST_F(Journal, keeps_trials_as_they_were_and_for_the_next_one_too) {
  EXPECT_THAT(open()->finished(), IsEmpty());
  write_two();
  for (int i = 0; i < 2; ++i) {
    const auto journal = open();
    ASSERT_EQ(journal->finished().size(), 2U);
    EXPECT_EQ(journal->finished()[0], trial(1));
    EXPECT_EQ(journal->finished()[1].failure, "signal 11");
  }
  open()->remove();
  EXPECT_FALSE(fs::exists(file()));
}

TEST_F(Journal, of_another_key_is_not_believed) {
  write_two();
  EXPECT_EQ(finished("other"), 0U);
}

TEST_F(Journal, that_is_torn_counts_up_to_the_tear) {
  write_two();
  const std::string text = read_text_file(file()).value();
  const std::size_t first = text.find('\n') + 1;
  const std::size_t second = text.find('\n', first) + 1;
  for (std::size_t length = 0; length < text.size(); ++length) {
    must(write_file(file(), text.substr(0, length)));
    EXPECT_EQ(finished(), length >= second ? 1U : 0U) << length;
  }
}

TEST_F(Journal, with_any_bit_changed_counts_up_to_the_change) {
  write_two();
  const std::string text = read_text_file(file()).value();
  const std::size_t first = text.find('\n') + 1;
  const std::size_t second = text.find('\n', first) + 1;
  for (std::size_t at = 0; at < text.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = text;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      must(write_file(file(), changed));
      EXPECT_LE(finished(), at < first ? 0U : at < second ? 0U : 1U) << at << ' ' << bit;
    }
}

TEST_F(Journal, that_others_could_have_written_is_replaced) {
  write_two();
  ::chmod(file().c_str(), 0666);
  EXPECT_EQ(finished(), 0U);
  write_two();
  fs::rename(file(), m_folder.path() / "elsewhere");
  fs::create_symlink(m_folder.path() / "elsewhere", file());
  EXPECT_EQ(finished(), 0U);
  EXPECT_FALSE(fs::is_symlink(file()));
}

TEST_F(Journal, that_is_older_than_its_lifetime_is_not_believed) {
  write_two();
  std::string text = read_text_file(file()).value();
  auto body = nlohmann::json::parse(unsealed(text.substr(0, text.find('\n'))).value());
  const auto lifetime_ns = std::chrono::nanoseconds(journal_lifetime).count();
  body["created_ns"] = body["created_ns"].get<std::int64_t>() - lifetime_ns - 1;
  must(write_file(file(), sealed(body.dump()) + text.substr(text.find('\n'))));
  EXPECT_EQ(finished(), 0U);
}

TEST_F(Journal, that_cannot_be_written_is_none) {
  const FileDescriptor folder(::open("/proc", O_RDONLY | O_DIRECTORY));
  EXPECT_EQ(open_journal(folder, "x.journal", Key()), nullptr);
}

// Kills a tuning in its third config; then what a second one does is looked at.
class ResumedTuning : public testing::Test {
 protected:
  // Configs that were launched by trials: each trial adds a letter to a file.
  std::string launched() const { return read_text_file(log()).value_or(""); }
  fs::path log() const { return m_home.path() / "launches"; }
  fs::path cache() const { return m_home.path() / "cache"; }

  LaunchStatus run(const Config& config, const LaunchArguments& arguments) const {
    const FileDescriptor file(::open(log().c_str(), O_WRONLY | O_APPEND | O_CREAT, 0600));
    const std::string line = to_string(config) + "\n";
    (void)write_all(file.get(), std::as_bytes(std::span(line)));
    return run_probe(config, arguments);
  }

  void kill_in_the_third_config() {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const pid_t tuner = ::getpid();
      FunctionBackend backend([&](const Config& config, const LaunchArguments& arguments) {
        const LaunchStatus status = run(config, arguments);
        const std::string text = launched();
        std::set<std::string> configs;
        for (const std::string& word : lines_of(text))
          configs.insert(word);
        if (configs.size() == 3) ::kill(tuner, SIGKILL);
        return status;
      });
      const ProbeTensors tensors;
      (void)fresh_call(backend, m_folder.request(), tensors, cache());
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    // Its last trial dies with it, or soon after.
    ::usleep(50'000);
    m_before = launched();
    fs::remove(log());
  }

  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != text.npos; at = end + 1)
      lines.push_back(text.substr(at, end - at));
    return lines;
  }

  std::map<std::string, int> launches_of(const std::string& text) const {
    std::map<std::string, int> counts;
    for (const std::string& word : lines_of(text))
      ++counts[word];
    return counts;
  }

  TemporaryFolder m_home = TemporaryFolder::create("tunecheck-resume").value();
  ProbeFolder m_folder;
  std::string m_before;
};

TEST_F(ResumedTuning, measures_only_what_was_not_measured) {
  kill_in_the_third_config();
  FunctionBackend backend([&](const Config& config, const LaunchArguments& arguments) {
    return run(config, arguments);
  });
  const ProbeTensors tensors;
  const auto report = fresh_call(backend, m_folder.request(), tensors, cache());
  ASSERT_TRUE(report.has_value()) << report.error().text();
  EXPECT_TRUE(tensors.hold_one_launch());
  EXPECT_THAT(report->message, HasSubstr("2 of 4 configs had been measured"));
  EXPECT_EQ(report->compiles, 3);  // the best of those two, and the other two
  for (const Trial& trial : report->trials)
    EXPECT_TRUE(trial.measured()) << trial.failure;
  std::size_t measured_again = 0;
  const auto before = launches_of(m_before);
  for (const auto& [config, launches] : launches_of(launched()))
    if (before.contains(config) && launches > 3) ++measured_again;
  EXPECT_EQ(measured_again, 1U);  // the third, which was not finished
  for (const auto& file : fs::recursive_directory_iterator(cache()))
    EXPECT_NE(file.path().extension(), ".journal");
}

TEST_F(ResumedTuning, does_not_believe_a_journal_whose_best_config_is_wrong_now) {
  kill_in_the_third_config();
  FunctionBackend backend([&](const Config& config, const LaunchArguments& arguments) {
    const bool was_measured = launches_of(m_before).contains(to_string(config));
    return was_measured ? 5 : run(config, arguments);
  });
  const ProbeTensors tensors;
  const auto report = fresh_call(backend, m_folder.request(), tensors, cache());
  ASSERT_TRUE(report.has_value()) << report.error().text();
  EXPECT_TRUE(tensors.hold_one_launch());
  int failed = 0;
  for (const Trial& trial : report->trials)
    failed += trial.measured() ? 0 : 1;
  EXPECT_EQ(failed, 3);
}

}  // namespace
}  // namespace tunecheck::test
