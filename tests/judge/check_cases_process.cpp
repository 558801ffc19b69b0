// Of what a call leaves of its process's surroundings.
#include "hand_made_record.hpp"

namespace tunecheck::test {
namespace {

using enum Verdict;

CompileEvent compile_with(const std::string& config, std::vector<std::string> environment) {
  CompileEvent compile = compile_of(config);
  compile.environment = std::move(environment);
  return compile;
}

// "cold" has a second call, which compiles two configs with these variables.
void looked_at(HandMadeRecord& record, const std::vector<std::string>& first = {},
               const std::vector<std::string>& second = {}) {
  const ProcessState state = {{"umask", "0022"}, {"working folder", "/work"}};
  record.cold().process_states = ProcessStates{state, state, ""};
  CallRecord next = record.cold();
  next.number = 2;
  next.compiles = {compile_with("step=1", first), compile_with("step=2", second)};
  record.record.processes.at(0).calls.push_back(next);
}

}  // namespace

std::vector<CheckCase> process_cases() {
  return {
      {"process.unchanged", "as_before", pass, "is as before the call",
       "2 things are as they were; so are the variables of the next compiler",
       [](auto& record) { looked_at(record); }},
      {"process.unchanged", "nothing_compiled_later", pass, "", "no later compiler shows",
       [](auto& record) {
         looked_at(record);
         record.record.processes.at(0).calls.pop_back();
       }},
      {"process.unchanged", "another_umask", fail, "", "umask: 0022 before, 0067 after",
       [](auto& record) {
         looked_at(record);
         record.cold().process_states->after["umask"] = "0067";
       }},
      {"process.unchanged", "two_changes", fail, "",
       "umask: 0022 before, unknown after; working folder: /work before, /tmp after",
       [](auto& record) {
         looked_at(record);
         record.cold().process_states->after = {{"working folder", "/tmp"}};
       }},
      {"process.unchanged", "pipes_of_the_first_call", pass, "", "3 things are as they were",
       [](auto& record) {
         looked_at(record);
         record.cold().process_states->before[open_pipes] = "2";
         record.cold().process_states->after[open_pipes] = "4";
       }},
      {"process.unchanged", "a_variable_stays", fail, "",
       "variable A: as at the start before, \"1\" after",
       [](auto& record) { looked_at(record, {"A=1"}, {"A=1"}); }},
      {"process.unchanged", "a_variable_is_gone", fail, "",
       "variable A: as at the start before, not set after",
       [](auto& record) { looked_at(record, {"A"}, {"A"}); }},
      {"process.unchanged", "a_variable_of_each_compiler", pass, "", "so are the variables",
       [](auto& record) {
         looked_at(record, {"A=1"}, {"A=1"});
         record.cold().compiles.front().environment = {"A=1"};
       }},
      {"process.unchanged", "a_variable_that_differs_from_run_to_run", pass, "",
       "so are the variables",
       [](auto& record) {
         looked_at(record, {"A=1"}, {"A=2"});
         record.cold().compiles.front().environment = {"A=0"};
       }},
      {"process.unchanged", "on_a_gpu_compilers_are_not_asked", pass, "", "no later compiler",
       [](auto& record) {
         looked_at(record, {"A=1"}, {"A=1"});
         record.record.backend = DeviceKind::cuda;
       }},
      {"process.unchanged", "nobody_looked", error, "", "nobody looked at the process", nothing},
      {"process.unchanged", "could_not_be_read", error, "", "it has ended",
       [](auto& record) {
         looked_at(record);
         record.cold().process_states->trouble = "it has ended";
       }},
  };
}

}  // namespace tunecheck::test
