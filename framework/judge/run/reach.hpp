#pragma once
// How much adapters are asked, and what is in the way of the rest.
#include <map>
#include <string>
#include <vector>

#include "harness/process/adapter_info.hpp"
#include "judge/scenario/catalogue.hpp"

namespace tunecheck {

/// Counts scenarios that run on a kind of device and whose kernel the adapter has.
struct Reach {
  int judged = 0;
  int unpromised = 0;  ///< of these, those that ask what the tuner does not promise
  int could_be = 0;
  std::map<std::string, int> lacks;  ///< by Lack::what: scenarios that are not asked
};

/// Scenarios on the simulated device are the reference tuner's own, and are left out.
[[nodiscard]] Reach reach_of(const AdapterInfo& adapter, const Catalogue& catalogue,
                             DeviceKind backend);

/// docs/reach.md: the reach of each adapter on each of its kinds of device, as Markdown.
[[nodiscard]] std::string reach_page(const std::map<std::string, AdapterInfo>& adapters,
                                     const Catalogue& catalogue);

}  // namespace tunecheck
