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
      {"compiles.once", "nothing_compiled", error, "", "nothing was compiled", nothing, "warm"},
  };
}

}  // namespace

std::vector<CheckCase> compile_cases() {
  return once_cases();
}

}  // namespace tunecheck::test
