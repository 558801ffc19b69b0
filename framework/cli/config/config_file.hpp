#pragma once
// tunecheck.info: options that somebody would type each time.
//
//   every { jobs 4 }                      ; each command that has such an option
//   run   { adapter tuner/adapter.info    ; the options of one command, without their dashes
//           exclude "quality.*"           ; an option that may be repeated may be repeated here
//           exclude "growth.*"
//           keep    yes }
//   gate  { calibrate { sessions 100 } }  ; a command within a command
//
// What is on the command line counts more, also where it only excludes what the file says (--quiet
// and `verbose yes`). Paths are those from the file's folder. Programs that read options from a
// file usually make arguments of them; here the options are set after the command line has been
// read, so that a mistake has its file, line and key.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "core/result.hpp"

namespace tunecheck::cli {

inline constexpr std::string_view config_name = "tunecheck.info";
inline constexpr std::string_view no_config_option = "--no-config";
/// The path of a file to use instead of one that is found; none is used if it is empty.
inline constexpr const char* config_variable = "TUNECHECK_CONFIG";

/// The nearest tunecheck.info in `folder` or above it. The search ends with the folder that holds
/// .git; it does not enter `home`, the root of the file system, or a folder that every user may
/// write to (/tmp), and it passes over what is another user's than this one's or root's: such a
/// file could name a program to start. What is found need not be a file.
[[nodiscard]] std::optional<std::filesystem::path> find_config(std::filesystem::path folder,
                                                               const std::filesystem::path& home);

/// Sets the options of the commands that `app` has parsed and that were not given, from `file`. The
/// whole file is checked, whatever the command (check_config). An error has file, line and key.
[[nodiscard]] Result<void> apply_config(CLI::App& app, const std::filesystem::path& file);

/// Finds the file that holds here (see config_variable) and applies it, if there is one.
[[nodiscard]] Result<void> apply_config_here(CLI::App& app);

/// An error about the value of an option, as commands make them ("--where: ..."), with the place of
/// the line that apply_config() has taken the value from. Others as they are.
[[nodiscard]] Error with_place(Error error);

/// The file that apply_config() has read in this process; "" if none. For one thread.
[[nodiscard]] const std::filesystem::path& used_config();

/// Takes --no-config out of a command line, wherever it stands before a "--", so that it may stand
/// behind a command as well. True if it was there.
[[nodiscard]] bool take_no_config(std::vector<std::string>& arguments);

}  // namespace tunecheck::cli
