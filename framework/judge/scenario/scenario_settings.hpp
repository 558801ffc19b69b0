#pragma once
// The settings of scenario files: how each key is read.
#include <string>
#include <vector>

#include "core/info.hpp"
#include "judge/scenario/scenario.hpp"

namespace tunecheck {

/// The keys that are settings, in the order in which documentation lists them.
[[nodiscard]] const std::vector<std::string>& setting_keys();

/// The node's children. A value beside them is an error: it would be read by nobody.
[[nodiscard]] const std::vector<InfoNode>& keys_in_braces(const InfoNode& node, InfoErrors& errors);

/// Reads one setting into `settings`; a mistake goes to `errors`. False where the key is no
/// setting.
bool read_setting(const InfoNode& node, const KernelDefinition& kernel, Settings& settings,
                  InfoErrors& errors);

/// Sizes, dtypes, layouts and space of a call under these settings; the judge makes calls from it
/// and the reader uses it to refuse impossible settings before anything runs.
struct ResolvedCall {
  Sizes sizes;
  std::vector<DType> dtypes;    ///< one per tensor
  std::vector<Layout> layouts;  ///< one per tensor
  /// One per tensor: the tensor whose memory it is; itself where it has its own.
  std::vector<std::size_t> storage;
  SpaceDefinition space;
  std::vector<Config> configs;  ///< all that the space allows
};
[[nodiscard]] Result<ResolvedCall> resolve_call(const KernelDefinition& kernel,
                                                const Settings& settings);

}  // namespace tunecheck
