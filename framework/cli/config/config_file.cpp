#include "cli/config/config_file.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <unistd.h>

#include <sys/stat.h>

#include "core/info.hpp"
#include "core/text.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view every_section = "every";

// What is about one run, and in a file would be a trap.
constexpr std::array<std::string_view, 5> for_one_run = {"help", "list", "last-failed", "resume",
                                                         "shard"};

fs::path& used_file() {
  static fs::path file;
  return file;
}

tl::unexpected<Error> mistake(const fs::path& file, const InfoNode& node, std::string message) {
  return failure(
      Error{ErrorKind::bad_input, std::move(message), file.string(), node.line, node.key});
}

CLI::App* find_command(CLI::App& app, const std::string& name) {
  for (CLI::App* const command : app.get_subcommands(nullptr))
    if (command->get_name() == name) return command;
  return nullptr;
}

CLI::Option* find_long_option(CLI::App& command, const std::string& name) {
  for (CLI::Option* const option : command.get_options())
    for (const std::string& known : option->get_lnames())
      if (known == name) return option;
  return nullptr;
}

std::vector<std::string> names_of_commands(CLI::App& app) {
  std::vector<std::string> names;
  for (CLI::App* const command : app.get_subcommands(nullptr))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> names_of_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* const option : command.get_options())
    for (const std::string& name : option->get_lnames())
      if (std::find(for_one_run.begin(), for_one_run.end(), name) == for_one_run.end())
        names.push_back(name);
  return names;
}

// The options of all commands within it.
std::vector<std::string> names_of_all_options(CLI::App& app) {
  std::vector<std::string> names;
  const auto add = [&](const std::vector<std::string>& more) {
    for (const std::string& name : more)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (CLI::App* const command : app.get_subcommands(nullptr)) {
    add(names_of_options(*command));
    add(names_of_all_options(*command));
  }
  return names;
}

bool is_flag(const CLI::Option& option) {
  return option.get_items_expected_max() == 0;
}

bool may_be_repeated(const CLI::Option& option) {
  return option.get_items_expected_max() > 1;
}

Result<void> check_option(const fs::path& file, const InfoNode& node,
                          const std::vector<std::string>& known) {
  if (std::find(for_one_run.begin(), for_one_run.end(), node.key) != for_one_run.end())
    return mistake(file, node, "expected an option for every run, found one for a single run");
  if (std::find(known.begin(), known.end(), node.key) != known.end()) return {};
  // All options of all commands are no help in one line.
  constexpr std::size_t most_listed = 40;
  if (known.size() <= most_listed)
    return mistake(file, node, unknown_word_message("option", node.key, known));
  const auto nearest = nearest_word(node.key, known);
  return mistake(file, node,
                 "unknown option \"" + node.key + "\"; " +
                     (nearest ? "did you mean \"" + *nearest + "\"?" : "no command has it"));
}

Result<void> check_section(const fs::path& file, const InfoNode& section, CLI::App& command) {
  for (const InfoNode& node : section.children) {
    if (CLI::App* const inner = find_command(command, node.key)) {
      if (!node.value.empty()) return mistake(file, node, "expected braces with options");
      TUNECHECK_CHECK(check_section(file, node, *inner));
      continue;
    }
    if (!node.children.empty())
      return mistake(file, node,
                     unknown_word_message("command", node.key, names_of_commands(command)));
    TUNECHECK_CHECK(check_option(file, node, names_of_options(command)));
  }
  return {};
}

Result<void> check_file(const fs::path& file, const InfoNode& root, CLI::App& app) {
  std::vector<std::string> commands = names_of_commands(app);
  commands.emplace_back(every_section);
  for (const InfoNode& node : root.children) {
    if (std::find(commands.begin(), commands.end(), node.key) == commands.end())
      return mistake(file, node, unknown_word_message("command", node.key, commands));
    if (!node.value.empty()) return mistake(file, node, "expected braces with options");
    if (node.key == every_section) {
      const std::vector<std::string> known = names_of_all_options(app);
      for (const InfoNode& option : node.children)
        TUNECHECK_CHECK(check_option(file, option, known));
    } else {
      TUNECHECK_CHECK(check_section(file, node, *find_command(app, node.key)));
    }
  }
  return {};
}

// A path is one from the file's folder: the file is found from any folder below.
std::string resolved(const CLI::Option& option, const fs::path& file, const std::string& value) {
  constexpr std::array<std::string_view, 4> paths = {"DIR", "FILE", "PATH", "RESULT"};
  const auto beside = [&](const std::string& path) {
    const fs::path whole = (fs::absolute(file).parent_path() / path).lexically_normal();
    const fs::path near = whole.lexically_relative(fs::current_path());
    return near.empty() || *near.begin() == ".." ? whole.string() : "./" + near.string();
  };
  const std::string type = option.get_type_name();
  if (std::find(paths.begin(), paths.end(), type) != paths.end()) return beside(value);
  if (type == "GLOB" && value.starts_with('@')) return "@" + beside(value.substr(1));
  // The name of an adapter, unless there is a '/' in it.
  if (type == "NAME" && value.find('/') != std::string::npos) return beside(value);
  return value;
}

bool is_ruled_out(const CLI::Option& option) {
  const auto excluded = option.get_excludes();
  return std::any_of(excluded.begin(), excluded.end(),
                     [](const CLI::Option* other) { return other->count() > 0; });
}

Result<std::string> value_for(const CLI::Option& option, const fs::path& file,
                              const InfoNode& node) {
  if (!is_flag(option)) {
    if (node.value.empty()) return mistake(file, node, "expected a value");
    return resolved(option, file, node.value);
  }
  if (node.value != "yes" && node.value != "no")
    return mistake(file, node, "expected yes or no, found \"" + node.value + "\"");
  return std::string(node.value == "yes" ? "true" : "");
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
  if (nodes.size() > 1 && !may_be_repeated(option))
    return mistake(file, *nodes[1], "expected once");
  for (const InfoNode* const node : nodes) {
    TUNECHECK_TRY(const std::string value, value_for(option, file, *node));
    if (value.empty()) return {};  // a flag that is off
    try {
      option.add_result(value);
      if (node == nodes.back()) option.run_callback();
    } catch (const CLI::Error& error) {
      return mistake(file, *node, without_name(error.what(), node->key));
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

bool is_of_this_user(const fs::path& file) {
  struct stat facts {};
  return ::stat(file.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) &&
         (facts.st_uid == ::geteuid() || facts.st_uid == 0);
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
  used_file() = file;
  TUNECHECK_TRY(const InfoNode root, read_info_file(file));
  TUNECHECK_CHECK(check_file(file, root, app));
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

const fs::path& used_config() {
  return used_file();
}

bool take_no_config(std::vector<std::string>& arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  const auto found = std::find(arguments.begin(), end, no_config_option);
  if (found == end) return false;
  arguments.erase(found);
  return true;
}

}  // namespace tunecheck::cli
