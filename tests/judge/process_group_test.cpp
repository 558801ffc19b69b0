// Processes and calls at the same moment, kills and refusals, with the true adapter and a tiny
// kernel.
#include <csignal>

#include <gmock/gmock.h>

#include "harness/process/adapter_process.hpp"
#include "judge/run/session.hpp"
#include "scenario_folder.hpp"

namespace tunecheck::test {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

class ProcessGroups : public testing::Test {
 protected:
  ScenarioResult run(const std::string& steps, const std::string& adapter = "reference") {
    Catalogue catalogue;
    catalogue.kernels = m_folder.kernels();
    const std::vector<Scenario> scenarios = m_folder.scenarios(scenario_text(steps));
    catalogue.scenarios["test.toy"] = scenarios.at(0);
    RunOptions options;
    options.adapter = find_adapter(adapter).value();
    options.tasks.out = m_folder.path() / "out";
    options.tasks.jobs = 1;
    return run_scenarios(catalogue, {&catalogue.scenarios.at("test.toy")}, options)
        .value()
        .scenarios.at(0);
  }

  static std::string text_of(const ScenarioResult& result) {
    std::string text = result.message;
    for (const CheckResult& check : result.checks)
      if (check.verdict != Verdict::pass)
        text += fmt::format("\n{} {}: {}", name_of(check.verdict), check.check, check.observed);
    return text;
  }

  static std::vector<std::string> failed(const ScenarioResult& result) {
    std::vector<std::string> names;
    for (const CheckResult& check : result.checks)
      if (check.verdict == Verdict::fail) names.push_back(check.check);
    return names;
  }

  ScenarioFolder m_folder;
};

const std::string eight_processes = R"(
  parallel { repeat 8 { process p$repeat { call { expect { tuning.single_flight yes } } } } }
  process later { compiler poisoned  call { expect { cache hit  store.no_lost_entry p3 } } })";

TEST_F(ProcessGroups, tune_a_key_once) {
  const ScenarioResult one = run(eight_processes);
  EXPECT_EQ(one.verdict, Verdict::pass) << text_of(one);
  std::int64_t compiles = 0;
  for (const ProcessSummary& process : one.processes)
    compiles += process.compiles;
  EXPECT_EQ(compiles, 2);
  EXPECT_EQ(one.processes.size(), 9U);
}

TEST_F(ProcessGroups, are_seen_to_tune_twice) {
  const ScenarioResult one = run(eight_processes, "mutant:processes_tune_each");
  EXPECT_THAT(failed(one), Contains("tuning.single_flight")) << text_of(one);
}

const std::string eight_threads = R"(
  process p { parallel { repeat 8 { call { expect { tuning.single_flight yes } } } }
              call { expect { cache hit } } })";

TEST_F(ProcessGroups, calls_of_one_process_get_their_own_tensors_and_one_tuning) {
  const ScenarioResult one = run(eight_threads);
  EXPECT_EQ(one.verdict, Verdict::pass) << text_of(one);
  EXPECT_EQ(one.processes.at(0).compiles, 2);
}

TEST_F(ProcessGroups, threads_are_seen_to_tune_twice) {
  const ScenarioResult one = run(eight_threads, "mutant:threads_tune_each");
  EXPECT_THAT(failed(one), Contains("tuning.single_flight")) << text_of(one);
}

TEST_F(ProcessGroups, one_that_is_killed_leaves_the_key_to_the_others) {
  const ScenarioResult one = run(R"(
    parallel
    {
      process victim { compiler slow  kill compiles_1  call { expect { outcome killed } } }
      process waiter { waits_for victim  call { expect { waiter.never_hangs 5 } } }
    })");
  EXPECT_EQ(one.verdict, Verdict::pass) << text_of(one);
  EXPECT_EQ(one.processes.at(0).end.signal, SIGKILL);
}

// The second process takes longer for its first call, and both ask for another key at the barrier.
const std::string two_ranks = R"(
  process earlier { cache_folder filled  call { expect { cache miss } } }
  parallel
  {
    process warm
    {
      cache_folder filled
      call { expect { cache hit } }
      barrier second
      call { sizes { n 32 } }
    }
    process cold
    {
      cache_folder empty
      compiler slow
      call { expect { cache miss } }
      barrier second
      call { sizes { n 32 } }
    }
  })";

std::int64_t answered_ns(const CallSummary& call) {
  return call.asked_ns + call.wall_ns;
}

TEST_F(ProcessGroups, meet_again_at_a_barrier_with_cache_folders_of_their_own) {
  const ScenarioResult one = run(two_ranks);
  EXPECT_EQ(one.verdict, Verdict::pass) << text_of(one);
  const auto& warm = one.processes.at(1).calls;
  const auto& cold = one.processes.at(2).calls;
  EXPECT_GE(warm.at(1).asked_ns, answered_ns(cold.at(0)));
  EXPECT_GE(cold.at(1).asked_ns, answered_ns(warm.at(0)));
}

TEST_F(ProcessGroups, go_on_from_a_barrier_that_a_dead_one_never_reaches) {
  const ScenarioResult one = run(two_ranks, "mutant:exits_mid_call");
  EXPECT_EQ(one.verdict, Verdict::fail) << text_of(one);
  EXPECT_THAT(text_of(one), HasSubstr("it never came to the barrier \"second\", and the others "
                                      "went on without it"));
}

TEST_F(ProcessGroups, go_on_from_a_barrier_without_one_that_is_killed) {
  const ScenarioResult one = run(R"(
    parallel
    {
      process victim
      {
        cache_folder own
        kill compiles_1
        call { expect { outcome killed } }
        barrier second
        call { }
      }
      process other { call { }  barrier second  call { expect { cache hit } } }
    })");
  EXPECT_EQ(one.verdict, Verdict::pass) << text_of(one);
  EXPECT_EQ(one.processes.at(1).calls.size(), 2U);
}

TEST_F(ProcessGroups, a_kill_in_the_middle_of_a_write_leaves_nothing_torn) {
  const ScenarioResult one = run(R"(
    process victim { kill during_write_4  call { expect { outcome killed } } }
    process next { call { expect { cache miss  store.old_or_new yes } } }
    process later { compiler poisoned  call { expect { corrupt.healed next } } })");
  EXPECT_EQ(one.verdict, Verdict::pass) << text_of(one);
}

TEST_F(ProcessGroups, a_kill_that_never_comes_is_unsupported) {
  const ScenarioResult one =
      run("process victim { kill before_write_99  call { expect { outcome killed } } }");
  EXPECT_EQ(one.verdict, Verdict::unsupported);
  EXPECT_THAT(one.message, HasSubstr("process victim never reached before_write_99"));
}

TEST_F(ProcessGroups, a_process_that_dies_by_itself_was_not_killed) {
  const ScenarioResult one =
      run("process victim { kill before_write_99  call { expect { outcome killed } } }",
          "mutant:exits_mid_call");
  EXPECT_EQ(one.verdict, Verdict::fail) << text_of(one);
}

TEST_F(ProcessGroups, refused_writes_are_reported) {
  const ScenarioResult one = run(R"(
    process refused { fail write_4_enospc  call { expect { full_disk.reported yes } } }
    process next { call { expect { cache miss } } })");
  EXPECT_EQ(one.verdict, Verdict::pass) << text_of(one);
}

TEST_F(ProcessGroups, a_refusal_that_never_comes_is_unsupported) {
  const ScenarioResult one = run("process refused { fail write_99_eio  call { } }");
  EXPECT_EQ(one.verdict, Verdict::unsupported) << text_of(one);
}

TEST_F(ProcessGroups, all_points_that_are_never_reached_are_counted) {
  const ScenarioResult one = run(R"(
    cache save
    for "point in sync_98_eio sync_99_eio"
    {
      cache restore
      process refused_$point { fail $point  call { } }
    })");
  EXPECT_THAT(one.message,
              EndsWith("process refused_sync_98_eio never reached sync_98_eio, and 1 more "
                       "never reached theirs"));
}

// The second point is never reached. What follows it would fail, since its winner was stored.
const std::string three_refusals = R"(
  process first { call { } }
  cache save
  sizes { n 32 }
  for "point in create_1_enospc sync_99_eio write_1_enospc"
  {
    cache restore
    process refused_$point { fail $point  call { expect { full_disk.reported yes } } }
    process next_$point { call { expect { cache miss } } }
  })";

TEST_F(ProcessGroups, a_point_that_is_never_reached_takes_no_other_with_it) {
  const ScenarioResult one = run(three_refusals);
  EXPECT_EQ(one.verdict, Verdict::unsupported) << text_of(one);
  EXPECT_THAT(one.message, EndsWith("process refused_sync_99_eio never reached sync_99_eio"));
  std::vector<std::string> processes;
  for (const ProcessSummary& process : one.processes)
    processes.push_back(process.name);
  EXPECT_THAT(processes,
              ElementsAre("first", "refused_create_1_enospc", "next_create_1_enospc",
                          "refused_sync_99_eio", "refused_write_1_enospc", "next_write_1_enospc"));
  const ScenarioResult silent = run(three_refusals, "mutant:silent_persist_failure");
  EXPECT_EQ(silent.verdict, Verdict::fail) << text_of(silent);
  EXPECT_THAT(failed(silent), Each("full_disk.reported")) << text_of(silent);
  EXPECT_EQ(failed(silent).size(), 2U) << text_of(silent);
}

// The file of an adapter in `folder` that starts as this script; "TUNER" in it is the reference
// tuner.
std::filesystem::path scripted_adapter(const std::filesystem::path& folder,
                                       const std::string& script) {
  const AdapterInfo reference = find_adapter("reference").value();
  std::filesystem::create_directories(folder);
  const std::string tuner = "'" + locate_program(reference).string() + "'";
  EXPECT_TRUE(write_file(folder / "start", "#!/bin/sh\n" + with(script, "TUNER", tuner) + "\n"));
  std::filesystem::permissions(folder / "start", std::filesystem::perms::owner_all);
  std::string info = read_text_file(reference.file).value();
  info = with(info, "tunecheck-adapter-reference", "./start");
  const std::size_t name = info.find("reference", info.find("\n  name "));
  info.replace(name, std::string_view("reference").size(), "scripted");
  EXPECT_TRUE(write_file(folder / "adapter.info", info));
  return folder / "adapter.info";
}

TEST_F(ProcessGroups, reach_a_tuner_that_a_script_turns_into) {
  const auto adapter =
      scripted_adapter(m_folder.path() / "scripted", "/bin/true\nexec TUNER \"$@\"");
  const ScenarioResult one = run(R"(
    process victim { kill after_rename_1  call { expect { outcome killed } } }
    cache clear
    process refused { fail write_1_enospc  call { expect { full_disk.reported yes } } })",
                                 adapter.string());
  EXPECT_EQ(one.verdict, Verdict::pass) << text_of(one);
}

// As Triton's driver does, which compiles a helper into the cache folder.
TEST_F(ProcessGroups, leave_alone_what_a_tuner_stores_before_it_is_called) {
  const std::string cache = find_adapter("reference").value().cache_variable;
  const auto adapter = scripted_adapter(
      m_folder.path() / "scripted",
      fmt::format("if [ \"$TUNECHECK_FAULT_POINT\" ]; then echo own > \"${0}/own\"; fi\n"
                  "exec TUNER \"$@\"",
                  cache));
  const ScenarioResult one = run(R"(
    process victim { kill before_create_1  call { expect { outcome killed } } }
    process next { call { expect { store.old_or_new yes } } }
    cache clear
    process refused { fail write_1_enospc  call { expect { full_disk.reported yes } } })",
                                 adapter.string());
  EXPECT_EQ(one.verdict, Verdict::pass) << text_of(one);
}

TEST_F(ProcessGroups, links_in_the_cache_folder_are_not_followed) {
  const ScenarioResult one = run(R"(
    process cold { call { } }
    cache links
    process next { call { expect { cache miss  no_foreign_code yes } } })");
  EXPECT_EQ(one.verdict, Verdict::pass) << text_of(one);
}

TEST_F(ProcessGroups, a_cleared_cache_folder_is_empty) {
  const ScenarioResult one = run(R"(
    process cold { call { } }
    cache clear
    process next { call { expect { cache miss } } })");
  EXPECT_EQ(one.verdict, Verdict::pass) << text_of(one);
}

}  // namespace
}  // namespace tunecheck::test
