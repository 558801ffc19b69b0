// What a right scenario file means: settings and their scopes, steps, shorthands.
#include "judge/scenario/scenario.hpp"

#include <gmock/gmock.h>

#include "judge/scenario/scenario_settings.hpp"
#include "scenario_folder.hpp"

namespace tunecheck::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using namespace std::chrono_literals;

// The only scenario with these steps.
Scenario scenario(const std::string& steps, const std::string& head = "") {
  return ScenarioFolder().scenarios(scenario_text(steps, head)).at(0);
}

const ProcessStep& process(const Scenario& scenario, std::size_t number) {
  return std::get<ProcessStep>(scenario.steps.at(number));
}

const CallStep& call(const ProcessStep& process, std::size_t number) {
  return std::get<CallStep>(process.steps.at(number));
}

TEST(Scenario, has_what_its_head_says) {
  const Scenario full = scenario("process a { call { } }",
                                 "needs \"cache, artifact\" catches \"one two\" time_limit 7 "
                                 "waits yes watch no");
  EXPECT_EQ(full.name, "test.toy");
  EXPECT_EQ(full.family, "test");
  EXPECT_EQ(full.because, "a bug");
  EXPECT_EQ(full.kernel, "toy");
  EXPECT_EQ(full.line, 1);
  EXPECT_EQ(full.file.filename(), "scenarios.info");
  EXPECT_THAT(full.needs, ElementsAre("cache", "artifact"));
  EXPECT_THAT(full.catches, ElementsAre("one", "two"));
  EXPECT_EQ(full.time_limit, 7s);
  EXPECT_TRUE(full.waits);
  EXPECT_FALSE(full.measures);
  EXPECT_FALSE(full.watch);
  const Scenario bare = scenario("process a { call { } }");
  EXPECT_TRUE(bare.needs.empty());
  EXPECT_TRUE(bare.catches.empty());
  EXPECT_FALSE(bare.time_limit);
  EXPECT_FALSE(bare.measures);
  EXPECT_FALSE(bare.waits);
  EXPECT_TRUE(bare.watch);
}

TEST(Scenario, numbers_of_settings_go_to_their_limits) {
  const auto settings = [](const std::string& setting) {
    return call(process(scenario("process a { call { " + setting + " } }"), 0), 0).settings;
  };
  EXPECT_EQ(settings("compile_jobs 1").compile_jobs, 1);
  EXPECT_EQ(settings("compile_jobs 63").compile_jobs, 63);
}

TEST(Scenario, calls_at_once_share_the_settings_beside_them) {
  const Scenario all =
      scenario("process a { parallel { sizes { n 40 } compile_jobs 3 repeat 2 { call { } } } }");
  const CallGroup& group = std::get<CallGroup>(process(all, 0).steps.at(0));
  ASSERT_EQ(group.calls.size(), 2U);
  for (const CallStep& one : group.calls)
    EXPECT_EQ(one.settings.compile_jobs, 3);
}

TEST(Scenario, several_may_share_a_file_and_come_from_a_loop) {
  const std::string one = scenario_text("process a { call { } }", "", "test.$which");
  const auto all = ScenarioFolder().scenarios("for \"which in one two\" {\n" + one + "}\n" +
                                              scenario_text("process a { call { } }"));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].name, "test.one");
  EXPECT_EQ(all[1].name, "test.two");
  EXPECT_EQ(all[1].line, 2);
  EXPECT_EQ(all[2].name, "test.toy");
}

TEST(Settings, are_read_from_every_key) {
  const Scenario one = scenario(R"(process a {
      environment { A "1 2" } compiler slow
      call {
        size full sizes { n 128 } arch special strides { x 2 } align { y 4 } dtype { x f64 }
        scalars { factor 2.5 } space { step "2 1" } arguments reversed options "-O1 -g" hook_zeroes y
      } })");
  EXPECT_EQ(process(one, 0).settings.compiler, CompilerMode::slow);
  EXPECT_THAT(process(one, 0).settings.environment, ElementsAre(Pair("A", "1 2")));
  const Settings& settings = call(process(one, 0), 0).settings;
  EXPECT_EQ(settings.size, "full");
  EXPECT_THAT(settings.sizes, ElementsAre(Pair("n", 128)));
  EXPECT_EQ(settings.arch, "special");
  EXPECT_THAT(settings.strides, ElementsAre(Pair("x", ElementsAre("2"))));
  EXPECT_THAT(settings.align, ElementsAre(Pair("y", 4)));
  EXPECT_THAT(settings.dtypes, ElementsAre(Pair("x", DType::f64)));
  EXPECT_THAT(settings.scalars, ElementsAre(Pair("factor", 2.5)));
  EXPECT_THAT(settings.space, ElementsAre(Pair("step", ElementsAre(2, 1))));
  EXPECT_TRUE(settings.reverse_arguments);
  EXPECT_THAT(settings.compile_options, ElementsAre("-O1", "-g"));
  EXPECT_THAT(settings.hook_zeroes, ElementsAre("y"));
}

TEST(Settings, a_compiler_is_replaced_between_calls) {
  const Scenario one = scenario(R"(
      process a { compiler slow  call { }  compiler other  call { } }
      process b { call { } })");
  EXPECT_EQ(process(one, 0).settings.compiler, CompilerMode::slow);
  ASSERT_EQ(process(one, 0).steps.size(), 3U);
  EXPECT_EQ(std::get<CompilerStep>(process(one, 0).steps[1]).mode, CompilerMode::other);
  EXPECT_EQ(std::get<CallStep>(process(one, 0).steps[2]).settings.compiler, CompilerMode::other);
  EXPECT_EQ(process(one, 1).settings.compiler, CompilerMode::spy);
}

TEST(Settings, hold_from_where_they_stand_to_the_end_of_their_block) {
  const Scenario one = scenario(R"(
      process a { call { } call { size full } call { } size full call { } }
      size full
      process b { call { } size smoke call { } call { sizes { n 32 } } call { } }
      process c { call { } })");
  const auto size = [&](std::size_t p, std::size_t c) {
    return call(process(one, p), c).settings.size;
  };
  EXPECT_EQ(size(0, 0), "smoke");
  EXPECT_EQ(size(0, 1), "full");
  EXPECT_EQ(size(0, 2), "smoke");
  EXPECT_EQ(size(0, 3), "full");
  EXPECT_EQ(size(1, 0), "full");
  EXPECT_EQ(size(1, 1), "smoke");
  EXPECT_EQ(size(1, 3), "smoke");
  EXPECT_EQ(size(2, 0), "full");
  EXPECT_EQ(call(process(one, 1), 2).settings.sizes.at("n"), 32);
  EXPECT_TRUE(call(process(one, 1), 3).settings.sizes.empty());
}

TEST(Settings, of_a_process_end_with_it) {
  const Scenario one = scenario(R"(
      environment { A 1 }
      process a { compiler poisoned environment { A 2 B 3 } call { } }
      process b { call { } })");
  EXPECT_EQ(process(one, 0).settings.compiler, CompilerMode::poisoned);
  EXPECT_THAT(process(one, 0).settings.environment, ElementsAre(Pair("A", "2"), Pair("B", "3")));
  EXPECT_EQ(process(one, 1).settings.compiler, CompilerMode::spy);
  EXPECT_THAT(process(one, 1).settings.environment, ElementsAre(Pair("A", "1")));
}

TEST(Settings, variables_of_one_call_are_those_of_the_process_and_need_an_adapter_that_sets_them) {
  const Scenario one = scenario(R"(
      process a { environment { A 1 } call { environment { A 2 B 3 } } call { } })");
  EXPECT_THAT(call(process(one, 0), 0).settings.environment,
              ElementsAre(Pair("A", "2"), Pair("B", "3")));
  EXPECT_THAT(call(process(one, 0), 1).settings.environment, ElementsAre(Pair("A", "1")));
  EXPECT_THAT(one.needs, Contains("live_environment"));
  const Scenario same = scenario("process a { environment { A 1 } call { } call { } }");
  EXPECT_THAT(same.needs, Not(Contains("live_environment")));
}

TEST(Settings, arch_default_is_the_backends_own) {
  const Scenario one = scenario("arch special process a { call { arch default } call { } }");
  EXPECT_EQ(call(process(one, 0), 0).settings.arch, "");
  EXPECT_EQ(call(process(one, 0), 1).settings.arch, "special");
}

TEST(Steps, come_in_the_order_of_the_file_with_their_lines) {
  const Scenario one = scenario(R"(touch source
      cache { flip "*.so" }
      process a {
        touch header
        cache read_only
        call { }
        touch comment
      })");
  EXPECT_EQ(std::get<TouchStep>(one.steps.at(0)).target, Touch::Target::source);
  EXPECT_EQ(std::get<TouchStep>(one.steps.at(0)).line, 8);
  EXPECT_EQ(std::get<CacheStep>(one.steps.at(1)).kind, CacheAction::Kind::flip);
  EXPECT_EQ(std::get<CacheStep>(one.steps.at(1)).glob, "*.so");
  const ProcessStep& a = process(one, 2);
  EXPECT_EQ(a.name, "a");
  EXPECT_EQ(a.line, 10);
  EXPECT_EQ(std::get<TouchStep>(a.steps.at(0)).target, Touch::Target::header);
  EXPECT_EQ(std::get<CacheStep>(a.steps.at(1)).kind, CacheAction::Kind::read_only);
  EXPECT_EQ(call(a, 2).line, 13);
  EXPECT_EQ(std::get<TouchStep>(a.steps.at(3)).target, Touch::Target::comment);
}

TEST(Steps, a_word_of_a_file_is_touched) {
  const Scenario one = scenario(R"(touch { word some  in "a/b.h" }
      touch { word other }
      process a { call { } })");
  const auto& in_file = std::get<TouchStep>(one.steps.at(0));
  EXPECT_EQ(in_file.target, Touch::Target::word);
  EXPECT_EQ(in_file.word, "some");
  EXPECT_EQ(in_file.file, "a/b.h");
  EXPECT_EQ(std::get<TouchStep>(one.steps.at(1)).file, "");
}

TEST(Steps, every_cache_action_has_its_word) {
  const std::vector<std::pair<std::string, CacheAction::Kind>> actions = {
      {"move", CacheAction::Kind::move},
      {"absent", CacheAction::Kind::absent},
      {"read_only", CacheAction::Kind::read_only},
      {"writable", CacheAction::Kind::writable},
      {"full", CacheAction::Kind::full},
      {"age", CacheAction::Kind::age},
      {"other_owner", CacheAction::Kind::other_owner},
      {"world_writable", CacheAction::Kind::world_writable},
      {"{ truncate \"*\" }", CacheAction::Kind::truncate},
      {"{ remove \"*\"  up 2 }", CacheAction::Kind::remove},
      {"{ replace \"*\"  up 9 }", CacheAction::Kind::replace},
      {"{ protect \"*\" }", CacheAction::Kind::protect},
      {"{ hide \"*\" }", CacheAction::Kind::hide},
  };
  for (const auto& [word, action] : actions) {
    const Scenario one = scenario("cache " + word + "\nprocess a { call { } }");
    EXPECT_EQ(std::get<CacheStep>(one.steps.at(0)).kind, action) << word;
  }
}

TEST(Expect, what_a_check_needs_of_the_adapter_the_scenario_does_not_need) {
  const std::string steps = "process a { call { expect { explained shape  guard.intact yes } } }";
  EXPECT_THAT(scenario(steps).needs, IsEmpty());
  const ScenarioFolder folder;
  EXPECT_THAT(folder.scenarios(scenario_text(steps, "needs \"cache explain\"")).at(0).needs,
              ElementsAre("cache", "explain"));
}

TEST(Expect, what_its_steps_do_the_scenario_needs) {
  EXPECT_THAT(scenario("process a { call { } } touch source process b { call { } }").needs,
              ElementsAre("sources"));
  EXPECT_THAT(scenario("process a { compiler other  call { } }").needs, ElementsAre("toolchain"));
  EXPECT_THAT(scenario("process a { compiler poisoned  call { } }").needs, IsEmpty());
  EXPECT_THAT(scenario("process a { call { arguments reversed } }").needs,
              ElementsAre("named_arguments"));
  EXPECT_THAT(scenario("process a { call { arguments declared } }").needs, IsEmpty());
}

TEST(Expect, shorthands_stand_for_checks) {
  const Scenario one = scenario(R"(process a { call { } }
      process b { call { expect {
        cache hit compiles 0 trials 0 winner a explained shape output.reference yes
      } } call { expect { cache miss outcome failed } } call { expect { outcome done } } })");
  std::vector<std::pair<std::string, std::string>> asked;
  for (const Expectation& each : call(process(one, 1), 0).expectations) {
    asked.emplace_back(each.check->name, each.parameter);
    EXPECT_EQ(each.line, 10);
  }
  EXPECT_THAT(asked, ElementsAre(Pair("key.must_hit", "yes"), Pair("reload.no_compile", "yes"),
                                 Pair("reload.no_trial", "yes"), Pair("reload.same_winner", "a"),
                                 Pair("key.explained", "shape"), Pair("output.reference", "yes")));
  EXPECT_EQ(call(process(one, 1), 0).end, CallEnd::done);
  EXPECT_EQ(call(process(one, 1), 1).expectations.at(0).check->name, "key.must_miss");
  EXPECT_EQ(call(process(one, 1), 1).expectations.size(), 1U);
  EXPECT_EQ(call(process(one, 1), 1).end, CallEnd::failed);
  EXPECT_EQ(call(process(one, 1), 2).end, CallEnd::done);
}

TEST(ResolvedCall, has_layouts_dtypes_and_configs_of_its_settings) {
  const ScenarioFolder folder;
  const Scenario one =
      folder
          .scenarios(scenario_text("process a { call { sizes { n 8 } strides { x n/4 } "
                                   "dtype { y f64 } space { step \"2 16 4\" } } }"))
          .at(0);
  const auto resolved = resolve_call(folder.kernels().at("toy"), call(process(one, 0), 0).settings);
  ASSERT_TRUE(resolved) << resolved.error().text();
  EXPECT_THAT(resolved->dtypes, ElementsAre(DType::f32, DType::f64));
  EXPECT_THAT(resolved->layouts.at(0).dimensions(), ElementsAre(8));
  EXPECT_THAT(resolved->layouts.at(0).steps(), ElementsAre(2));
  EXPECT_THAT(resolved->layouts.at(1).steps(), ElementsAre(1));
  EXPECT_THAT(resolved->configs, ElementsAre(Config{{"step", 2}}, Config{{"step", 4}}));
}

}  // namespace
}  // namespace tunecheck::test
