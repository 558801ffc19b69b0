// Which CPU a session gets, and that no two sessions get the same one.
#include "gate/measure/cpu_lease.hpp"

#include <csignal>
#include <set>
#include <unistd.h>

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "core/command.hpp"
#include "core/resources.hpp"

namespace tunecheck::gate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr double idle = 0, busy = 0.6;

// A machine of so many CPUs, all idle, with `threads` of them per core, as neighbours.
std::vector<CpuState> machine(int cpus, int threads = 1) {
  std::vector<CpuState> states;
  for (int number = 0; number < cpus; ++number) {
    CpuState state{number, idle, {}, idle};
    const int first = number / threads * threads;
    for (int sibling = first; sibling < first + threads; ++sibling)
      state.core.push_back(sibling);
    states.push_back(state);
  }
  return states;
}

void work_on(int cpu, std::vector<CpuState>& machine) {
  machine[static_cast<std::size_t>(cpu)].busy = busy;
  for (const int sibling : machine[static_cast<std::size_t>(cpu)].core)
    machine[static_cast<std::size_t>(sibling)].core_busy = busy;
}

std::vector<int> order_of(const std::vector<CpuState>& cpus) {
  std::vector<int> numbers;
  for (const CpuState& cpu : by_preference(cpus))
    numbers.push_back(cpu.number);
  return numbers;
}

// Only CPUs that are really here can be pinned to: tests that lock are about these.
std::vector<CpuState> here() {
  std::vector<CpuState> cpus = watch_cpus({}).value();
  for (CpuState& cpu : cpus)
    cpu.core = {cpu.number};
  return cpus;
}

class CpuLeases : public testing::Test {
 protected:
  const std::filesystem::path& locks() const { return m_folder.path(); }

 private:
  TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-test-cpus").value();
};

TEST(CpuStates, come_from_the_ticks_between_two_looks) {
  const std::string before =
      "cpu  0 0 0 0\ncpu0 100 0 100 1000 0 0 0 0 9 9\ncpu1 10 0 10 2000 50 0 0 0\n"
      "cpu2 5 5 5 5 5 5 5 5\nintr 12\n";
  const std::string after =
      "cpu  0 0 0 0\ncpu0 140 0 120 1040 0 0 0 0 99 99\ncpu1 10 0 10 2050 100 0 0 0\n"
      "cpu2 5 5 5 5 5 5 5 5\nintr 99\n";
  const auto states = cpu_states({0, 1, 2}, before, after, {"0-1", "0,1", ""});
  EXPECT_THAT(states, ElementsAre(CpuState{0, 0.6, {0, 1}, 0.6}, CpuState{1, 0, {0, 1}, 0.6},
                                  CpuState{2, 0, {2}, 0}));
}

TEST(CpuStates, of_a_core_whose_other_cpu_is_forbidden_count_what_that_one_does) {
  const std::string before = "cpu3 0 0 0 0\ncpu7 0 0 0 0\n";
  const std::string after = "cpu3 0 0 0 100\ncpu7 100 0 0 0\n";
  EXPECT_THAT(cpu_states({3}, before, after, {"3,7"}), ElementsAre(CpuState{3, 0, {3, 7}, 1}));
}

TEST(CpuPreference, is_the_last_idle_core_then_the_least_busy) {
  EXPECT_THAT(order_of(machine(4)), ElementsAre(3, 2, 1, 0));
  std::vector<CpuState> cpus = machine(4, 2);
  work_on(3, cpus);
  EXPECT_THAT(order_of(cpus), ElementsAre(1, 0, 2, 3));
}

TEST_F(CpuLeases, of_two_sessions_have_two_cpus) {
  const std::vector<CpuState> cpus = here();
  if (cpus.size() < 2) GTEST_SKIP() << "there is one CPU";
  const CpuLease one = CpuLease::take(cpus, locks());
  const CpuLease other = CpuLease::take(cpus, locks());
  EXPECT_TRUE(one.is_locked());
  EXPECT_TRUE(other.is_locked());
  EXPECT_NE(one.cpu(), other.cpu());
  EXPECT_THAT(one.text(), testing::EndsWith("; no other session uses it"));
}

TEST_F(CpuLeases, beyond_the_last_free_cpu_are_shared_and_say_so) {
  const std::vector<CpuState> cpus = here();
  std::vector<CpuLease> leases;
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    leases.push_back(CpuLease::take(cpus, locks()));
    EXPECT_TRUE(leases.back().is_locked());
  }
  const CpuLease shared = CpuLease::take(cpus, locks());
  EXPECT_TRUE(shared.has_cpu());
  EXPECT_FALSE(shared.is_locked());
  EXPECT_THAT(shared.text(), HasSubstr("other sessions have taken every CPU"));
  leases.clear();
  EXPECT_TRUE(CpuLease::take(cpus, locks()).is_locked());
}

TEST_F(CpuLeases, take_a_whole_core_while_there_is_one) {
  // One core of two CPUs, of which one alone may be used here.
  std::vector<CpuState> cpus = {here().front()};
  constexpr int sibling = CPU_SETSIZE - 1;
  cpus[0].core = {cpus[0].number, sibling};
  const CpuLease whole = CpuLease::take(cpus, locks());
  EXPECT_THAT(whole.text(), HasSubstr("no other session uses its core (CPUs "));
  std::vector<CpuState> of_sibling = cpus;
  of_sibling[0].core = {sibling};
  EXPECT_FALSE(CpuLease::take(of_sibling, locks()).is_locked());
}

TEST_F(CpuLeases, take_a_cpu_alone_where_its_core_is_shared) {
  std::vector<CpuState> cpus = {here().front()};
  constexpr int sibling = CPU_SETSIZE - 1;
  std::vector<CpuState> neighbour = cpus;
  neighbour[0].core = {sibling};
  const CpuLease next_door = CpuLease::take(neighbour, locks());
  cpus[0].core = {cpus[0].number, sibling};
  const CpuLease alone = CpuLease::take(cpus, locks());
  EXPECT_TRUE(alone.is_locked());
  EXPECT_THAT(alone.text(), HasSubstr("but one may use its core"));
}

TEST_F(CpuLeases, on_a_machine_without_an_idle_cpu_take_the_least_busy) {
  std::vector<CpuState> cpus = here();
  for (CpuState& cpu : cpus)
    cpu.busy = cpu.core_busy = 0.9;
  cpus.front().busy = cpus.front().core_busy = 0.5;
  const CpuLease lease = CpuLease::take(cpus, locks());
  EXPECT_EQ(lease.cpu(), cpus.front().number);
  EXPECT_THAT(lease.text(), HasSubstr("the least busy, but at work 50 % of the time"));
}

TEST_F(CpuLeases, without_a_folder_for_locks_go_on_and_say_why) {
  const CpuLease lease = CpuLease::take(here(), "/dev/null/locks");
  EXPECT_TRUE(lease.has_cpu());
  EXPECT_FALSE(lease.is_locked());
  EXPECT_THAT(lease.text(), HasSubstr("could not be locked: cannot open /dev/null/locks/cpu"));
}

// A session of another user must see that the CPU is taken.
TEST_F(CpuLeases, can_be_seen_by_every_user_whatever_the_umask) {
  const std::filesystem::path folder = locks() / "new";
  const mode_t before = ::umask(077);
  const CpuLease lease = CpuLease::take({here().front()}, folder);
  ::umask(before);
  using std::filesystem::perms;
  EXPECT_EQ(std::filesystem::status(folder).permissions(), perms::all | perms::sticky_bit);
  const auto file = folder / ("cpu" + std::to_string(lease.cpu()));
  EXPECT_EQ(std::filesystem::status(file).permissions() & perms::others_read, perms::others_read);
}

TEST_F(CpuLeases, without_a_cpu_pin_nothing) {
  const CpuLease lease = CpuLease::take({}, locks());
  EXPECT_FALSE(lease.has_cpu());
  EXPECT_THAT(lease.text(), StartsWith("processes were not pinned"));
}

TEST_F(CpuLeases, are_not_left_to_programs_that_the_session_starts) {
  CommandOptions sleeping;
  sleeping.arguments = {"sleep", "60"};
  std::optional<CpuLease> lease = CpuLease::take({here().front()}, locks());
  ASSERT_TRUE(lease->is_locked());
  LineProcess child = LineProcess::start(sleeping, locks() / "log").value();
  lease.reset();
  EXPECT_TRUE(CpuLease::take({here().front()}, locks()).is_locked());
  (void)child.wait(std::chrono::milliseconds(0));
}

// Sessions in processes of their own, all at once: each says which CPU it has, and waits.
struct OtherSession {
  pid_t process = -1;
  FileDescriptor says;
  int cpu = -1;
  bool is_locked = false;

  OtherSession(const std::vector<CpuState>& cpus, const std::filesystem::path& locks) {
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0) throw std::runtime_error(last_system_error());
    process = ::fork();
    if (process == 0) {
      const CpuLease lease = CpuLease::take(cpus, locks);
      const int said[2] = {lease.cpu(), lease.is_locked() ? 1 : 0};
      if (::write(ends[1], said, sizeof said) != sizeof said) ::_exit(1);
      ::pause();
      ::_exit(0);
    }
    ::close(ends[1]);
    says = FileDescriptor(ends[0]);
  }
  void listen() {
    int said[2] = {-1, 0};
    if (::read(says.get(), said, sizeof said) == sizeof said) {
      cpu = said[0];
      is_locked = said[1] == 1;
    }
  }
  void kill() const {
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
  }
};

TEST_F(CpuLeases, of_sessions_at_once_are_of_different_cpus_and_end_with_a_killed_one) {
  const std::vector<CpuState> cpus = here();
  std::vector<OtherSession> sessions;
  for (std::size_t i = 0; i < cpus.size() + 1; ++i)
    sessions.emplace_back(cpus, locks());
  std::multiset<int> locked;
  for (OtherSession& session : sessions) {
    session.listen();
    EXPECT_GE(session.cpu, 0);
    if (session.is_locked) locked.insert(session.cpu);
  }
  EXPECT_EQ(locked.size(), cpus.size());
  EXPECT_EQ(std::set<int>(locked.begin(), locked.end()).size(), cpus.size());
  EXPECT_FALSE(CpuLease::take(cpus, locks()).is_locked());
  for (const OtherSession& session : sessions)
    session.kill();
  EXPECT_TRUE(CpuLease::take(cpus, locks()).is_locked());
}

}  // namespace
}  // namespace tunecheck::gate
