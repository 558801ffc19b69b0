#include "watch/definitions.hpp"

#include "watch/rules.hpp"

namespace tunecheck::watch {

void add_definitions(const std::vector<ProgramRun>& runs,
                     std::vector<WatchResult::Finding>& findings) {
  for (WatchResult::Finding& finding : findings)
    for (const ProgramRun& run : runs)
      for (const BurstEvent& burst : run.told.bursts) {
        if (!finding.definition.file.empty()) break;
        if (burst.kernel == finding.kernel && place_in(burst.place) == finding.place)
          finding.definition = place_in(burst.definition);
      }
}

}  // namespace tunecheck::watch
