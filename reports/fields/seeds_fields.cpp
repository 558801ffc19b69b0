#include "reports/fields/seeds_fields.hpp"

namespace tunecheck {

const Fields<SeedRun>& fields_of(Of<SeedRun>) {
  using T = SeedRun;
  static const Fields<T> fields = {
      "SeedRun",
      "",
      {{"seed", &T::seed},
       {"exit_status", &T::exit_status, {.says = "as the run with this seed alone would end"}},
       {"result", &T::result, {.says = "its result.json, from the folder of this file"}},
       {"failed", &T::failed, {.says = "scenarios that failed or were in error, by name"}}}};
  return fields;
}

const Fields<SeedsResult>& fields_of(Of<SeedsResult>) {
  using T = SeedsResult;
  static const Fields<T> fields = {
      "SeedsResult",
      "",
      {schema_field<T>(seeds_schema_version),
       {"tunecheck_version", &T::tunecheck_version},
       {"adapter", &T::adapter},
       {"exit_status", &T::exit_status, {.says = "the first of 4, 3, 1 among those of the seeds"}},
       {"seeds", &T::seeds, {.says = "in the order in which they were run"}},
       {"pending", &T::pending, {.says = "seeds that were not run"}}}};
  return fields;
}

}  // namespace tunecheck
