#pragma once
// Where a watched program keeps its caches: folders of the watch's own, so that a cold run is cold
// and the user's caches are neither read nor written.
#include <filesystem>
#include <string>
#include <vector>

#include "core/command.hpp"
#include "core/result.hpp"

namespace tunecheck::watch {

/// create() makes these below `root`, empty of caches:
///
///   home        for HOME: a link for each entry of the user's own, and in .cache likewise, except
///               folders of caches: models that were downloaded are found, tuned kernels are not
///   xdg-cache   for XDG_CACHE_HOME where the user has set it: likewise
///   tmp         for TMPDIR
///   NAME        for each variable of a known tuner that the user has set, and for those named by
///               the user
///
/// They stay as they are from one run to the next, and outlive this object.
class CacheFolders {
 public:
  /// `variables` are further ones that name a folder of a cache, and `hidden` further paths below
  /// the home folder that the program is not to find. `environment` is the user's.
  [[nodiscard]] static Result<CacheFolders> create(const std::filesystem::path& root,
                                                   const Environment& environment,
                                                   const std::vector<std::string>& variables,
                                                   const std::vector<std::string>& hidden);

  /// Sets the variables.
  void apply(Environment& environment) const;

  /// What of a folder that the program wrote to is not below these: the folder as the user knows
  /// it; "" where it is one of these.
  [[nodiscard]] std::string outside(const std::filesystem::path& folder) const;

 private:
  std::filesystem::path m_root;
  Environment m_variables;
};

}  // namespace tunecheck::watch
