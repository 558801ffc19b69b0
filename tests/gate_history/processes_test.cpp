// Several processes at one history, and processes that are killed amid their work.
#include <chrono>
#include <csignal>
#include <functional>
#include <set>
#include <thread>
#include <unistd.h>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <sys/wait.h>

#include "gate/history/history.hpp"
#include "stored_runs.hpp"

namespace tunecheck::test {
namespace {

using namespace history;
using testing::Each;
using testing::SizeIs;

// Starts a process that does this and ends with status 0 where it returned true.
pid_t start(const std::function<bool()>& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work() ? 0 : 1);
  return child;
}

int status_of(pid_t child) {
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

// Each run with how many of its three sample sets are there.
std::map<std::string, int> stored(const Place& place) {
  const Contents contents = place.open().read().value();
  std::map<std::int64_t, std::string> started;
  std::map<std::string, int> sets;
  for (const StoredRun& run : contents.runs) {
    started[run.id] = run.started;
    sets[run.started] = 0;
  }
  for (const Point& point : contents.points)
    ++sets[started.at(point.run)];
  return sets;
}

bool add_minutes(const std::filesystem::path& file, int first, int count) {
  for (int i = first; i < first + count; ++i) {
    auto history = History::open_or_create(file);
    if (!history || !history->add(run_of_minute(i))) return false;
  }
  return true;
}

void expect_that_writers_lose_nothing(int writers) {
  const Place place;
  constexpr int runs_each = 12;
  std::vector<pid_t> children;
  for (int i = 0; i < writers; ++i)
    children.push_back(start([&] { return add_minutes(place.file(), 100 * i, runs_each); }));
  for (const pid_t child : children)
    EXPECT_EQ(status_of(child), 0);
  const auto sets = stored(place);
  EXPECT_THAT(sets, SizeIs(writers * runs_each));
  EXPECT_THAT(sets, Each(testing::Pair(testing::_, 3)));
}

TEST(Processes, two_that_write_at_once_lose_nothing) {
  expect_that_writers_lose_nothing(2);
}

TEST(Processes, eight_that_write_at_once_lose_nothing) {
  expect_that_writers_lose_nothing(8);
}

// Adds run after run, and tells the pipe of each that is stored.
bool add_and_tell(const std::filesystem::path& file, int first, int pipe) {
  auto history = History::open_or_create(file);
  for (int i = first; history && i < first + 1000; ++i) {
    if (!history->add(run_of_minute(i))) return false;
    if (::write(pipe, &i, sizeof i) != sizeof i) return false;
  }
  return false;
}

// The minutes that a process told to have stored before it was killed.
std::vector<int> killed_after(const Place& place, int first, std::chrono::microseconds time) {
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0) throw std::runtime_error(last_system_error());
  const FileDescriptor reading(ends[0]);
  FileDescriptor writing(ends[1]);
  const pid_t child = start([&] { return add_and_tell(place.file(), first, writing.get()); });
  writing.reset();
  std::this_thread::sleep_for(time);
  ::kill(child, SIGKILL);
  EXPECT_EQ(WTERMSIG(status_of(child)), SIGKILL);
  std::vector<int> told;
  for (int minute = 0; ::read(reading.get(), &minute, sizeof minute) == sizeof minute;)
    told.push_back(minute);
  return told;
}

TEST(Processes, one_killed_at_any_moment_loses_nothing_that_was_stored) {
  const Place place;
  std::set<std::string> told;
  int most = 0;
  for (int round = 0; round < 80; ++round) {
    const auto minutes = killed_after(place, 1000 * round, std::chrono::microseconds(997 * round));
    for (const int minute : minutes)
      told.insert(run_of_minute(minute).started);
    most = std::max(most, static_cast<int>(minutes.size()));
    const auto sets = stored(place);
    EXPECT_THAT(sets, Each(testing::Pair(testing::_, 3)));
    for (const std::string& started : told)
      EXPECT_TRUE(sets.contains(started)) << started;
    // What was stored in the very moment may not have been told.
    EXPECT_LE(sets.size(), told.size() + static_cast<std::size_t>(round) + 1);
  }
  EXPECT_GT(most, 1) << "every process was killed before it began";
  EXPECT_EQ(
      SQLite::Database(place.file().string()).execAndGet("PRAGMA integrity_check").getString(),
      "ok");
}

}  // namespace
}  // namespace tunecheck::test
