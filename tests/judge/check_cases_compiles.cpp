// Of what is compiled, and when.
#include "hand_made_record.hpp"

namespace tunecheck::test {
namespace {

using enum Verdict;

// As of a tuner whose compiler is not told the config.
void compiles_unnamed(HandMadeRecord& record) {
  for (CompileEvent& compile : record.cold().compiles)
    compile.arguments = {"-O3"};
  configs_unknown(record);
  record.adapter.capabilities = {"space"};
  record.cold().request.space.parameters = {{"step", {1, 2, 3}}};
  std::int64_t time_ns = 0;
  for (LaunchEvent& launch : record.cold().launches)
    launch.time_ns = time_ns += 10;
}

CompileEvent unnamed_compile(const std::string& config, std::int64_t time_ns) {
  CompileEvent compile = compile_of(config);
  compile.arguments = {"-O3"};
  compile.time_ns = time_ns;
  return compile;
}

std::vector<CheckCase> once_cases() {
  return {
      {"compiles.once", "each_once", pass, "no config is compiled twice", "2 compiles, each of",
       nothing},
      {"compiles.once", "the_winner_again", fail, "",
       "3 compiles; step=2, which won, was compiled 2 times",
       [](auto& record) { record.cold().compiles.push_back(compile_of("step=2")); }},
      {"compiles.once", "a_loser_three_times", fail, "", "step=1 was compiled 3 times",
       [](auto& record) {
         for (int i = 0; i < 2; ++i)
           record.cold().compiles.push_back(compile_of("step=1"));
       }},
      {"compiles.once", "the_same_command_line_with_another_result", fail, "",
       "step=1 was compiled 2 times",
       [](auto& record) {
         record.cold().compiles.push_back(compile_of("step=1"));
         record.cold().compiles.back().output_digest = "with a time stamp";
         for (const char* const word : {"-o", "elsewhere.so"})
           record.cold().compiles.back().arguments.emplace_back(word);
       }},
      {"compiles.once", "the_same_config_for_another_arch", pass, "", "3 compiles, each of",
       [](auto& record) {
         record.cold().compiles.push_back(compile_of("step=1"));
         record.cold().compiles.back().output_digest = "for another arch";
         record.cold().compiles.back().arguments.emplace_back("-march=native");
       }},
      {"compiles.once", "one_that_failed_before", pass, "", "2 compiles",
       [](auto& record) {
         CompileEvent failed = compile_of("step=1");
         failed.exit_status = 1;
         record.cold().compiles.insert(record.cold().compiles.begin(), failed);
       }},
      {"compiles.once", "its_second_step_links", pass, "", "2 compiles",
       [](auto& record) {
         record.cold().compiles.push_back(compile_of("step=1"));
         record.cold().compiles.back().links = true;
       }},
      {"compiles.once", "two_configs_with_the_same_code", pass, "", "3 compiles",
       [](auto& record) {
         compiles_unnamed(record);
         record.cold().compiles.push_back(unnamed_compile("step=2", 15));
       }},
      {"compiles.once", "unnamed_the_winner_again", fail, "", "of the winner once all trials were",
       [](auto& record) {
         compiles_unnamed(record);
         record.cold().compiles.push_back(unnamed_compile("step=2", 45));
       }},
      {"compiles.once", "unnamed_and_compiled_after_the_trials_alone", pass, "", "2 compiles",
       [](auto& record) {
         compiles_unnamed(record);
         record.cold().compiles.back() = unnamed_compile("step=2", 45);
       }},
      {"compiles.once", "unnamed_and_more_than_there_are_configs", fail, "",
       "4 compiles with one command line, for 3 configs",
       [](auto& record) {
         compiles_unnamed(record);
         for (const char* const other : {"new", "newer"}) {
           record.cold().compiles.push_back(unnamed_compile(other, 45));
           record.cold().compiles.back().arguments.emplace_back(std::string("/tmp/") + other);
         }
       }},
      {"compiles.once", "another_command_line_is_no_config", pass, "", "4 compiles",
       [](auto& record) {
         compiles_unnamed(record);
         for (const char* const option : {"-shared", "-c"}) {
           record.cold().compiles.push_back(unnamed_compile(option, 45));
           record.cold().compiles.back().arguments = {option};
         }
       }},
      {"compiles.once", "of_a_space_of_its_own_nobody_knows_the_size", pass, "", "4 compiles",
       [](auto& record) {
         compiles_unnamed(record);
         record.adapter.capabilities = {};
         for (const char* const other : {"new", "newer"})
           record.cold().compiles.push_back(unnamed_compile(other, 45));
       }},
      {"compiles.once", "nothing_compiled", error, "", "nothing was compiled", nothing, "warm"},
  };
}

// Two compiles of 30 ns, and four trial launches of 10 ns from 100 on.
void timed(HandMadeRecord& record, std::int64_t second_compile_ns) {
  CallRecord& call = record.cold();
  call.request.compile_jobs = 2;
  for (CompileEvent& compile : call.compiles)
    compile.wall_ns = 30;
  call.compiles.back().time_ns = second_compile_ns;
  std::int64_t time_ns = 80;
  for (LaunchEvent& launch : call.launches) {
    launch.time_ns = time_ns += 20;
    launch.elapsed_ns = 10;
  }
}

std::vector<CheckCase> overlap_cases() {
  return {
      {"compiles.overlap", "at_once", pass, "since 2 compilers may run at once",
       "2 compiles, 1 of them began before", [](auto& record) { timed(record, 29); }},
      {"compiles.overlap", "in_turn", fail, "", "0 of them began before an earlier one had ended",
       [](auto& record) { timed(record, 30); }},
      {"compiles.overlap", "one_that_is_long_over_all_others", pass, "", "3 compiles, 2 of them",
       [](auto& record) {
         timed(record, 40);
         record.cold().compiles.front().wall_ns = 1000;
         record.cold().compiles.push_back(compile_of("step=3"));
         record.cold().compiles.back().time_ns = 500;
       }},
      {"compiles.overlap", "one_at_a_time_was_allowed", error, "", "one compiler at a time",
       [](auto& record) {
         timed(record, 29);
         record.cold().request.compile_jobs = 1;
       }},
      {"compiles.overlap", "one_compile", error, "", "fewer than two compiles",
       [](auto& record) {
         timed(record, 29);
         record.cold().compiles.pop_back();
       }},

      {"trials.undisturbed", "compiled_before", pass, "no compiler runs", "0 of 4 trial launches",
       [](auto& record) { timed(record, 70); }},
      {"trials.undisturbed", "compiled_between_two", pass, "", "0 of 4 trial launches",
       [](auto& record) {
         timed(record, 110);
         record.cold().compiles.back().wall_ns = 10;
       }},
      {"trials.undisturbed", "compiled_during_two", fail, "", "2 of 4 trial launches",
       [](auto& record) { timed(record, 101); }},
      {"trials.undisturbed", "the_probe_is_part_of_the_trial", fail, "", "1 of 4 trial launches",
       [](auto& record) {
         timed(record, 112);
         record.cold().compiles.back().wall_ns = 5;
         record.cold().launches.front().cost_ns = 3;
       }},
      {"trials.undisturbed", "during_the_real_call_alone", pass, "", "0 of 4 trial launches",
       [](auto& record) { timed(record, 175); }},
      {"trials.undisturbed", "no_trial", error, "", "the probe saw no trial",
       [](auto& record) {
         auto& launches = record.cold().launches;
         launches.erase(launches.begin(), launches.end() - 1);
       }},
      {"trials.undisturbed", "nothing_compiled", error, "", "nothing was compiled", nothing,
       "warm"},
  };
}

}  // namespace

std::vector<CheckCase> compile_cases() {
  std::vector<CheckCase> all = once_cases();
  for (const CheckCase& each : overlap_cases())
    all.push_back(each);
  return all;
}

}  // namespace tunecheck::test
