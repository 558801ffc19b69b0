#pragma once
// The compiler spy: a program that stands where a tuner looks for its compiler, records each run
// and passes it on, refuses it, delays it or crashes. docs/evidence.md has the details.
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace tunecheck {

/// What the spy behind one link does. Paths become absolute when the spy is installed.
struct SpySettings {
  std::filesystem::path real_compiler;
  std::string mode = "pass";        ///< pass, poisoned, slow, crashing, rebuilt, lingering
  std::filesystem::path evidence;   ///< file that each run is appended to
  std::filesystem::path store;      ///< folder of outputs to answer from; empty for none
  std::filesystem::path workspace;  ///< paths below it may differ from run to run
  std::string version_suffix;       ///< appended to the first line of --version
  int delay_ms = 0;                 ///< before each compile in mode slow
  /// In mode rebuilt: folder of the programs that the compiler says it consists of.
  std::filesystem::path programs;
  /// With which the tuner was started; a run records how its own differs. Empty: nothing is said.
  std::map<std::string, std::string> environment = {};
};

[[nodiscard]] bool is_spy_mode(std::string_view mode);
/// All of them, for messages.
[[nodiscard]] std::string spy_modes();

/// `<link>.spy.json`: where the settings of a link lie.
[[nodiscard]] std::filesystem::path spy_settings_file(const std::filesystem::path& link);
[[nodiscard]] std::string to_text(const SpySettings& settings);
[[nodiscard]] Result<SpySettings> read_spy_settings(const std::filesystem::path& file);

/// Makes `link` a name of the spy with these settings: a hard link, or a symbolic one where the spy
/// lies on another file system or belongs to somebody else. An existing link is replaced, also
/// while spies run behind it: each run sees the old settings or the new. An error where `link` is a
/// file of another kind, or the real compiler is missing or the spy itself.
[[nodiscard]] Result<void> install_spy(const std::filesystem::path& link,
                                       const std::filesystem::path& spy_program,
                                       const SpySettings& settings);

}  // namespace tunecheck
