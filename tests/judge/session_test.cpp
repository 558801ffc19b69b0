// Scenarios from their files to a result, with real adapters, observers and compilers.
#include "judge/run/session.hpp"

#include <fstream>
#include <iterator>

#include <gmock/gmock.h>

#include "blind_probe.hpp"
#include "core/device_kinds.hpp"
#include "core/exit_status.hpp"
#include "scenario_folder.hpp"

namespace tunecheck::test {
namespace {

using namespace std::chrono_literals;

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

class SessionCase : public testing::Test {
 protected:
  SessionCase() : adapter(find_adapter("reference").value()) {}

  RunResult run(const std::string& text) { return try_to_run(text).value(); }
  Result<RunResult> try_to_run(const std::string& text) {
    Catalogue catalogue;
    catalogue.kernels = folder.kernels();
    for (const Scenario& scenario : folder.scenarios(text))
      catalogue.scenarios.emplace(scenario.name, scenario);
    RunOptions options;
    options.adapter = adapter;
    options.tasks.jobs = jobs;
    options.tasks.out = out();
    options.tasks.progress = [this](const ScenarioResult& result, int done, int total) {
      progress.push_back(fmt::format("{} {}/{}", name_of(result.verdict), done, total));
    };
    return run_scenarios(catalogue, select_scenarios(catalogue, {}).value(), options);
  }
  ScenarioResult run_one(const std::string& text) { return run(text).scenarios.at(0); }

  // An adapter that is a script.
  void use_script(const std::string& script) {
    ASSERT_TRUE(write_file(folder.path() / "adapter.sh", script));
    adapter.command = {"/bin/sh", (folder.path() / "adapter.sh").string()};
  }
  fs::path out() const { return folder.path() / "out"; }

  ScenarioFolder folder;
  AdapterInfo adapter;
  std::vector<std::string> progress;
  int jobs = 2;
};

std::vector<std::string> failed_checks(const ScenarioResult& result) {
  std::vector<std::string> checks;
  for (const CheckResult& check : result.checks)
    if (check.verdict == Verdict::fail) checks.push_back(check.check);
  return checks;
}

std::string all_text(const ScenarioResult& result) {
  std::string text = result.message;
  for (const CheckResult& check : result.checks)
    if (check.verdict != Verdict::pass)
      text += fmt::format("\n{} {}: {}", name_of(check.verdict), check.check, check.observed);
  return text;
}

const std::string cold_and_warm = R"(
  process cold { call { expect { cache miss  store.only_winner yes } } }
  process warm { compiler poisoned  call { expect { cache hit  winner cold } } })";

TEST_F(SessionCase, the_reference_tuner_passes) {
  const RunResult result = run(scenario_text(cold_and_warm));
  EXPECT_EQ(result.exit_status(), 0);
  const ScenarioResult& one = result.scenarios.at(0);
  EXPECT_EQ(one.verdict, Verdict::pass) << all_text(one);
  EXPECT_EQ(one.name, "test.toy");
  EXPECT_EQ(one.family, "test");
  EXPECT_EQ(one.adapter, "reference");
  EXPECT_EQ(one.line, 1);
  EXPECT_THAT(one.repro, AllOf(HasSubstr("tunecheck run test.toy"), HasSubstr("--keep")));
  EXPECT_FALSE(one.tuner.empty());
  EXPECT_EQ(result.tuner, one.tuner);
  ASSERT_EQ(one.processes.size(), 2U);
  EXPECT_EQ(one.processes[0].compiles, 2);
  EXPECT_GT(one.processes[0].launches, 2);
  EXPECT_EQ(one.processes[1].compiles, 0);
  EXPECT_EQ(one.processes[1].launches, 1);
  EXPECT_TRUE(one.processes[1].end.success());
  EXPECT_EQ(one.workspace, "");
  EXPECT_FALSE(fs::exists(out() / "work" / "test.toy"));
  EXPECT_THAT(progress, ElementsAre("pass 1/1"));
}

TEST_F(SessionCase, scenarios_that_wait_are_judged_beside_the_others_or_in_their_turn) {
  const std::string steps = "process a { call { } }";
  const std::string all = scenario_text(steps, "waits yes", "test.one") +
                          scenario_text(steps, "waits yes", "test.two") +
                          scenario_text(steps, "", "test.three") +
                          scenario_text(steps, "measures yes", "test.four");
  for (const int each : {2, 1}) {
    jobs = each;
    progress.clear();
    EXPECT_EQ(run(all).exit_status(), 0);
    EXPECT_THAT(progress, ElementsAre("pass 1/4", "pass 2/4", "pass 3/4", "pass 4/4")) << jobs;
  }
}

TEST_F(SessionCase, what_is_done_behind_the_last_answer_belongs_to_that_call) {
  adapter = find_adapter("mutant:compiles_after_a_hit").value();
  const ScenarioResult one = run_one(
      scenario_text("process cold { call { } } process warm { call { expect { compiles 0 } } }"));
  EXPECT_THAT(failed_checks(one), Contains("reload.no_compile"));
  EXPECT_EQ(one.processes.at(1).compiles, 1);
}

TEST_F(SessionCase, a_mutant_fails_and_its_workspace_is_kept) {
  adapter = find_adapter("mutant:no_restore").value();
  const RunResult result = run(scenario_text("process cold { call { } }"));
  EXPECT_EQ(result.exit_status(), 1);
  const ScenarioResult& one = result.scenarios.at(0);
  EXPECT_EQ(one.verdict, Verdict::fail) << all_text(one);
  EXPECT_THAT(failed_checks(one), Contains("inputs.pristine"));
  EXPECT_EQ(one.workspace, "work/test.toy");
  for (const CheckResult& check : one.checks)
    for (const std::string& file : check.evidence)
      EXPECT_TRUE(fs::is_regular_file(out() / file)) << file;
}

TEST_F(SessionCase, settings_reach_the_tuner_and_touch_reaches_the_key) {
  const ScenarioResult one = run_one(scenario_text(R"(
    process a { call { sizes { n 40 } strides { x 2 } align { y 4 } scalars { factor 3 }
                       space { step 2 } expect { output.reference yes } } }
    process same { call { sizes { n 40 } strides { x 2 } align { y 4 } scalars { factor 3 }
                          space { step 2 } expect { cache hit } } }
    touch comment
    process comment { call { sizes { n 40 } strides { x 2 } align { y 4 } space { step 2 }
                             expect { cache hit } } }
    touch header
    process header { call { sizes { n 40 } strides { x 2 } align { y 4 } space { step 2 }
                            expect { cache miss } } })"));
  EXPECT_EQ(one.verdict, Verdict::pass) << all_text(one);
  EXPECT_EQ(one.processes.at(0).compiles, 1);
}

TEST_F(SessionCase, what_the_adapter_cannot_do_is_unsupported_and_never_started) {
  std::erase(adapter.capabilities, "explain");
  const RunResult result =
      run(scenario_text("process a { call { expect { cache miss  output.reference yes } } }",
                        "needs \"cache explain\""));
  const ScenarioResult& one = result.scenarios.at(0);
  EXPECT_EQ(one.verdict, Verdict::unsupported);
  EXPECT_EQ(one.message, "the adapter declares no capability \"explain\"");
  EXPECT_EQ(one.lacks, "capability explain");
  EXPECT_THAT(one.unanswered, ElementsAre("key.must_miss", "output.reference"));
  EXPECT_THAT(one.processes, IsEmpty());
  EXPECT_EQ(result.exit_status(), 4);
}

TEST_F(SessionCase, what_one_check_needs_is_not_asked_and_the_rest_is) {
  std::erase(adapter.capabilities, "explain");
  const RunResult result = run(scenario_text(
      "process a { call { expect { cache miss } } }"
      "process b { call { sizes { n 40 } expect { cache miss  explained shape } } }"));
  const ScenarioResult& one = result.scenarios.at(0);
  EXPECT_EQ(one.verdict, Verdict::pass) << all_text(one);
  EXPECT_THAT(one.unanswered, IsEmpty());
  EXPECT_THAT(result.not_asked(),
              ElementsAre(Pair(Pair("key.explained", "capability explain"), 1U)));
}

TEST_F(SessionCase, a_check_that_an_adapter_calls_unseen_must_exist) {
  adapter.file = "my/adapter.info";
  adapter.unseen = {{"output.referense", {"it is not watched", 7}}};
  const auto refused = try_to_run(scenario_text("process a { call { expect { cache miss } } }"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(refused.error().text(), AllOf(HasSubstr("my/adapter.info:7: unseen: "),
                                            HasSubstr("did you mean \"output.reference\"?")));
}

TEST_F(SessionCase, of_which_nothing_else_is_expected_is_unsupported) {
  std::erase(adapter.capabilities, "explain");
  const ScenarioResult one =
      run_one(scenario_text("process a { call { expect { explained shape } } }"));
  EXPECT_EQ(one.verdict, Verdict::unsupported);
  EXPECT_EQ(one.lacks, "capability explain");
  EXPECT_THAT(one.processes, IsEmpty());
}

TEST_F(SessionCase, a_tuner_that_keeps_no_binaries_may_compile_its_winner_where_others_may_not) {
  const std::string scenario = scenario_text(R"(
    process cold { call { expect { cache miss } } }
    process warm { compiler poisoned  call { expect { cache hit  winner cold  compiles 0 } } })");
  adapter = find_adapter("mutant:recompile_on_reload").value();
  EXPECT_EQ(run_one(scenario).verdict, Verdict::fail);
  std::erase(adapter.capabilities, "artifact");
  const RunResult result = run(scenario);
  EXPECT_EQ(result.scenarios.at(0).verdict, Verdict::pass) << all_text(result.scenarios.at(0));
  EXPECT_THAT(result.not_asked(),
              ElementsAre(Pair(Pair("reload.no_compile", "capability artifact"), 1U)));
}

TEST_F(SessionCase, a_kernel_that_the_adapter_has_not_is_unsupported_and_never_started) {
  adapter.kernels = {"axpy_inplace", "rmsnorm"};
  const ScenarioResult one = run_one(scenario_text("process a { call { } }"));
  EXPECT_EQ(one.verdict, Verdict::unsupported);
  EXPECT_EQ(one.message, "the adapter has no kernel \"toy\"");
  EXPECT_EQ(one.lacks, "kernel toy");
  EXPECT_THAT(one.processes, IsEmpty());
  adapter.kernels = {"toy"};
  EXPECT_EQ(run_one(scenario_text("process a { call { } }")).verdict, Verdict::pass);
}

TEST_F(SessionCase, of_a_tuner_that_keeps_no_artifacts_a_compile_alone_is_a_hit) {
  // This one compiles its winner again at every start, which the reference tuner must not.
  const std::string steps = R"(process cold { call { expect { cache miss } } }
                               process warm { call { expect { cache hit } } })";
  adapter = find_adapter("mutant:recompile_on_reload").value();
  EXPECT_THAT(failed_checks(run_one(scenario_text(steps))), Contains("key.must_hit"));
  std::erase(adapter.capabilities, "artifact");
  EXPECT_THAT(failed_checks(run_one(scenario_text(steps))), Not(Contains("key.must_hit")));
  // One that tries its configs again has not hit for all that.
  adapter = find_adapter("mutant:retunes_on_reload").value();
  std::erase(adapter.capabilities, "artifact");
  EXPECT_THAT(failed_checks(run_one(scenario_text(steps))), Contains("key.must_hit"));
}

TEST_F(SessionCase, a_reference_that_does_not_compile_is_an_error_and_the_others_go_on) {
  KernelText text("broken");
  text.reference = with(text.reference, "factor * x(i)", "factor *");
  folder.add_kernel("broken", text);
  const std::string call = "process a { call { } }";
  const RunResult result =
      run(with(scenario_text(call, "", "test.broken"), "kernel   toy", "kernel   broken") +
          scenario_text(call, "", "test.right"));
  ASSERT_EQ(result.scenarios.size(), 2U);
  EXPECT_EQ(result.scenarios[0].name, "test.broken");
  EXPECT_EQ(result.scenarios[0].verdict, Verdict::error);
  EXPECT_THAT(result.scenarios[0].message,
              AllOf(HasSubstr("reference.cpp"), HasSubstr("the reference does not compile")));
  EXPECT_EQ(result.scenarios[1].verdict, Verdict::pass) << all_text(result.scenarios[1]);
  EXPECT_EQ(result.exit_status(), 4);
}

TEST_F(SessionCase, a_kernel_that_compiles_in_no_config_leaves_the_caller_unharmed) {
  KernelText text("hopeless");
  text.header = "#error no config of this kernel compiles\n";
  folder.add_kernel("hopeless", text);
  const auto kernel_of = [](const std::string& scenario) {
    return with(scenario, "kernel   toy", "kernel   hopeless");
  };
  const RunResult result =
      run(kernel_of(scenario_text("process a { call { expect { outcome failed } } }", "",
                                  "test.expected")) +
          kernel_of(scenario_text("process a { call { } }", "", "test.unexpected")));
  EXPECT_EQ(result.scenarios.at(0).verdict, Verdict::pass) << all_text(result.scenarios[0]);
  EXPECT_EQ(result.scenarios.at(1).verdict, Verdict::fail);
  EXPECT_THAT(all_text(result.scenarios[1]), HasSubstr("fail output.reference: the call failed: "));
}

TEST_F(SessionCase, an_adapter_that_never_answers_fails_its_scenario) {
  use_script("exit 3");
  const ScenarioResult one = run_one(scenario_text("process a { call { } }\ntouch source"));
  EXPECT_EQ(one.verdict, Verdict::fail);
  EXPECT_THAT(failed_checks(one), ElementsAre("adapter.answers"));
  EXPECT_EQ(one.checks.at(0).observed,
            "the adapter ended instead of answering \"hello\": exit status 3");
  EXPECT_EQ(one.checks.at(0).process, "a");
}

TEST_F(SessionCase, under_a_probe_that_is_blind_nothing_is_judged) {
  adapter = adapter_with_blind_probe(folder.path());
  const ScenarioResult one = run_one(scenario_text("process a { call { } }"));
  EXPECT_EQ(one.verdict, Verdict::error);
  EXPECT_EQ(one.message, blind_refusal);
}

TEST_F(SessionCase, checks_that_nobody_could_ask_are_named) {
  const std::string warm = "process b { compiler poisoned  call { expect { cache hit } } }";
  const ScenarioResult answered =
      run_one(scenario_text("process a { call { expect { cache miss } } }\n" + warm));
  EXPECT_EQ(answered.verdict, Verdict::pass) << all_text(answered);
  EXPECT_THAT(answered.unanswered, IsEmpty());
  const ScenarioResult ended = run_one(scenario_text(
      "process a { call { expect { cache miss } } }\ncache { flip \"*.none\" }\n" + warm));
  EXPECT_EQ(ended.verdict, Verdict::error);
  EXPECT_THAT(ended.unanswered, ElementsAre("key.must_hit"));
  adapter.backends = {DeviceKind::cuda};
  const ScenarioResult elsewhere = run_one(scenario_text(warm));
  EXPECT_EQ(elsewhere.lacks, "backend cpu");
  EXPECT_THAT(elsewhere.unanswered, ElementsAre("key.must_hit"));
}

TEST_F(SessionCase, what_was_found_so_far_is_told_from_the_start_to_the_end) {
  Catalogue catalogue;
  catalogue.kernels = folder.kernels();
  for (const char* const name : {"test.b", "test.a"})
    catalogue.scenarios.emplace(
        name, folder.scenarios(scenario_text("process p { call { } }", "", name)).at(0));
  RunOptions options;
  options.adapter = adapter;
  options.tasks.jobs = 1;
  options.tasks.out = out();
  options.left_out = {{"test.c", "it needs a GPU"}};
  std::vector<std::string> told;
  options.so_far = [&](const RunResult& result) -> Result<void> {
    std::string text = fmt::format("{}:", result.exit_status());
    for (const ScenarioResult& scenario : result.scenarios)
      text += fmt::format(" {} {}", scenario.name, name_of(scenario.verdict));
    for (const std::string& name : result.pending)
      text += " " + name;
    told.push_back(text + " " + result.left_out.at(0).name);
    return {};
  };
  const auto all = select_scenarios(catalogue, {}).value();
  const RunResult result = run_scenarios(catalogue, all, options).value();
  EXPECT_THAT(told, ElementsAre("4: test.a test.b test.c", "4: test.a pass test.b test.c",
                                "0: test.a pass test.b pass test.c"));
  EXPECT_EQ(result.scenarios.size(), 2U);
  EXPECT_FALSE(result.tuner.empty());
  options.so_far = [&](const RunResult&) { return failure("the disk is full"); };
  const auto refused = run_scenarios(catalogue, all, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "the disk is full");
}

TEST_F(SessionCase, a_time_limit_of_the_scenario_is_kept) {
  use_script("sleep 1000");
  adapter.time_limit = 2s;  // it is asked for its name first
  const ScenarioResult one = run_one(scenario_text("process a { call { } }", "time_limit 1"));
  EXPECT_EQ(one.verdict, Verdict::fail);
  EXPECT_EQ(one.checks.at(0).observed,
            "the adapter gave no answer to \"hello\" within 1000 ms and was killed");
}

TEST_F(SessionCase, a_slow_adapter_has_longer_in_a_scenario_with_a_limit) {
  // Whoever asks for its name first gets no answer at once.
  use_script("mkdir " + (folder.path() / "asked").string() + " 2> /dev/null && exit 1\nsleep 1000");
  adapter.time_limit = 120s;
  const ScenarioResult one = run_one(scenario_text("process a { call { } }", "time_limit 1"));
  EXPECT_EQ(one.checks.at(0).observed,
            "the adapter gave no answer to \"hello\" within 2000 ms and was killed");
}

TEST_F(SessionCase, a_time_limit_of_the_scenario_is_longer_for_an_adapter_that_needs_longer) {
  const auto limit = [&](int of_adapter, const std::optional<std::chrono::seconds>& of_scenario) {
    adapter.time_limit = std::chrono::seconds(of_adapter);
    return time_limit_of(adapter, of_scenario);
  };
  EXPECT_EQ(limit(60, 10s), 10s);
  EXPECT_EQ(limit(300, 10s), 50s);
  EXPECT_EQ(limit(90, 5s), 7500ms);
  EXPECT_EQ(limit(5, 10s), 10s);  // a scenario may take longer than any other
  EXPECT_EQ(limit(300, {}), 300s);
  EXPECT_EQ(limit(5, {}), 5s);
}

TEST_F(SessionCase, only_the_files_that_one_process_made_are_damaged) {
  const std::string damaged =
      "process a { call { } } process b { sizes { n 32 } call { } } "
      "cache { truncate entry  of a } ";
  const std::string undamaged = "process c { sizes { n 32 } call { expect { cache hit } } } ";
  EXPECT_EQ(
      run_one(scenario_text(damaged + undamaged + "process d { call { expect { cache miss } } }"))
          .verdict,
      Verdict::pass);
  // Nobody made two files of one winner.
  const ScenarioResult none = run_one(scenario_text(
      "process a { call { } } process b { call { } } cache { truncate entry  of b }"));
  EXPECT_EQ(none.verdict, Verdict::error);
  EXPECT_EQ(none.message, "no file of the cache folder matches \"*.json\"");
}

TEST_F(SessionCase, another_version_that_is_not_here_is_unsupported_in_one_line) {
  const std::string text =
      scenario_text("process a { call { } } process b { version other  call { } }");
  EXPECT_EQ(run_one(text).verdict, Verdict::pass);
  adapter.other_version->command = {"no-such-program"};
  ScenarioResult result = run_one(text);
  EXPECT_EQ(result.verdict, Verdict::unsupported);
  EXPECT_EQ(result.message,
            "the other version of the tuner is not here: the adapter cannot be started: there is "
            "no program \"no-such-program\"");
  adapter.other_version.reset();
  result = run_one(text);
  EXPECT_EQ(result.verdict, Verdict::unsupported);
  EXPECT_EQ(result.message, "the adapter names no other version of the tuner");
}

TEST_F(SessionCase, another_version_that_is_the_judged_one_says_nothing_about_two) {
  adapter.other_version->command = adapter.command;
  const ScenarioResult result = run_one(scenario_text(
      "process a { version other  call { } } process b { call { expect { cache miss } } }"));
  EXPECT_EQ(result.verdict, Verdict::unsupported);
  EXPECT_EQ(result.message,
            "the other version of the tuner is the judged one, reference 0.1.0: expected another");
}

TEST_F(SessionCase, a_remote_cache_whose_library_is_not_here_is_unsupported) {
  const std::string text = scenario_text("process a { remote { server http }  call { } }");
  adapter.remote.one_of_libraries = {"libnowhere.so.1", "libc.so.6"};
  EXPECT_EQ(run_one(text).verdict, Verdict::pass);
  adapter.remote.one_of_libraries = {"libnowhere.so.1"};
  const ScenarioResult result = run_one(text);
  EXPECT_EQ(result.verdict, Verdict::unsupported);
  EXPECT_EQ(result.message,
            "the tuner needs a library for remote caches that is not here: libnowhere.so.1");
}

TEST_F(SessionCase, a_frozen_process_stands_still_until_the_one_that_waits_for_it_has_answered) {
  // The waiter waits for longer than the 1.5 s for which any process is frozen, on any machine;
  // waiter.gives_up asks that it answered before the frozen one was killed.
  const ScenarioResult result = run_one(scenario_text(
      "environment { TUNECHECK_LOCK_LIMIT_MS 2500 } space { step \"1 2\" }"
      "parallel { process frozen { freeze compiles_1  call { expect { outcome killed } } }"
      "process waiter { waits_for frozen"
      " call { expect { cache miss  waiter.gives_up frozen } } } }"));
  EXPECT_EQ(result.verdict, Verdict::pass) << result.message;
}

TEST_F(SessionCase, another_version_that_ends_is_quoted) {
  adapter.other_version->command = {"/bin/sh", "-c",
                                    "echo first >&2; echo no such package >&2; exit 3"};
  const ScenarioResult result =
      run_one(scenario_text("process a { version other  call { } } process b { call { } }"));
  EXPECT_EQ(result.verdict, Verdict::unsupported);
  EXPECT_EQ(result.message,
            "the other version of the tuner is not here: the adapter ended instead of answering "
            "\"hello\": exit status 3: no such package");
}

TEST_F(SessionCase, another_version_is_not_the_tuner_that_the_result_names) {
  const ScenarioResult result =
      run_one(scenario_text("process a { version other  call { } } process b { call { } }"));
  EXPECT_THAT(result.tuner, testing::StartsWith("reference "));
}

TEST_F(SessionCase, a_cache_that_cannot_be_switched_off_is_unsupported) {
  adapter.caching_off.clear();
  const ScenarioResult result = run_one(scenario_text("process a { caching off  call { } }"));
  EXPECT_EQ(result.verdict, Verdict::unsupported);
  EXPECT_EQ(result.message, "the adapter does not say how the tuner's cache is switched off");
}

TEST_F(SessionCase, damage_to_files_that_the_adapter_does_not_name_is_unsupported) {
  adapter.cache_files = {{"artifact", "*.so"}};
  const ScenarioResult one = run_one(scenario_text("process a { call { } }\ncache { flip entry }"));
  EXPECT_EQ(one.verdict, Verdict::unsupported);
  EXPECT_EQ(one.message, "the adapter does not say what its entry files are called");
  EXPECT_EQ(one.lacks, "entry_files");
  EXPECT_THAT(one.processes, IsEmpty());
  adapter.cache_files["entry"] = "*.json";
  const ScenarioResult named =
      run_one(scenario_text("process a { call { } }\ncache { flip entry }"));
  EXPECT_EQ(named.verdict, Verdict::pass) << all_text(named);
}

TEST_F(SessionCase, a_step_that_the_judge_cannot_do_is_an_error) {
  const ScenarioResult one =
      run_one(scenario_text("cache { flip \"*.so\" }\nprocess a { call { } }"));
  EXPECT_EQ(one.verdict, Verdict::error);
  EXPECT_EQ(one.message, "no file of the cache folder matches \"*.so\"");
  EXPECT_THAT(one.processes, IsEmpty());
}

// A folder that is gone cannot be mounted over, by any user.
TEST_F(SessionCase, a_step_that_the_machine_cannot_do_is_unsupported_unless_something_failed) {
  use_script("rm -rf \"$" + adapter.cache_variable + "\"; exit 3");
  const ScenarioResult failed = run_one(scenario_text("process a { call { } }\ncache full"));
  EXPECT_THAT(failed.message, HasSubstr("may not mount"));
  EXPECT_EQ(failed.verdict, Verdict::fail);
}

TEST_F(SessionCase, tunings_on_another_seed_repeat_with_it) {
  Catalogue catalogue;
  catalogue.kernels = folder.kernels();
  const auto scenarios = folder.scenarios(scenario_text("process a { call { } }"));
  use_script("exit 3");
  RunOptions options;
  options.adapter = adapter;
  options.repro_options = " --adapter 'it'";
  options.tasks.out = out();
  options.tasks.seed = 7;
  const RunResult result = run_scenarios(catalogue, {}, options).value();
  EXPECT_EQ(result.exit_status(), 4);
  catalogue.scenarios.emplace("test.toy", scenarios.at(0));
  const RunResult one =
      run_scenarios(catalogue, {&catalogue.scenarios.at("test.toy")}, options).value();
  EXPECT_THAT(one.scenarios.at(0).repro, HasSubstr("run test.toy --adapter 'it' --seed 7"));
}

TEST_F(SessionCase, a_judge_that_cannot_judge_starts_nothing_and_ends_with_status_4) {
  Catalogue catalogue;
  catalogue.kernels = folder.kernels();
  const auto scenarios = folder.scenarios(scenario_text(cold_and_warm));
  catalogue.scenarios.emplace(scenarios.at(0).name, scenarios.at(0));
  RunOptions options;
  options.adapter = adapter;
  options.tasks.out = out();
  JudgingFunctions broken;
  broken.compare = [](const TensorView& actual, std::span<const double> expected,
                      const Tolerance& tolerance) {
    Comparison comparison = compare(actual, expected, tolerance);
    comparison.wrong = 0;
    return comparison;
  };
  options.tasks.self_test = [&] { return test_judgement(broken); };
  const auto ran = run_scenarios(catalogue, select_scenarios(catalogue, {}).value(), options);
  ASSERT_FALSE(ran);
  EXPECT_EQ(status::status_of(ran.error()), 4);
  EXPECT_THAT(ran.error().text(), HasSubstr("tunecheck cannot judge"));
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(SessionCase, an_adapter_whose_program_is_missing_ends_the_run_before_it_starts) {
  Catalogue catalogue;
  catalogue.kernels = folder.kernels();
  const auto scenarios = folder.scenarios(scenario_text("process a { call { } }"));
  RunOptions options;
  options.adapter = adapter;
  options.adapter.command = {"no-such-program"};
  options.tasks.out = out();
  std::vector<std::string> troubles;
  options.so_far = [&](const RunResult& so_far) -> Result<void> {
    troubles.push_back(so_far.trouble);
    return {};
  };
  const auto result = run_scenarios(catalogue, {&scenarios.at(0)}, options);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().text(), HasSubstr("no-such-program"));
  EXPECT_THAT(troubles, ElementsAre("", result.error().text()));
  EXPECT_FALSE(std::filesystem::exists(out()));
}

TEST(RunScenarios, into_a_place_that_cannot_be_made_is_an_error) {
  RunOptions options;
  options.tasks.out = "/dev/null/out";
  const auto result = run_scenarios({}, {}, options);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().text(), HasSubstr("/dev/null/out"));
}

TEST(Machine, is_described) {
  const auto facts = describe_machine();
  for (const char* const fact : {"host", "system", "machine", "cpu", "cores", "compiler", "arch"})
    EXPECT_FALSE(facts.at(fact).empty()) << fact;
}

TEST(Machine, has_the_cpu_that_the_kernel_names) {
  std::ifstream info("/proc/cpuinfo");
  const std::string text(std::istreambuf_iterator<char>(info), {});
  const std::string cpu = describe_machine().at("cpu");
  if (cpu == "unknown") GTEST_SKIP() << "/proc/cpuinfo names none";
  EXPECT_THAT(text, HasSubstr("\t: " + cpu + "\n"));
}

}  // namespace
}  // namespace tunecheck::test
