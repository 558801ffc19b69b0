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
///   home        for HOME: a link for each entry of the user's own, except folders of caches. In
///               .cache there are links to models, data and packages that were downloaded, and to
///               nothing else, since any other folder may hold tuned kernels
///   xdg-cache   for XDG_CACHE_HOME where the user has set it: as .cache
///   NAME        for each variable of a known tuner that the user has set, for those named by the
///               user, and for those of caches that do not lie in a home folder without them
///
/// TMPDIR names the folder `temporary`, whose path is short: sockets have to fit below it. What a
/// program of an earlier watch saved in its home is put aside, ROOT-kept-1 and so on. The folders
/// stay as they are from one run to the next, and outlive this object.
class CacheFolders {
 public:
  /// `variables` are further ones that name a folder of a cache, and `hidden` further paths below
  /// the home folder that the program is not to find. `environment` is the user's.
  [[nodiscard]] static Result<CacheFolders> create(const std::filesystem::path& root,
                                                   const Environment& environment,
                                                   const std::vector<std::string>& variables,
                                                   const std::vector<std::string>& hidden,
                                                   const std::filesystem::path& temporary);

  [[nodiscard]] const std::filesystem::path& root() const { return m_root; }

  /// A file below the user's home as the program knows it; any other as it is.
  [[nodiscard]] std::filesystem::path inside(const std::filesystem::path& file) const;

  /// Sets the variables.
  void apply(Environment& environment) const;

  /// What of a folder that the program wrote to is not below these: the folder as the user knows
  /// it; "" where it is one of these.
  [[nodiscard]] std::string outside(const std::filesystem::path& folder) const;

  /// True for what is below the folder of a known tuner's cache, for temporary files and for
  /// Python's bytecode: nothing there is a program's own state.
  [[nodiscard]] bool is_of_kernels(const std::filesystem::path& folder) const;

  /// Files that the program saved in its home: the user has to look for them there.
  [[nodiscard]] std::vector<std::string> saved_in_home() const;

 private:
  std::filesystem::path m_root, m_temporary, m_home;  // m_home is the user's
  Environment m_variables;
};

}  // namespace tunecheck::watch
