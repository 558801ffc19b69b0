// Every mistake in a scenario file is one error with the file, the line, the key and what was
// expected.
#include <gmock/gmock.h>

#include "scenario_folder.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;

struct Mistake {
  std::string name;
  std::string text;
  int line;
  std::string key;
  std::string message;  ///< a part of it
};

void PrintTo(const Mistake& mistake, std::ostream* stream) {
  *stream << mistake.name;
}

class ScenarioMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(ScenarioMistakes, have_file_line_key_and_what_was_expected) {
  const ScenarioFolder folder;
  const auto read = folder.read(GetParam().text);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().file, folder.file());
  EXPECT_EQ(read.error().line, GetParam().line) << read.error().text();
  EXPECT_EQ(read.error().key, GetParam().key) << read.error().text();
  EXPECT_THAT(read.error().message, HasSubstr(GetParam().message));
}

std::string head(const std::string& line) {
  return scenario_text("process cold { call { } }", line);
}

std::string call_with(const std::string& line) {
  return scenario_text("process cold { call {\n" + line + "\n} }");
}

std::string one_expectation(const std::string& line) {
  return call_with("expect {\n" + line + "\n}");
}

const std::string right = head("");

const std::vector<Mistake> mistakes_in_the_head = {
    {"empty_file", "", 1, "scenario", "expected at least one"},
    {"another_section", "scenarios { }", 1, "scenarios", "expected \"scenario\""},
    {"unbalanced_braces", right.substr(0, right.size() - 3), 9, "", "expected a '}' for every '{'"},
    {"brace_too_many", right + "}\n", 10, "", "syntax error"},
    {"directive", "#include \"other.info\"\n", 1, "#", "directives are not supported"},
    {"unknown_key", head("becuase \"x\""), 6, "becuase", "did you mean \"because\"?"},
    {"key_twice", head("because \"again\""), 6, "because", "given twice"},
    {"no_name", with(right, "name     test.toy", ""), 1, "name", "expected \"name\""},
    {"no_because", with(right, "because  \"a bug\"", ""), 1, "because", "expected \"because\""},
    {"no_kernel", with(right, "kernel   toy", ""), 1, "kernel", "expected \"kernel\""},
    {"no_steps", "scenario\n{\nname a.b\nbecause c\nkernel toy\n}\n", 1, "steps",
     "expected \"steps\""},
    {"name_without_family", with(right, "test.toy", "toy"), 3, "name", "expected FAMILY.NAME"},
    {"name_in_capitals", with(right, "test.toy", "test.Toy"), 3, "name", "expected FAMILY.NAME"},
    {"name_in_braces", with(right, "test.toy", "{ test toy }"), 3, "name", "found braces"},
    {"unknown_kernel", with(right, "kernel   toy", "kernel   toyy"), 5, "kernel",
     "did you mean \"toy\"?"},
    {"unknown_capability", head("needs \"cache artefact\""), 6, "needs",
     "unknown capability \"artefact\"; did you mean \"artifact\"?"},
    {"time_limit_in_words", head("time_limit long"), 6, "time_limit", "expected an integer"},
    {"time_limit_of_nothing", head("time_limit 0"), 6, "time_limit",
     "expected seconds from 1 to 86400, found 0"},
    {"time_limit_of_years", head("time_limit 999999999"), 6, "time_limit",
     "expected seconds from 1 to 86400"},
    {"measures_and_waits", head("measures yes waits yes"), 6, "waits",
     "expected measures or waits, found both"},
    {"measures_maybe", head("measures maybe"), 6, "measures", "expected yes or no"},
    {"watch_maybe", head("watch 1"), 6, "watch", "expected yes or no"},
    {"bears_no_check", head("bears { someone some.check }"), 6, "someone",
     "expected pass, error or the name of a check, found \"some.check\""},
    {"catches_in_braces", head("catches { no_restore }"), 6, "catches", "expected words"},
};

const std::vector<Mistake> mistakes_in_steps = {
    {"hook_for_what_is_read", scenario_text("hook_zeroes x"), 8, "hook_zeroes",
     "unknown tensor that is written \"x\""},
    {"no_process", scenario_text("size smoke"), 7, "steps", "expected at least one process"},
    {"steps_as_a_word", with(right, "steps {", "steps now {"), 7, "steps",
     "expected keys in braces"},
    {"unknown_step", scenario_text("proces cold { call { } }"), 8, "proces",
     "unknown step \"proces\"; did you mean \"process\"?"},
    {"process_without_name", scenario_text("process { call { } }"), 8, "process",
     "expected a name for the process"},
    {"process_without_call", scenario_text("process cold { }"), 8, "process",
     "expected at least one call"},
    {"process_name_twice", scenario_text("process a { call { } }\nprocess a { call { } }"), 9,
     "process", "there already is a process \"a\""},
    {"process_named_like_a_folder_of_the_workspace", scenario_text("process cache { call { } }"), 8,
     "process", "expected another name"},
    {"expect_outside_of_a_call", scenario_text("process a { call { }\nexpect { cache hit } }"), 9,
     "expect", "unknown step \"expect\""},
    {"process_in_a_call", call_with("process b { }"), 9, "process", "unknown step"},
    {"call_with_a_word", scenario_text("process a { call warm { } }"), 8, "call",
     "expected keys in braces, found \"warm\""},
    {"environment_after_the_first_call",
     scenario_text("process a { call { }\nenvironment { A 1 }\ncall { } }"), 9, "environment",
     "expected before the first call"},
    {"compiler_after_the_first_call",
     scenario_text("process a { call { }\ncompiler poisoned\ncall { } }"), 9, "compiler",
     "expected \"poisoned\" before the first call"},
    {"no_compiler_after_the_first_call",
     scenario_text("process a { call { }\ncompiler absent\ncall { } }"), 9, "compiler",
     "expected \"absent\" before the first call"},
    {"environment_of_a_call_among_others",
     scenario_text("process a { parallel { call { environment { A 1 } }\n call { environment { A 1 "
                   "} } } }"),
     8, "environment", "expected in a call that is made alone"},
    {"compiler_in_a_call", call_with("compiler slow"), 9, "compiler", "expected in a process"},
    {"touch_of_nothing", scenario_text("touch everything"), 8, "touch",
     "unknown target \"everything\""},
    {"touch_in_braces", scenario_text("touch { source }"), 8, "source",
     "Expected one of: in, word"},
    {"touch_of_a_file_elsewhere", scenario_text("touch { word a  in \"../b\" }"), 8, "touch",
     "expected a file below the kernel's folder"},
    {"touch_of_an_absolute_file", scenario_text("touch { word a  in \"/b\" }"), 8, "touch",
     "expected a file below the kernel's folder"},
    {"unknown_cache_action", scenario_text("cache burn"), 8, "cache",
     "expected move, absent, read_only"},
    {"cache_action_in_braces", scenario_text("cache { burn \"*\" }"), 8, "cache",
     "{ WORD GLOB } with one of truncate, flip, remove, replace, protect, hide"},
    {"hidden_folder", scenario_text("cache { hide \"*\"\nup 1 }"), 9, "up", "unknown key"},
    {"damage_above_everything", scenario_text("cache { remove \"*\"\nup 10 }"), 9, "up",
     "0 to 9 folders"},
    {"removed_at_a_place", scenario_text("cache { remove \"*\"\nat 10 }"), 9, "at", "unknown key"},
    {"restored_without_being_saved", scenario_text("cache restore\ncache save"), 8, "cache",
     "expected `cache save` before it"},
    {"room_for_nothing", scenario_text("cache { room 1 }"), 8, "room", "at least 4 KiB"},
    {"damage_of_a_process_that_never_was", scenario_text("cache { flip \"*\"\nof cold }"), 9, "of",
     "expected the name of an earlier process, found \"cold\""},
    {"damage_of_a_process_within_another",
     scenario_text("process a { call { } } process b { call { }\ncache {\nflip \"*\"\nof a } }"),
     11, "of", "expected between processes"},
    {"caching_maybe", scenario_text("process a {\ncaching maybe\ncall { } }"), 9, "caching",
     "expected on or off, found \"maybe\""},
    {"searching_maybe", scenario_text("process a {\nsearching maybe\ncall { } }"), 9, "searching",
     "expected on, off, anew or last, found \"maybe\""},
    {"effort_of_a_number", scenario_text("process a {\neffort 2\ncall { } }"), 9, "effort",
     "expected minimal, balanced, extensive or full, found \"2\""},
    {"effort_of_a_call", call_with("effort full"), 9, "effort", "before its first call"},
    {"version_of_a_number", scenario_text("process a {\nversion 2\ncall { } }"), 9, "version",
     "expected own, other, upgrade or release, found \"2\""},
    {"version_of_a_call", call_with("version other"), 9, "version", "before its first call"},
    {"no_compile_job", call_with("compile_jobs 0"), 9, "compile_jobs",
     "expected a whole number from 1 to 63, found \"0\""},
    {"too_many_compile_jobs", call_with("compile_jobs 64"), 9, "compile_jobs",
     "expected a whole number from 1 to 63, found \"64\""},
    {"remote_of_a_word", scenario_text("process a {\nremote redis\ncall { } }"), 9, "remote",
     "expected keys in braces"},
    {"remote_server", scenario_text("process a { remote {\nserver memcached\n} call { } }"), 9,
     "server", "expected one of redis, http, found \"memcached\""},
    {"remote_way", scenario_text("process a { remote {\nway up\n} call { } }"), 9, "way",
     "expected one of plain, down, hangs, slow, garbage, truncated, found \"up\""},
    {"remote_key", scenario_text("process a { remote {\nkey ours\n} call { } }"), 9, "key",
     "expected one of own, other, none"},
    {"remote_word", scenario_text("process a { remote {\nserer x\n} call { } }"), 9, "serer",
     "did you mean \"server\"?"},
    {"remote_of_a_call", call_with("remote { server redis }"), 9, "remote",
     "before its first call"},
    {"remote_values", scenario_text("process a { call { } }\nremote_values burn"), 9,
     "remote_values", "expected one of clear, flip, truncate, replace, swap, found \"burn\""},
    {"table_files", scenario_text("process a { call { } }\ntable_files burn"), 9, "table_files",
     "expected one of clear, flip, truncate, replace, found \"burn\""},
    {"bundle_files_at", scenario_text("process a { call { } }\nbundle_files { flip 101 }"), 9,
     "flip", "expected 0 to 100, percent of the file"},
    {"table_word", scenario_text("table maybe\nprocess a { call { } }"), 8, "table",
     "expected one of write, read, none, found \"maybe\""},
    {"table_of_a_call", call_with("table read"), 9, "table", "before its first call"},
    {"bundle_word", scenario_text("bundle maybe\nprocess a { call { } }"), 8, "bundle",
     "expected yes, no or { key KEY }"},
    {"config_of_some", call_with("config { nonsense 1 }"), 9, "config", "a value for"},
    {"caching_of_a_call", call_with("caching off"), 9, "caching", "before its first call"},
    {"caching_of_some_calls",
     scenario_text("process a {\nparallel {\ncaching off\nrepeat 2 { call { } } } }"), 10,
     "caching", "expected in a process, before its first call"},
    {"damage_past_the_end", scenario_text("cache { flip \"*\"\nat 101 }"), 9, "at", "0 to 100"},
    {"damage_and_more", scenario_text("cache { flip \"*\"\nwith care }"), 9, "with", "unknown key"},
    {"kill_in_no_call", scenario_text("process a {\nkill compiles_1\ncall { } }"), 9, "kill",
     "expected a call in this process with expect { outcome killed }"},
    {"space_value_twice", call_with("space { step \"1 2 1\" }"), 9, "step", "1 is given twice"},
    {"kill_at_no_point", scenario_text("process a {\nkill at_once\ncall { } }"), 9, "kill",
     "expected compiles_N, launches_N, configs_N, or before_"},
    {"freeze_at_a_file_operation", scenario_text("process a {\nfreeze before_write_1\ncall { } }"),
     9, "freeze", "expected compiles_N, launches_N or configs_N"},
    {"kill_in_the_middle_of_a_rename",
     scenario_text("process a {\nkill during_rename_1\ncall { } }"), 9, "kill",
     "found \"during_rename_1\""},
    {"kill_before_the_first_of_all", scenario_text("process a {\nkill before_write_0\ncall { } }"),
     9, "kill", "expected"},
    {"fail_without_an_error", scenario_text("process a {\nfail write_1\ncall { } }"), 9, "fail",
     "expected OPERATION_N_ERROR"},
    {"fail_with_an_unknown_error", scenario_text("process a {\nfail write_1_ebad\ncall { } }"), 9,
     "fail", "one of enospc, edquot"},
    {"kill_and_fail", scenario_text("process a { kill compiles_1  fail write_1_eio  call { } }"), 8,
     "process", "expected kill or fail, found both"},
    {"kill_after_the_first_call", scenario_text("process a { call { }\nkill compiles_1 }"), 9,
     "kill", "expected before the first call"},
    {"killed_by_nobody", scenario_text("process a {\ncall { expect { outcome killed } } }"), 9,
     "outcome", "expected kill in the process"},
    {"frozen_but_not_killed", scenario_text("process a {\nfreeze compiles_1\ncall { } }"), 9,
     "freeze", "expected a call in this process with expect { outcome killed }"},
    {"killed_and_more",
     scenario_text("process a { kill compiles_1\ncall { expect { outcome killed  cache hit } } }"),
     9, "key.must_hit", "expected nothing beside outcome killed"},
    {"kill_and_freeze",
     scenario_text("process a { freeze compiles_1\nkill compiles_9\n"
                   "call { expect { outcome killed } } }"),
     9, "kill", "expected one in a process, found another"},
    {"fail_twice", scenario_text("process a { fail write_1_enospc\nfail lock_1_enolck\ncall { } }"),
     9, "fail", "expected one in a process, found another"},
    {"waits_beside_a_search", scenario_text("process a { call { wait no }\ncall { wait yes } }"), 9,
     "call", "expected a rest before it: the search for the call of line 8"},
    {"another_key_beside_a_search",
     scenario_text("process a { wait no  call { }\ncall { strides { y 2 } } }"), 9, "call",
     "expected a rest before it"},
    {"parallel_with_one_process", scenario_text("parallel { process a { call { } } }"), 8,
     "parallel", "expected at least two processes"},
    {"parallel_with_a_touch", scenario_text("parallel {\ntouch source\n}"), 9, "touch",
     "unknown step \"touch\""},
    {"touch_among_parallel_processes",
     scenario_text("parallel { process a { call { } }\nprocess b { call { }\ntouch source } }"), 10,
     "touch", "expected outside of parallel"},
    {"parallel_with_one_call", scenario_text("process a { parallel { call { } } }"), 8, "parallel",
     "expected at least two calls"},
    {"parallel_calls_for_other_keys",
     scenario_text("process a { parallel { call { }\ncall { size full } } }"), 8, "parallel",
     "expected calls with the same settings"},
    {"waits_for_itself",
     scenario_text("parallel { process a { call { } }\nprocess b { waits_for b  call { } } }"), 9,
     "waits_for", "expected an earlier process of the same parallel (a), found \"b\""},
    {"waits_alone", scenario_text("process a { waits_for b  call { } }"), 8, "waits_for",
     "expected in a process of a parallel"},
    {"rest_before_the_first_call", scenario_text("process a {\nrest 5\ncall { } }"), 9, "rest",
     "expected after the first call"},
    {"rest_for_ever", scenario_text("process a { call { }\nrest always\ncall { } }"), 9, "rest",
     "expected seconds from 1 to 600, found \"always\""},
    {"export_not", scenario_text("process a { call { }\nexport no\ncall { } }"), 9, "export",
     "expected yes or { key KEY }"},
    {"import_with_a_wrong_key", scenario_text("process a {\nimport { key mine }\ncall { } }"), 9,
     "key", "expected one of own, other, none"},
    {"import_alone", scenario_text("process a { import yes }"), 8, "process",
     "expected at least one call"},
    {"wait_perhaps", scenario_text("process a {\nwait perhaps\ncall { } }"), 9, "wait",
     "expected yes or no"},
    {"barrier_alone", scenario_text("process a { call { }\nbarrier b\ncall { } }"), 9, "barrier",
     "expected in a process of a parallel"},
    {"barrier_that_one_never_reaches",
     scenario_text("parallel {\nprocess a { call { }\nbarrier b\ncall { } }\n"
                   "process c { call { } } }"),
     12, "barrier", "expected the barriers of process \"a\" (b), found none"},
    {"barriers_in_another_order",
     scenario_text("parallel {\nfor \"first in b c\" { process of_$first {\ncall { }\n"
                   "barrier $first\ncall { }\nbarrier d\ncall { } } } }"),
     9, "barrier", "expected the barriers of process \"of_b\" (b, d), found c, d"},
    {"barrier_before_the_first_call",
     scenario_text("parallel {\nprocess a {\nbarrier b\ncall { } }\nprocess c { call { } } }"), 10,
     "barrier", "expected after the first call"},
    {"barrier_without_a_call_after_it",
     scenario_text("parallel {\nprocess a { call { }\nbarrier b }\n"
                   "process c { call { }\nbarrier b } }"),
     10, "barrier", "expected a call after it"},
    {"barrier_without_a_name", scenario_text("parallel {\nprocess a { call { }\nbarrier { } } }"),
     10, "barrier", "expected a name for the barrier"},
    {"cache_folder_of_elsewhere", scenario_text("process a { cache_folder \"../b\"  call { } }"), 8,
     "cache_folder", "expected a name for the folder, found \"../b\""},
    {"cache_folder_after_the_first_call",
     scenario_text("process a { call { }\ncache_folder b\ncall { } }"), 9, "cache_folder",
     "expected before the first call"},
    {"cache_folder_of_a_call", call_with("cache_folder b"), 9, "cache_folder",
     "expected in a process, before its first call"},
    {"damage_of_nothing", scenario_text("cache {\nflip \"\" }"), 9, "flip", "expected a value"},
};

const std::vector<Mistake> mistakes_in_settings = {
    {"burst_of_a_scalar_that_is_no_key", call_with("burst { calls 5  keys 2  scalar factor }"), 9,
     "burst", "unknown key scalar \"factor\""},
    {"burst_of_something", call_with("burst { times 5 }"), 9, "times", "unknown key \"times\""},
    {"burst_of_no_calls", call_with("burst { calls 0 }"), 9, "calls",
     "expected a whole number of at least 1, found \"0\""},
    {"unknown_size", call_with("size huge"), 9, "size",
     "unknown size \"huge\". Expected one of: full, smoke"},
    {"sizes_as_a_word", call_with("sizes 64"), 9, "sizes", "expected keys in braces, found \"64\""},
    {"unknown_size_name", call_with("sizes { m 3 }"), 9, "m", "unknown size \"m\""},
    {"negative_size", call_with("sizes { n -1 }"), 9, "n", "a whole number of at least 0"},
    {"unknown_tensor_in_strides", call_with("strides { z 1 }"), 9, "z", "unknown tensor \"z\""},
    {"strides_of_wrong_count", call_with("strides { x \"1 1\" }"), 9, "x", "1 strides"},
    {"strides_with_unknown_name", scenario_text("process a {\ncall { strides { x \"m\" } } }"), 9,
     "call", "m"},
    {"written_tensor_overlaps_itself", scenario_text("process a {\ncall { strides { y 0 } } }"), 9,
     "call", "\"y\" is written, and with these strides elements share memory"},
    {"unknown_tensor_in_align", call_with("align { z 4 }"), 9, "z", "unknown tensor"},
    {"alignment_too_large", call_with("align { x 64 }"), 9, "x", "0 to 63"},
    {"unknown_tensor_in_dtype", call_with("dtype { z f32 }"), 9, "z", "unknown tensor"},
    {"no_dtype", call_with("dtype { x f33 }"), 9, "x", "a dtype that the kernel allows"},
    {"dtype_that_the_kernel_lacks", call_with("dtype { x bf16 }"), 9, "x",
     "a dtype that the kernel allows"},
    {"unknown_tensor_in_alias", call_with("alias { z x }"), 9, "z", "unknown tensor"},
    {"alias_that_is_not_offered", call_with("alias { y x }"), 9, "y",
     "the kernel does not let this tensor share memory"},
    {"unknown_scalar", call_with("scalars { alpha 1 }"), 9, "alpha", "unknown scalar"},
    {"scalar_in_words", call_with("scalars { factor two }"), 9, "factor", "a number"},
    {"scalar_that_is_no_number", call_with("scalars { factor nan }"), 9, "factor", "a number"},
    {"scalar_that_is_infinite", call_with("scalars { factor inf }"), 9, "factor", "a number"},
    {"scalar_beyond_its_type", call_with("scalars { factor 1e39 }"), 9, "factor", "a value of f32"},
    {"unknown_parameter", call_with("space { stepp 1 }"), 9, "stepp",
     "unknown parameter \"stepp\"; did you mean \"step\"?"},
    {"parameter_in_words", call_with("space { step \"1 many\" }"), 9, "step", "integers"},
    {"parameter_without_values", call_with("space { step \"\" }"), 9, "step", "at least one value"},
    {"space_as_words", call_with("space \"step 1\""), 9, "space", "expected keys in braces"},
    {"impossible_space", scenario_text("process a {\ncall { space { step 65 } } }"), 9, "call",
     "\"step <= n\" excludes all 1 configs"},
    {"impossible_size", scenario_text("sizes { n 0 }\nprocess a {\ncall { } }"), 10, "call",
     "excludes all 2 configs"},
    {"unknown_order", call_with("arguments sideways"), 9, "arguments", "declared or reversed"},
    {"unknown_compiler", scenario_text("compiler fast\nprocess a { call { } }"), 8, "compiler",
     "fast"},
};

const std::vector<Mistake> mistakes_in_expectations = {
    {"unknown_check", one_expectation("output.referense yes"), 10, "output.referense",
     "did you mean \"output.reference\"?"},
    {"expect_as_words", call_with("expect \"cache hit\""), 9, "expect", "expected keys in braces"},
    {"check_answered_no", one_expectation("output.reference no"), 10, "output.reference",
     "expected yes, found \"no\""},
    {"cache_neither_hit_nor_miss", one_expectation("cache warm"), 10, "cache",
     "expected hit or miss"},
    {"compiles_not_0", one_expectation("compiles 1"), 10, "compiles", "expected 0, found \"1\""},
    {"asked_of_every_process", one_expectation("adapter.answers yes"), 10, "adapter.answers",
     "expected another check: this one is asked of every process"},
    {"of_a_gpu_on_the_cpu", one_expectation("memory.device_flat 1M"), 10, "memory.device_flat",
     "expected in a scenario with backends \"cuda hip\""},
    {"trials_not_0", one_expectation("trials few"), 10, "trials", "expected 0, found \"few\""},
    {"unknown_outcome", one_expectation("outcome good"), 10, "outcome",
     "expected done, failed or killed"},
    {"winner_of_itself", one_expectation("winner cold"), 10, "winner",
     "expected the name of an earlier process"},
    {"winner_of_a_later_process",
     scenario_text("process a { call { } }\nprocess b { call { expect { winner c } } }\n"
                   "process c { call { } }"),
     9, "winner", "expected the name of an earlier process (a), found \"c\""},
    {"axis_that_is_no_name", one_expectation("explained \"two axes\""), 10, "explained",
     "expected the name of a key axis"},
    {"seconds_in_words", one_expectation("waiter.never_hangs soon"), 10, "waiter.never_hangs",
     "expected a number of seconds"},
    {"regret_in_words", one_expectation("winner.regret little"), 10, "winner.regret",
     "expected a number of percent"},
    {"regret_below_zero", one_expectation("winner.regret -5"), 10, "winner.regret",
     "expected a number of percent"},
    {"a_size_in_words", one_expectation("cache.bounded little"), 10, "cache.bounded",
     "expected a size such as 64K, found \"little\""},
    {"a_size_in_another_unit", one_expectation("memory.flat 4MB"), 10, "memory.flat",
     "expected a size such as 64K"},
    {"overhead_in_words", one_expectation("dispatch.overhead none"), 10, "dispatch.overhead",
     "expected a number of microseconds"},
    {"lookup_against_itself", one_expectation("lookup.flat cold"), 10, "lookup.flat",
     "expected the name of an earlier process"},
};

const std::vector<Mistake> mistakes_in_loops = {
    {"for_without_values", scenario_text("for \"n in\" { }"), 8, "for",
     "expected \"NAME in VALUE ...\", found \"n in\""},
    {"for_without_in", scenario_text("for \"n of 1 2\" { }"), 8, "for", "expected \"NAME in"},
    {"for_with_a_bad_name", scenario_text("for \"N in 1 2\" { }"), 8, "for", "expected \"NAME in"},
    {"repeat_of_nothing", scenario_text("repeat 0 { }"), 8, "repeat", "a number from 1 to 1000"},
    {"repeat_without_end", scenario_text("repeat 1001 { }"), 8, "repeat", "found \"1001\""},
    {"more_calls_than_a_scenario_may_have",
     scenario_text("process p { repeat 1000 { repeat 21 { call { } } } }"), 7, "steps",
     "expected at most 20000 calls, found 21000"},
    {"repeat_in_words", scenario_text("repeat often { }"), 8, "repeat", "found \"often\""},
    {"mistake_inside_a_loop",
     scenario_text("for \"n in 1 2\" {\nprocess p$n { call { size $n } } }"), 9, "size",
     "unknown size \"1\". Expected one of: full, smoke"},
    {"loop_that_names_a_process_twice", scenario_text("repeat 2 {\nprocess p { call { } } }"), 9,
     "process", "there already is"},
};

std::string name_of_mistake(const testing::TestParamInfo<Mistake>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Head, ScenarioMistakes, testing::ValuesIn(mistakes_in_the_head),
                         name_of_mistake);
INSTANTIATE_TEST_SUITE_P(Steps, ScenarioMistakes, testing::ValuesIn(mistakes_in_steps),
                         name_of_mistake);
INSTANTIATE_TEST_SUITE_P(Settings, ScenarioMistakes, testing::ValuesIn(mistakes_in_settings),
                         name_of_mistake);
INSTANTIATE_TEST_SUITE_P(Expectations, ScenarioMistakes,
                         testing::ValuesIn(mistakes_in_expectations), name_of_mistake);
INSTANTIATE_TEST_SUITE_P(Loops, ScenarioMistakes, testing::ValuesIn(mistakes_in_loops),
                         name_of_mistake);

TEST(ScenarioFile, that_is_not_there_is_named) {
  const auto read = read_scenarios("/no/such/file.info", {});
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().text(), HasSubstr("/no/such/file.info"));
}

TEST(ScenarioFile, with_several_mistakes_shows_the_first) {
  const ScenarioFolder folder;
  const auto read = folder.read(scenario_text("process a { call { size x } }\ncache burn"));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().line, 8);
}

TEST(ScenarioFile, without_the_mistakes_of_these_tests_is_read) {
  const ScenarioFolder folder;
  const auto read = folder.read(right);
  EXPECT_TRUE(read) << read.error().text();
}

}  // namespace
}  // namespace tunecheck::test
