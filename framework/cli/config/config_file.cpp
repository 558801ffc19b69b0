#include "cli/config/config_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <unistd.h>

#include <sys/stat.h>

#include "cli/config/config_check.hpp"
#include "core/info.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

// Where the command that is run has the value of an option from.
struct Origin {
  std::string option;  ///< with its dashes
  std::string value;
  std::string file;
  InfoNode node;
};

// One command is run in a process.
struct Used {
  fs::path file;
  std::vector<Origin> origins;
};

Used& used() {
  static Used one;
  return one;
}

bool is_ruled_out(const CLI::Option& option) {
  const auto excluded = option.get_excludes();
  return std::any_of(excluded.begin(), excluded.end(),
                     [](const CLI::Option* other) { return other->count() > 0; });
}

// CLI11 says "--jobs: expected ..."; the place says already which option it is.
std::string without_name(const std::string& message, const std::string& name) {
  const std::string prefix = "--" + name + ": ";
  return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

// The values of one option, from all the lines that have them.
Result<void> set_option(CLI::Option& option, const fs::path& file,
                        const std::vector<const InfoNode*>& nodes) {
  if (option.count() > 0 || is_ruled_out(option)) return {};
  for (const InfoNode* const node : nodes) {
    TUNECHECK_TRY(const std::string value, config_value(option, file, *node));
    if (value.empty()) return {};  // a flag that is off
    used().origins.push_back({"--" + node->key, value, file.string(), *node});
    try {
      option.add_result(value);
      if (node == nodes.back()) option.run_callback();
    } catch (const CLI::Error& error) {
      return config_mistake(file, *node, without_name(error.what(), node->key));
    }
  }
  return {};
}

Result<void> apply_section(const fs::path& file, const InfoNode& section, CLI::App& command) {
  std::map<std::string, std::vector<const InfoNode*>> by_name;
  for (const InfoNode& node : section.children)
    by_name[node.key].push_back(&node);
  for (const auto& [name, nodes] : by_name)
    if (CLI::Option* const option = find_long_option(command, name); option != nullptr)
      TUNECHECK_CHECK(set_option(*option, file, nodes));
  return {};
}

// From the outermost command to the one that is run.
Result<CLI::App*> apply_commands(const fs::path& file, const InfoNode& root, CLI::App& app) {
  CLI::App* command = &app;
  const InfoNode* section = &root;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    if (section != nullptr) section = section->child(command->get_name());
    if (section != nullptr) TUNECHECK_CHECK(apply_section(file, *section, *command));
  }
  return command;
}

bool may_look_in(const fs::path& folder, const fs::path& home) {
  struct stat facts {};
  return folder != folder.root_path() && folder != home && ::stat(folder.c_str(), &facts) == 0 &&
         (facts.st_mode & S_IWOTH) == 0;
}

// What has the name and is no file of this user's is not passed over: without a word, nobody would
// find out why it has no effect.
bool is_of_this_user(const fs::path& file) {
  struct stat facts {};
  const auto is_trusted = [&] { return facts.st_uid == ::geteuid() || facts.st_uid == 0; };
  if (::lstat(file.c_str(), &facts) != 0 || !is_trusted()) return false;
  return ::stat(file.c_str(), &facts) != 0 || is_trusted();
}

Result<void> check_is_file(const fs::path& file) {
  std::error_code unknown;
  const fs::file_status state = fs::status(file, unknown);
  const char* const found = fs::is_directory(state) ? "a folder"
                            : fs::is_symlink(file, unknown) && !fs::exists(state)
                                ? "a link to nothing"
                            : fs::exists(state) && !fs::is_regular_file(state) ? "something else"
                                                                               : nullptr;
  if (found == nullptr) return {};
  return failure(Error{
      ErrorKind::bad_input, std::string("expected a file, found ") + found, file.string(), 0, {}});
}

}  // namespace

std::optional<fs::path> find_config(fs::path folder, const fs::path& home) {
  std::error_code unknown;
  for (; may_look_in(folder, home); folder = folder.parent_path()) {
    if (fs::path file = folder / config_name; is_of_this_user(file)) return file;
    if (fs::exists(folder / ".git", unknown)) break;
  }
  return std::nullopt;
}

Result<void> apply_config(CLI::App& app, const fs::path& file) {
  used().file = file;
  TUNECHECK_CHECK(check_is_file(file));
  TUNECHECK_TRY(const InfoNode root, read_info_file(file));
  TUNECHECK_CHECK(check_config(file, root, app));
  TUNECHECK_TRY(CLI::App* const command, apply_commands(file, root, app));
  if (const InfoNode* const every = root.child(every_section); every != nullptr)
    TUNECHECK_CHECK(apply_section(file, *every, *command));
  return {};
}

Result<void> apply_config_here(CLI::App& app) {
  if (const char* const named = std::getenv(config_variable); named != nullptr) {
    if (*named == '\0') return {};
    return apply_config(app, named);
  }
  const char* const home = std::getenv("HOME");
  std::error_code unknown;
  const auto file =
      find_config(fs::current_path(unknown), home != nullptr ? fs::path(home) : fs::path());
  return file ? apply_config(app, *file) : Result<void>();
}

Error with_place(Error error) {
  if (error.kind != ErrorKind::bad_input || !error.file.empty()) return error;
  // An option may stand on several lines: the one whose value the message names first.
  const Origin* found = nullptr;
  std::size_t first = std::string::npos;
  for (const Origin& origin : used().origins) {
    if (origin.option != error.key) continue;
    const std::size_t named = error.message.find('"' + origin.value + '"');
    if (found == nullptr || named < first) {
      found = &origin;
      first = named;
    }
  }
  if (found == nullptr) return error;
  error.file = found->file;
  error.line = found->node.line;
  error.key = found->node.key;
  return error;
}

const fs::path& used_config() {
  return used().file;
}

bool take_no_config(std::vector<std::string>& arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  const auto found = std::find(arguments.begin(), end, no_config_option);
  if (found == end) return false;
  arguments.erase(found);
  return true;
}

}  // namespace tunecheck::cli
