#pragma once
// How a program uses FFTW: as its manual says, or with one planted bug.
#include <fftw3.h>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tunecheck {

/// What the adapter does around FFTW's functions. The defaults are what the manual says.
struct FftwHabits {
  unsigned rigor = FFTW_MEASURE;
  bool imports_wisdom = true;
  bool exports_wisdom = true;
  bool file_has_process_number = false;
  bool forgets_before_planning = false;  ///< so that the file holds the newest wisdom alone
  bool forgets_after_call = false;
  bool damaged_file_ends_call = false;
  bool tells_of_failed_export = true;
  /// The arrays get the caller's content once planning has overwritten them.
  bool initializes_after_planning = true;
  bool knows_sign = true;
  bool keeps_first_plan = false;  ///< and executes it for all calls
  bool works_on_copies = false;   ///< of which the caller gets nothing
  bool says_hit_always = false;
};

/// A bug of programs that plan.
struct FftwMutant {
  std::string name;
  std::string summary;
  std::map<std::string, std::string> caught_by;  ///< by scenario: the check that fails
  std::function<void(FftwHabits&)> plant;
};
[[nodiscard]] const std::vector<FftwMutant>& fftw_mutants();
/// Null where there is none of that name.
[[nodiscard]] const FftwMutant* find_fftw_mutant(const std::string& name);
/// What `--list` prints.
[[nodiscard]] std::string fftw_mutants_as_json();

}  // namespace tunecheck
