// What an adapter.info may say.
#include "harness/process/adapter_info.hpp"

#include <gmock/gmock.h>

#include "core/files.hpp"

namespace tunecheck::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::Gt;
using testing::HasSubstr;
using testing::Pair;

Result<AdapterInfo> read(const std::string& cache_variable, const std::string& more = "") {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-adapter-info").value();
  const auto file = folder.path() / "adapter.info";
  EXPECT_TRUE(
      write_file(file, std::string_view("adapter\n{\n  name mine\n  command run\n"
                                        "  cache_variable " +
                                        cache_variable + "\n  backends cpu\n  " + more + "\n}\n")));
  return read_adapter_info(file);
}

// The mistake in a file of this text; "none" where there is none.
std::string parse_adapter(const std::string& text) {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-adapter-info").value();
  EXPECT_TRUE(write_file(folder.path() / "adapter.info", text));
  const auto info = read_adapter_info(folder.path() / "adapter.info");
  return info ? "none" : info.error().text();
}

TEST(AdapterInfoFile, names_the_variable_of_its_cache_folder) {
  for (const std::string variable : {"MY_CACHE", "XDG_CACHE_HOME", "HOME", "PATH_OF_MINE"}) {
    const auto info = read(variable);
    ASSERT_TRUE(info) << info.error().text();
    EXPECT_EQ(info->cache_variable, variable);
  }
}

TEST(AdapterInfoFile, may_not_take_a_variable_that_belongs_to_the_judge) {
  for (const std::string variable :
       {"PATH", "LD_PRELOAD", "TUNECHECK_PROBE_EVIDENCE", "VK_INSTANCE_LAYERS",
        "TUNECHECK_VULKAN_COMPILER", "CUDA_INJECTION64_PATH"}) {
    const auto info = read(variable);
    ASSERT_FALSE(info) << variable;
    EXPECT_THAT(info.error().text(),
                HasSubstr("adapter.info:5: cache_variable: " + variable + " belongs to the judge"));
  }
}

// What is wrong with the file with these further keys, from line 7 on; "none" where nothing is.
std::string mistake_in(const std::string& more) {
  const auto wrong = read("MY_CACHE", more);
  return wrong ? "none" : wrong.error().text();
}

TEST(AdapterInfoFile, names_each_place_by_a_variable_of_its_own) {
  for (const std::string variable : {"\"A B\"", "\"A=B\"", "1A"}) {
    EXPECT_THAT(read(variable).error().text(),
                HasSubstr(":5: cache_variable: expected a name of letters"));
    EXPECT_THAT(mistake_in("compiler_variable " + variable),
                HasSubstr(":7: compiler_variable: expected a name of letters"));
  }
  for (const std::string key : {"compiler_variable", "nvrtc_variable", "hiprtc_variable"}) {
    EXPECT_THAT(mistake_in(key + " LD_PRELOAD"), HasSubstr("LD_PRELOAD belongs to the judge"));
    EXPECT_THAT(mistake_in(key + " MY_CACHE"),
                HasSubstr(":7: " + key + ": MY_CACHE names something else above"));
    EXPECT_EQ(mistake_in(key + " MY_COMPILER"), "none");
  }
}

TEST(AdapterInfoFile, sets_no_variable_by_which_its_tuner_is_observed) {
  for (const std::string variable : {"MY_CACHE", "MY_CXX", "LD_PRELOAD", "LD_AUDIT",
                                     "TUNECHECK_PROBE_EVIDENCE", "CUDA_INJECTION64_PATH"})
    EXPECT_THAT(mistake_in("compiler_variable MY_CXX\nenvironment { " + variable + " x }"),
                HasSubstr(":8: " + variable + ": " + variable + " belongs to the judge"));
  for (const std::string variable : {"\"\"", "\"A=B\"", "1A"})
    EXPECT_THAT(mistake_in("environment { " + variable + " x }"),
                HasSubstr("expected a variable of the environment and its value"));
  EXPECT_THAT(mistake_in("environment { A { B x } }"), HasSubstr(":7: A: expected a variable"));
  EXPECT_THAT(mistake_in("environment { A 1  A 2 }"), HasSubstr(":7: A: A is given twice"));
  EXPECT_EQ(mistake_in("environment { PATH /bin  LANG C  LD_LIBRARY_PATH /lib }"), "none");
}

TEST(AdapterInfoFile, has_a_name_by_which_it_can_be_found) {
  for (const std::string name : {"\"a b\"", "\"a\\nb\"", "mutant:a", "../a"})
    EXPECT_THAT(
        parse_adapter("adapter { name " + name + " command run cache_variable A backends cpu }"),
        HasSubstr(":1: name: expected a name without blanks"));
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-adapter-info").value();
  for (const char* const each : {"one", "two"}) {
    EXPECT_TRUE(create_folders(folder.path() / each));
    EXPECT_TRUE(write_file(folder.path() / each / "adapter.info",
                           "adapter { name mine command run cache_variable A backends cpu }"));
  }
  const auto both = read_adapters(folder.path());
  ASSERT_FALSE(both);
  EXPECT_THAT(both.error().text(), HasSubstr("name: \"mine\" is also the name of "));
}

TEST(AdapterInfoFile, given_by_its_path_is_not_the_reference_tuner) {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-adapter-info").value();
  const auto file = folder.path() / "adapter.info";
  EXPECT_TRUE(write_file(file, std::string_view("adapter\n{\n  name reference\n  command true\n"
                                                "  cache_variable MY_CACHE\n  backends cpu\n}\n")));
  const auto found = find_adapter(file.string());
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().text(),
              HasSubstr("adapter.info:3: name: \"reference\" is tunecheck's own tuner; expected "
                        "another name"));
  const auto own = find_adapter(find_adapter("reference")->file.string());
  EXPECT_TRUE(own) << own.error().text();
}

TEST(AdapterInfoFile, names_a_program_that_may_be_executed) {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-adapter-info").value();
  const auto file = folder.path() / "adapter.info";
  EXPECT_TRUE(write_file(file, std::string_view("adapter\n{\n  name toy\n  command ./toy.py\n"
                                                "  cache_variable MY_CACHE\n  backends cpu\n}\n")));
  EXPECT_TRUE(find_adapter(file.string()));  // what is not there is told when it is run
  EXPECT_TRUE(write_file(folder.path() / "toy.py", std::string_view("#!/usr/bin/env python3\n")));
  const auto found = find_adapter(file.string());
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().text(),
              HasSubstr("adapter.info:4: command: \"./toy.py\" is not executable"));
  EXPECT_EQ(found.error().kind, ErrorKind::bad_input);
  std::filesystem::permissions(folder.path() / "toy.py", std::filesystem::perms::owner_all);
  EXPECT_TRUE(find_adapter(file.string()));
}

TEST(AdapterInfoFile, names_the_version_of_kernels_by_one_file) {
  EXPECT_EQ(mistake_in("kernel_version mine.py"), "none");
  for (const std::string wrong : {"a b", "../x.py", "sub/x.py", "a.py,b.py"})
    EXPECT_THAT(
        mistake_in("kernel_version \"" + wrong + "\""),
        HasSubstr("kernel_version: expected the name of one file in a kernel's folder, found "
                  "\"" +
                  wrong + "\""));
}

TEST(AdapterInfoFile, has_a_time_limit_between_a_second_and_a_day) {
  EXPECT_EQ(read("MY_CACHE", "time_limit 86400").value().time_limit, std::chrono::hours(24));
  for (const std::string limit : {"0", "-1", "86401"}) {
    const auto info = read("MY_CACHE", "time_limit " + limit);
    ASSERT_FALSE(info) << limit;
    EXPECT_THAT(info.error().text(), HasSubstr(":7: time_limit: expected seconds from 1 to 86400"));
  }
}

TEST(AdapterInfoFile, says_how_its_tuner_is_told_how_much_to_search) {
  const auto info = read("MY_CACHE", "efforts { minimal { EFFORT quick } full { EFFORT all } }");
  ASSERT_TRUE(info) << info.error().text();
  EXPECT_EQ(info->efforts.size(), 2U);
  EXPECT_THAT(info->efforts.at("full"), ElementsAre(Pair("EFFORT", "all")));
  const auto mistake = [](const std::string& text) {
    const auto wrong = read("MY_CACHE", text);
    return wrong ? "none" : wrong.error().text();
  };
  EXPECT_THAT(mistake("efforts { quick { EFFORT quick } }"),
              HasSubstr("expected minimal, balanced, extensive or full, found \"quick\""));
  EXPECT_THAT(mistake("efforts { full { PATH all } }"), HasSubstr("belongs to the judge"));
  EXPECT_THAT(mistake("efforts { full { } }"), HasSubstr("expected at least one variable"));
}

TEST(AdapterInfoFile, has_sections_of_variables_that_are_the_tuners_own) {
  const auto mistake = [](const std::string& text) {
    const auto wrong = read("MY_CACHE", text);
    return wrong ? "none" : wrong.error().text();
  };
  for (const std::string name : {"HOME", "TMPDIR", "XDG_CACHE_HOME", "MY_CACHE", "LD_PRELOAD"}) {
    const std::string expected = name + " belongs to the judge; expected the tuner's own variable";
    for (const char* const section : {"caching_off", "searching_anew", "upgrade"})
      EXPECT_THAT(mistake(section + (" { " + name + " x }")), HasSubstr(expected)) << section;
    EXPECT_THAT(mistake("other_version { command other environment { " + name + " x } }"),
                HasSubstr(expected));
  }
  for (const std::string name : {"\"A=B\"", "\"A B\"", "1A", "\"\""})
    EXPECT_THAT(mistake("caching_off { " + name + " x }"),
                HasSubstr("expected a variable of the environment and its value"))
        << name;
  EXPECT_THAT(mistake("caching_off { A { b c } }"), HasSubstr("expected a variable"));
  EXPECT_THAT(mistake("caching_off { A b  A c }"), HasSubstr("A is given twice"));
  EXPECT_EQ(mistake("caching_off { A b  B_2 c }"), "none");
}

TEST(AdapterInfoFile, names_the_observers_that_its_processes_need_besides) {
  EXPECT_FALSE(read("MY_CACHE").value().is_observed_by(vulkan_observer));
  EXPECT_TRUE(read("MY_CACHE", "observers vulkan").value().is_observed_by(vulkan_observer));
  const auto info = read("MY_CACHE", "observers opengl");
  ASSERT_FALSE(info);
  EXPECT_THAT(info.error().text(),
              HasSubstr(":7: observers: expected fftw or vulkan, found \"opengl\""));
}

TEST(AdapterInfoFile, declares_how_often_a_winner_is_warmed_up) {
  EXPECT_EQ(read("MY_CACHE").value().warm_up_launches, 0);
  EXPECT_EQ(read("MY_CACHE", "policies { warm_up 3 }").value().warm_up_launches, 3);
  const auto info = read("MY_CACHE", "policies { warm_up -1 }");
  ASSERT_FALSE(info);
  EXPECT_THAT(info.error().text(), HasSubstr("warm_up: expected launches from 0 to 1000"));
}

TEST(AdapterInfoFile, can_be_asked_what_its_tuner_does_not_promise) {
  const auto info = read("MY_CACHE", "capabilities cache\n  unpromised \"validation isolation\"");
  ASSERT_TRUE(info) << info.error().text();
  EXPECT_TRUE(info->has("cache"));
  EXPECT_TRUE(info->promises("cache"));
  EXPECT_TRUE(info->has("isolation"));
  EXPECT_FALSE(info->promises("isolation"));
  EXPECT_FALSE(info->promises("artifact"));
}

TEST(AdapterInfoFile, names_checks_that_observers_cannot_answer_with_the_reason) {
  const auto info = read("MY_CACHE", "unseen { launches.traced \"stored compressed\" }");
  ASSERT_TRUE(info) << info.error().text();
  EXPECT_THAT(info->unseen, ElementsAre(Pair("launches.traced",
                                             AllOf(Field(&UnseenCheck::reason, "stored compressed"),
                                                   Field(&UnseenCheck::line, Gt(0))))));
  const auto silent = read("MY_CACHE", "unseen { launches.traced }");
  ASSERT_FALSE(silent);
  EXPECT_THAT(silent.error().text(), HasSubstr("launches.traced: expected the reason"));
  const auto twice = read("MY_CACHE", "unseen { a.b \"c\"  a.b \"d\" }");
  ASSERT_FALSE(twice);
  EXPECT_THAT(twice.error().text(), HasSubstr("given twice"));
}

TEST(AdapterInfoFile, says_a_capability_once) {
  const auto info = read("MY_CACHE", "capabilities cache\n  unpromised cache");
  ASSERT_FALSE(info);
  EXPECT_THAT(info.error().text(), HasSubstr(":8: unpromised: cache is given twice"));
  const auto unknown = read("MY_CACHE", "unpromised cahce");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().text(), HasSubstr(":7: unpromised: unknown capability \"cahce\""));
}

TEST(AdapterInfoFile, names_variables_of_the_key_and_others_with_two_values_each) {
  const auto info =
      read("MY_CACHE",
           "variables { keyed { A { from 1 to 2 } B { to \"\" backends \"cpu hip\" } }\n"
           "free { C { from x } } }");
  ASSERT_TRUE(info) << info.error().text();
  ASSERT_EQ(info->keyed_variables.size(), 2U);
  EXPECT_EQ(info->keyed_variables[0].from, "1");
  EXPECT_EQ(info->keyed_variables[0].to, "2");
  EXPECT_EQ(info->keyed_variables[1].from, std::nullopt);
  EXPECT_EQ(info->keyed_variables[1].to, "");
  EXPECT_TRUE(info->keyed_variables[1].holds_on(DeviceKind::hip));
  EXPECT_FALSE(info->keyed_variables[1].holds_on(DeviceKind::cuda));
  EXPECT_TRUE(info->free_variables.at(0).holds_on(DeviceKind::cuda));
  EXPECT_TRUE(info->has("keyed_variables"));
  EXPECT_TRUE(info->has("free_variables"));
  EXPECT_FALSE(read("MY_CACHE").value().has("keyed_variables"));
}

TEST(AdapterInfoFile, may_not_promise_what_the_judge_decides) {
  for (const std::string variable :
       {"MY_CACHE", "MY_CXX", "HOME", "TMPDIR", "PATH", "LD_PRELOAD", "TUNECHECK_PROBE_EVIDENCE",
        "CUDA_INJECTION64_PATH", "MESA_SHADER_CACHE_DIR"}) {
    const auto info = read("MY_CACHE", "compiler_variable MY_CXX\n  variables { keyed { " +
                                           variable + " { to 1 } } }");
    ASSERT_FALSE(info) << variable;
    EXPECT_THAT(info.error().text(),
                HasSubstr("adapter.info:8: " + variable + ": " + variable +
                          " belongs to the judge; expected a variable of the tuner's own"));
  }
}

TEST(AdapterInfoFile, has_mistakes_in_variables_of_its_own_and_not_in_a_scenario) {
  for (const auto& [variables, expected] :
       {std::pair(std::string("keyed { \"A B\" { to 1 } }"), "A B: expected a name of letters"),
        std::pair(std::string("keyed { A=B { to 1 } }"), "A=B: expected a name of letters"),
        std::pair(std::string("keyed { 1A { to 1 } }"), "1A: expected a name of letters"),
        std::pair(std::string("keyed { A { to 1 }\n  A { to 2 } }"), ":8: A: given twice"),
        std::pair(std::string("keyed { A { to 1 }\n  a { to 2 } }"), ":8: a: given twice"),
        std::pair(std::string("keyed { A { to 1 } }\n  free { A { to 2 } }"), ":8: A: given twice"),
        std::pair(std::string("keyed { A { from $to to 2 } }"),
                  "from: expected a value without")}) {
    const auto info = read("MY_CACHE", "variables { " + variables + " }");
    ASSERT_FALSE(info) << variables;
    EXPECT_THAT(info.error().text(), HasSubstr(expected));
  }
}

TEST(AdapterInfoFile, says_of_a_variable_what_can_be_tried) {
  const auto mistake = [](const std::string& more) {
    const auto info = read("MY_CACHE", more);
    return info ? "" : info.error().text();
  };
  EXPECT_THAT(mistake("variables { free { A { } } }"),
              HasSubstr("A: expected two different values"));
  EXPECT_THAT(mistake("variables { free { A { from 1 to 1 } } }"),
              HasSubstr("A: expected two different values"));
  EXPECT_THAT(mistake("environment { A 1 }\n  variables { keyed { A { to 1 } } }"),
              HasSubstr("A: expected another value than \"1\", which `environment` gives it"));
  EXPECT_EQ(mistake("environment { A 1 }\n  variables { keyed { A { to 2 } } }"), "");
  EXPECT_THAT(mistake("variables { free { A { from { B 1 } } } }"),
              HasSubstr("from: expected a value, found braces"));
  EXPECT_THAT(mistake("variables { free { } }"), HasSubstr("free: expected variables in braces"));
  EXPECT_THAT(mistake("variables { other { A { to 1 } } }"), HasSubstr("unknown key \"other\""));
  EXPECT_THAT(mistake("variables { free { A { to 1 backends gpu } } }"), HasSubstr("backends"));
  EXPECT_THAT(mistake("capabilities keyed_variables"),
              HasSubstr("capabilities: keyed_variables follows from `variables`"));
}

TEST(AdapterInfoFile, names_the_variables_that_switch_the_cache_off) {
  EXPECT_TRUE(read("MY_CACHE").value().caching_off.empty());
  const std::map<std::string, std::string> off = {{"MY_CACHE_OFF", "1"}, {"OTHER", "no words"}};
  EXPECT_EQ(
      read("MY_CACHE", "caching_off { MY_CACHE_OFF 1  OTHER \"no words\" }").value().caching_off,
      off);
  for (const std::string variable : {"LD_PRELOAD", "PATH", "TUNECHECK_FAULT_POINT", "MY_CACHE"}) {
    const auto info = read("MY_CACHE", "caching_off { " + variable + " 1 }");
    ASSERT_FALSE(info) << variable;
    EXPECT_THAT(info.error().text(), HasSubstr(":7: " + variable + ": "));
    EXPECT_THAT(info.error().text(), HasSubstr("expected the tuner's own variable"));
  }
  EXPECT_FALSE(read("MY_CACHE", "caching_off { }"));
}

TEST(AdapterInfoFile, declares_what_another_budget_of_a_search_does) {
  EXPECT_FALSE(read("MY_CACHE").value().search_effort);
  const auto effort = [](const std::string& word) {
    return read("MY_CACHE", "policies { search_effort " + word + " }");
  };
  EXPECT_EQ(effort("in_key").value().search_effort, SearchEffort::in_key);
  EXPECT_EQ(effort("ignored").value().search_effort, SearchEffort::ignored);
  EXPECT_EQ(effort("upgrade").value().search_effort, SearchEffort::upgrade);
  EXPECT_THAT(effort("much").error().text(),
              HasSubstr("search_effort: expected in_key, ignored or upgrade, found \"much\""));
}

TEST(AdapterInfoFile, names_another_version_which_is_otherwise_the_same) {
  EXPECT_FALSE(read("MY_CACHE").value().other_version);
  const AdapterInfo info =
      read("MY_CACHE",
           "environment { A 1  B 1 } other_version { command older  arguments \"--x y\"  "
           "environment { B 2 } }")
          .value();
  const AdapterInfo other = info.of_other_version();
  EXPECT_THAT(other.command, testing::ElementsAre("older", "--x", "y"));
  EXPECT_EQ(other.environment, (std::map<std::string, std::string>{{"A", "1"}, {"B", "2"}}));
  EXPECT_EQ(other.cache_variable, info.cache_variable);
  EXPECT_EQ(other.name, info.name);
  const auto nothing = read("MY_CACHE", "other_version { arguments x }");
  ASSERT_FALSE(nothing);
  EXPECT_THAT(nothing.error().text(), HasSubstr("command: expected \"command\""));
}

// A program without such an option might do anything with it.
TEST(AdapterInfoFile, that_does_not_say_so_has_no_mutants_and_is_not_asked) {
  EXPECT_TRUE(read("MY_CACHE", "mutants yes").value().has_mutants);
  const AdapterInfo info = read("MY_CACHE").value();
  EXPECT_FALSE(info.has_mutants);
  EXPECT_THAT(list_mutants_of(info).value(), testing::IsEmpty());
}

// Why there is no list of mutants, of an adapter that is asked for it by this script.
std::string list_trouble(const std::string& script) {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-adapter-info").value();
  AdapterInfo info = read("MY_CACHE", "mutants yes time_limit 1").value();
  info.file = folder.path() / "adapter.info";
  info.command = {"./run"};
  EXPECT_TRUE(write_file(folder.path() / "run", "#!/bin/sh\n" + script));
  std::filesystem::permissions(folder.path() / "run", std::filesystem::perms::owner_all);
  const auto listed = list_mutants_of(info);
  if (listed) return fmt::format("none: {} mutants", listed->size());
  const std::string text = listed.error().text();
  const std::string asked =
      (folder.path() / "./run").string() + " --list did not print its mutants: ";
  EXPECT_THAT(text, testing::StartsWith(asked));
  return text.substr(std::min(text.size(), asked.size()));
}

TEST(AdapterInfoFile, whose_program_does_not_list_its_mutants_as_it_should_is_told_how) {
  const auto printing = [](const std::string& json) { return "echo '" + json + "'\n"; };
  const std::string one = R"({"name": "a", "summary": "b"})";
  EXPECT_EQ(list_trouble(printing("[" + one + "]")), "none: 1 mutants");
  EXPECT_EQ(list_trouble(printing("[" + one + ", " + one + "]")), "it names \"a\" twice");
  EXPECT_EQ(list_trouble(printing("[" + one + "]") + "exit 3"), "exit status 3");
  EXPECT_EQ(list_trouble("exec sleep 20"), "it was killed after 1000 ms");
  EXPECT_THAT(list_trouble("echo '[{}]'"), HasSubstr("name"));
}

TEST(AdapterInfoFile, declares_what_it_promises_of_results) {
  EXPECT_EQ(read("MY_CACHE").value().result_policy, std::nullopt);
  EXPECT_EQ(read("MY_CACHE", "policies { result bitwise }").value().result_policy,
            ResultPolicy::bitwise);
  EXPECT_EQ(read("MY_CACHE", "policies { result tolerance }").value().result_policy,
            ResultPolicy::tolerance);
  const auto info = read("MY_CACHE", "policies { result roughly }");
  ASSERT_FALSE(info);
  EXPECT_THAT(info.error().text(),
              HasSubstr("result: expected bitwise or tolerance, found \"roughly\""));
}

TEST(AdapterInfoFile, declares_in_which_calls_it_tunes) {
  EXPECT_EQ(read("MY_CACHE").value().tuning_calls, 1);
  EXPECT_EQ(read("MY_CACHE", "policies { tuning_calls 5 }").value().tuning_calls, 5);
  const auto info = read("MY_CACHE", "policies { tuning_calls 0 }");
  ASSERT_FALSE(info);
  EXPECT_THAT(info.error().text(), HasSubstr("tuning_calls: expected calls from 1 to 1000"));
}

TEST(AdapterInfoFile, says_how_its_tuner_is_told_of_a_remote_cache) {
  const std::string section =
      "remote { redis { MY_URL \"redis://HOST:PORT\" }  key_variable MY_KEY  salt_variable MY_SALT "
      "}";
  const auto info =
      read("MY_CACHE", "capabilities \"cache remote remote_key remote_salt\"\n" + section);
  ASSERT_TRUE(info) << info.error().text();
  EXPECT_EQ(info->remote.servers.at(RemoteServerKind::redis).at("MY_URL"), "redis://HOST:PORT");
  EXPECT_FALSE(info->remote.servers.contains(RemoteServerKind::http));
  EXPECT_EQ(info->remote.key_variable, "MY_KEY");
  EXPECT_EQ(info->remote.salt_variable, "MY_SALT");
  EXPECT_TRUE(info->remote.one_of_libraries.empty());
}

TEST(AdapterInfoFile, tells_of_other_places_by_variables_of_the_tuners_own) {
  for (const std::string variable : {"LD_PRELOAD", "HOME", "MY_CACHE"})
    for (const std::string& section :
         {"capabilities remote\n  remote { redis { " + variable + " \"HOST:PORT\" } }",
          "capabilities table\n  table { write { " + variable + " PLACE } read { A PLACE } }",
          "capabilities bundle\n  bundle { variables { " + variable + " PLACE } }"})
      EXPECT_THAT(mistake_in(section),
                  HasSubstr(":8: " + variable + ": " + variable + " belongs to the judge"));
  EXPECT_THAT(
      mistake_in("capabilities \"remote remote_key\"\n  remote { redis { A \"HOST:PORT\" }\n"
                 "key_variable PATH }"),
      HasSubstr(":9: key_variable: PATH belongs to the judge"));
  EXPECT_THAT(
      mistake_in("capabilities \"remote remote_salt\"\n  remote { redis { A \"HOST:PORT\" }\n"
                 "salt_variable \"A B\" }"),
      HasSubstr(":9: salt_variable: expected a name of letters"));
  EXPECT_THAT(mistake_in("capabilities \"bundle bundle_key\"\n  bundle { variables { A PLACE }\n"
                         "key_variable LD_PRELOAD }"),
              HasSubstr(":9: key_variable: LD_PRELOAD belongs to the judge"));
}

TEST(AdapterInfoFile, promises_of_a_remote_cache_what_it_says_how_to_do) {
  EXPECT_THAT(read("MY_CACHE", "capabilities \"cache remote\"").error().text(),
              HasSubstr("remote expects the section remote"));
  EXPECT_THAT(read("MY_CACHE", "capabilities \"cache remote remote_key\"\nremote { redis { A B } }")
                  .error()
                  .text(),
              HasSubstr("remote_key expects the section remote"));
  EXPECT_THAT(read("MY_CACHE", "remote { redis { A B } }").error().text(),
              HasSubstr("expected the capability \"remote\""));
}

TEST(AdapterInfoFile, says_how_its_tuner_is_told_of_tables_and_bundles) {
  const std::string sections =
      "table { write { OUT \"PLACE/t\" }  read { IN \"PLACE/t\" } }\n"
      "bundle { variables { BUNDLES PLACE }  key_variable KEY }";
  const auto info = read("MY_CACHE", "capabilities \"cache table bundle bundle_key\"\n" + sections);
  ASSERT_TRUE(info) << info.error().text();
  EXPECT_THAT(info->table.write, ElementsAre(Pair("OUT", "PLACE/t")));
  EXPECT_THAT(info->table.read, ElementsAre(Pair("IN", "PLACE/t")));
  EXPECT_THAT(info->bundle.variables, ElementsAre(Pair("BUNDLES", "PLACE")));
  EXPECT_EQ(info->bundle.key_variable, "KEY");
}

TEST(AdapterInfoFile, promises_of_tables_and_bundles_what_it_says_how_to_do) {
  const auto error_of = [](const std::string& text) {
    return read("MY_CACHE", text).error().text();
  };
  EXPECT_THAT(error_of("capabilities \"cache table\""), HasSubstr("expects the section table"));
  EXPECT_THAT(error_of("table { write { A PLACE }  read { B PLACE } }"),
              HasSubstr("expected the capability \"table\""));
  EXPECT_THAT(error_of("capabilities \"cache table\"\ntable { write { A b }  read { B PLACE } }"),
              HasSubstr("one of which has PLACE in its value"));
  EXPECT_THAT(
      error_of("capabilities \"cache bundle\"\nbundle { variables { A PLACE } key_variable B }"),
      HasSubstr("\"bundle_key\" and key_variable together"));
}

TEST(AdapterInfoFile, names_what_makes_a_process_one_of_another_version) {
  const auto info = read("MY_CACHE", "upgrade { RULES 2 }\nrelease { NUMBER 1.1 }").value();
  EXPECT_THAT(info.upgrade, ElementsAre(Pair("RULES", "2")));
  EXPECT_THAT(info.release, ElementsAre(Pair("NUMBER", "1.1")));
  EXPECT_THAT(read("MY_CACHE", "upgrade { }").error().text(), HasSubstr("at least one variable"));
}

}  // namespace
}  // namespace tunecheck::test
