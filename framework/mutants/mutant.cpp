#include "mutants/mutant.hpp"

#include <algorithm>
#include <iterator>

#include <nlohmann/json.hpp>

#include "mutants/families.hpp"

namespace tunecheck {
namespace {

std::vector<Mutant> collect() {
  std::vector<Mutant> all;
  for (const auto family :
       {mutants::restore_mutants,     mutants::caller_mutants,        mutants::missing_axis_mutants,
        mutants::coarse_axis_mutants, mutants::needless_axis_mutants, mutants::persist_mutants,
        mutants::reload_mutants,      mutants::lookup_mutants,        mutants::damage_mutants,
        mutants::version_mutants,     mutants::compile_mutants,       mutants::surroundings_mutants,
        mutants::concurrency_mutants, mutants::fault_mutants,         mutants::validity_mutants,
        mutants::validation_mutants,  mutants::report_mutants,        mutants::growth_mutants,
        mutants::quality_mutants,     mutants::gpu_mutants,           mutants::late_mutants,
        mutants::adapter_mutants,     mutants::agreement_mutants,     mutants::turn_mutants,
        mutants::remote_mutants,      mutants::table_mutants,         mutants::bundle_mutants,
        mutants::effort_mutants,      mutants::archive_mutants,       mutants::pending_mutants}) {
    std::vector<Mutant> mutants = family();
    std::move(mutants.begin(), mutants.end(), std::back_inserter(all));
  }
  std::sort(all.begin(), all.end(),
            [](const Mutant& a, const Mutant& b) { return a.name < b.name; });
  return all;
}

}  // namespace

const std::vector<Mutant>& all_mutants() {
  static const std::vector<Mutant> all = collect();
  return all;
}

const Mutant* find_mutant(std::string_view name) {
  for (const Mutant& mutant : all_mutants())
    if (mutant.name == name) return &mutant;
  static const std::vector<Mutant> slow = mutants::slow_mutants();
  for (const Mutant& mutant : slow)
    if (mutant.name == name) return &mutant;
  return nullptr;
}

std::string mutants_as_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Mutant& mutant : all_mutants())
    list.push_back({{"name", mutant.name}, {"summary", mutant.summary}});
  return list.dump(2);
}

}  // namespace tunecheck
