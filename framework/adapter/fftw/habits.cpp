#include "adapter/fftw/habits.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace tunecheck {

const std::vector<FftwMutant>& fftw_mutants() {
  static const std::vector<FftwMutant> mutants = {
      {"exports_nothing",
       "wisdom is not written (helion#2768: the winner is lost silently)",
       {{"reload.plan_survives_restart", "key.must_hit"}},
       [](FftwHabits& habits) { habits.exports_wisdom = false; }},
      {"imports_nothing",
       "wisdom that was written is not read (pytorch#172819)",
       {{"reload.plan_survives_restart", "key.must_hit"}},
       [](FftwHabits& habits) { habits.imports_wisdom = false; }},
      {"file_of_the_process",
       "the wisdom's file has the number of the process in its name (pytorch#132464)",
       {{"invalidation.plan_of_another_process_must_hit", "key.must_hit"}},
       [](FftwHabits& habits) { habits.file_has_process_number = true; }},
      {"keeps_the_newest_wisdom",
       "wisdom is forgotten before planning, so that the file holds the newest alone (cubecl: the "
       "first checksum that is found)",
       {{"invalidation.each_of_two_plans_must_hit", "key.must_hit"}},
       [](FftwHabits& habits) { habits.forgets_before_planning = true; }},
      {"forgets_after_each_call",
       "wisdom is forgotten after each call",
       {{"reload.plan_in_memory", "key.must_hit"}},
       [](FftwHabits& habits) { habits.forgets_after_call = true; }},
      {"damaged_wisdom_is_an_error",
       "a file that FFTW does not take ends the call (pytorch#153791, FlyDSL#241)",
       {{"reload.damaged_wisdom_is_a_miss", "output.reference"}},
       [](FftwHabits& habits) { habits.damaged_file_ends_call = true; }},
      {"silent_about_lost_wisdom",
       "nobody is told that the wisdom could not be written (helion#2768)",
       {{"reload.wisdom_that_cannot_be_written_is_reported", "store.failure_visible"}},
       [](FftwHabits& habits) { habits.tells_of_failed_export = false; }},
      {"initializes_before_planning",
       "the arrays have their content before the planner overwrites them (triton#54)",
       {{"restore.transform_in_place", "output.reference"},
        {"restore.transform_out_of_place", "inputs.read_only_untouched"}},
       [](FftwHabits& habits) { habits.initializes_after_planning = false; }},
      {"estimates",
       "plans are estimated and not measured (quack: a winner that nobody measured)",
       {{"reload.plan_survives_restart", "key.must_miss"}},
       [](FftwHabits& habits) { habits.rigor = FFTW_ESTIMATE; }},
      {"plans_without_sign",
       "the plan of the forward transform is used for the backward one (flashinfer#2863)",
       {{"invalidation.sign_of_a_plan_must_miss", "output.reference"}},
       [](FftwHabits& habits) { habits.knows_sign = false; }},
      {"keeps_the_plan_of_another_call",
       "the first plan of a process is executed for all calls (tilelang#1250)",
       {{"invalidation.one_process_tells_plans_apart", "key.must_miss"}},
       [](FftwHabits& habits) { habits.keeps_first_plan = true; }},
      {"transforms_copies",
       "the transform is made on copies, and the caller's arrays stay as they were (cubecl#170)",
       {{"restore.transform_out_of_place", "output.reference"}},
       [](FftwHabits& habits) { habits.works_on_copies = true; }},
      {"reports_hit_always",
       "it says that it found wisdom, whatever it did (a test that believes it cannot fail)",
       {{"validity.report_about_plans_is_true", "report.agrees"}},
       [](FftwHabits& habits) { habits.says_hit_always = true; }},
  };
  return mutants;
}

const FftwMutant* find_fftw_mutant(const std::string& name) {
  const auto& mutants = fftw_mutants();
  const auto found = std::find_if(mutants.begin(), mutants.end(),
                                  [&](const FftwMutant& mutant) { return mutant.name == name; });
  return found == mutants.end() ? nullptr : &*found;
}

std::string fftw_mutants_as_json() {
  nlohmann::json list = nlohmann::json::array();
  for (const FftwMutant& mutant : fftw_mutants())
    list.push_back(
        {{"name", mutant.name}, {"summary", mutant.summary}, {"caught_by", mutant.caught_by}});
  return list.dump(2);
}

}  // namespace tunecheck
