#pragma once
// The mutants of each family, one .cpp a family (or a part of one).
#include <vector>

#include "mutants/mutant.hpp"

namespace tunecheck::mutants {

[[nodiscard]] std::vector<Mutant> restore_mutants();        ///< what trials find
[[nodiscard]] std::vector<Mutant> caller_mutants();         ///< what the caller finds
[[nodiscard]] std::vector<Mutant> missing_axis_mutants();   ///< the key knows too little
[[nodiscard]] std::vector<Mutant> coarse_axis_mutants();    ///< near values look alike to it
[[nodiscard]] std::vector<Mutant> needless_axis_mutants();  ///< the key knows too much
[[nodiscard]] std::vector<Mutant> persist_mutants();        ///< what is written, and when
[[nodiscard]] std::vector<Mutant> reload_mutants();         ///< what is made of a stored winner
[[nodiscard]] std::vector<Mutant> lookup_mutants();         ///< how it is found
[[nodiscard]] std::vector<Mutant> damage_mutants();         ///< and of one that is not to be used
[[nodiscard]] std::vector<Mutant> surroundings_mutants();   ///< what a call leaves behind
[[nodiscard]] std::vector<Mutant> compile_mutants();        ///< when compilers run
[[nodiscard]] std::vector<Mutant> remote_mutants();         ///< what is believed of others
[[nodiscard]] std::vector<Mutant> effort_mutants();         ///< how much is searched
[[nodiscard]] std::vector<Mutant> version_mutants();        ///< entries of another version
[[nodiscard]] std::vector<Mutant> validity_mutants();
[[nodiscard]] std::vector<Mutant> validation_mutants();   ///< what of a trial's result is looked at
[[nodiscard]] std::vector<Mutant> concurrency_mutants();  ///< who tunes, and what the dead leave
[[nodiscard]] std::vector<Mutant>
fault_mutants();  ///< what a kill or a full disk does to the folder
[[nodiscard]] std::vector<Mutant> growth_mutants();     ///< many keys, many calls
[[nodiscard]] std::vector<Mutant> agreement_mutants();  ///< the same for every process
[[nodiscard]] std::vector<Mutant> turn_mutants();       ///< when a key is tuned
[[nodiscard]] std::vector<Mutant> bundle_mutants();     ///< what moves to another machine
[[nodiscard]] std::vector<Mutant> archive_mutants();    ///< exports and imports
[[nodiscard]] std::vector<Mutant> pending_mutants();    ///< calls that do not wait
[[nodiscard]] std::vector<Mutant> table_mutants();      ///< what is launched without a search
[[nodiscard]] std::vector<Mutant> report_mutants();
[[nodiscard]] std::vector<Mutant> quality_mutants();  ///< which config wins, at what cost
[[nodiscard]] std::vector<Mutant> gpu_mutants();      ///< streams, captures, contexts
[[nodiscard]] std::vector<Mutant> late_mutants();     ///< what is done after the answer
[[nodiscard]] std::vector<Mutant> adapter_mutants();
[[nodiscard]] std::vector<Mutant> slow_mutants();  ///< for the gate; in no list of mutants

}  // namespace tunecheck::mutants
