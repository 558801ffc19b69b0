#include "cli/config/config_check.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <vector>

#include "cli/commands.hpp"
#include "core/text.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

// What is about one run, and in a file would be a trap.
constexpr std::array<std::string_view, 5> for_one_run = {"help", "list", "last-failed", "resume",
                                                         "shard"};

bool is_for_one_run(const std::string& name) {
  return std::find(for_one_run.begin(), for_one_run.end(), name) != for_one_run.end();
}

// Another program reads the command line of `tunecheck cache`.
std::vector<CLI::App*> commands_of(CLI::App& app) {
  std::vector<CLI::App*> commands = app.get_subcommands(nullptr);
  std::erase_if(commands,
                [](const CLI::App* command) { return command->get_name() == cache_command_name; });
  return commands;
}

// The command itself and all within it.
std::vector<CLI::App*> all_commands_of(CLI::App& app) {
  std::vector<CLI::App*> all = {&app};
  for (CLI::App* const command : commands_of(app))
    for (CLI::App* const inner : all_commands_of(*command))
      all.push_back(inner);
  return all;
}

CLI::App* find_command(CLI::App& app, const std::string& name) {
  for (CLI::App* const command : commands_of(app))
    if (command->get_name() == name) return command;
  return nullptr;
}

std::vector<std::string> names_of_commands(CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* const command : commands_of(app))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> names_of_options(const std::vector<CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* const command : commands)
    for (const CLI::Option* const option : command->get_options())
      for (const std::string& name : option->get_lnames())
        if (!is_for_one_run(name) && std::find(names.begin(), names.end(), name) == names.end())
          names.push_back(name);
  return names;
}

bool is_flag(const CLI::Option& option) {
  return option.get_items_expected_max() == 0;
}

Result<void> check_name(const fs::path& file, const InfoNode& node,
                        const std::vector<std::string>& known) {
  if (is_for_one_run(node.key))
    return config_mistake(file, node,
                          "expected an option for every run, found one for a single run");
  if (std::find(known.begin(), known.end(), node.key) != known.end()) return {};
  // All options of all commands are no help in one line.
  constexpr std::size_t most_listed = 40;
  if (known.size() <= most_listed)
    return config_mistake(file, node, unknown_word_message("option", node.key, known));
  const auto nearest = nearest_word(node.key, known);
  return config_mistake(file, node,
                        "unknown option \"" + node.key + "\"; " +
                            (nearest ? "did you mean \"" + *nearest + "\"?" : "no command has it"));
}

// As CLI11 would, but nothing is set: most of a file is about commands that are not run.
Result<void> check_value(const fs::path& file, const InfoNode& node, CLI::Option& option) {
  TUNECHECK_TRY(const std::string whole, config_value(option, file, node));
  if (is_flag(option)) return {};
  std::vector<std::string> values = {whole};
  if (option.get_delimiter() != '\0') values = CLI::detail::split(whole, option.get_delimiter());
  try {
    for (std::string& value : values)
      for (int i = 0;; ++i)
        if (const std::string wrong = (*option.get_validator(i))(value); !wrong.empty())
          return config_mistake(file, node, wrong);
  } catch (const CLI::OptionNotFound&) {
    // There is no further validator.
  }
  return {};
}

// What stands alone in braces, for one command or several that share them.
class SectionCheck {
 public:
  SectionCheck(const fs::path& file, std::vector<CLI::App*> commands)
      : m_file(file), m_commands(std::move(commands)), m_known(names_of_options(m_commands)) {}

  // Each line once, in their order.
  Result<void> line(const InfoNode& node) {
    if (!node.children.empty()) return config_mistake(m_file, node, "expected an option's value");
    TUNECHECK_CHECK(check_name(m_file, node, m_known));
    TUNECHECK_CHECK(value(node));
    TUNECHECK_CHECK(excluded(node));
    m_before.push_back(&node);
    return {};
  }

 private:
  // What `every` says is right if some command takes it so: "--limit" is a size here and a number
  // there. The one that is run judges for itself.
  Result<void> value(const InfoNode& node) const {
    std::optional<Result<void>> first;
    for (CLI::App* const command : m_commands) {
      CLI::Option* const option = find_long_option(*command, node.key);
      if (option == nullptr) continue;
      const Result<void> checked = check_value(m_file, node, *option);
      if (checked) return {};
      if (!first) first = checked;
    }
    return first.value_or(Result<void>());
  }

  Result<void> excluded(const InfoNode& node) const {
    for (CLI::App* const command : m_commands) {
      const CLI::Option* const option = find_long_option(*command, node.key);
      if (option == nullptr) continue;
      for (const InfoNode* const other : m_before) {
        CLI::Option* const before = find_long_option(*command, other->key);
        if (before == nullptr) continue;
        if (before == option && !may_be_repeated(*option))
          return config_mistake(m_file, node, "expected once");
        if (option->get_excludes().contains(before) && node.value != "no" && other->value != "no")
          return config_mistake(m_file, node,
                                "expected without \"" + other->key + "\", which rules it out");
      }
    }
    return {};
  }

  const fs::path& m_file;
  std::vector<CLI::App*> m_commands;
  std::vector<std::string> m_known;
  std::vector<const InfoNode*> m_before;
};

// Braces with the name of a command. They stand once: of two the second would be ignored.
Result<void> check_braces(const fs::path& file, const InfoNode& node, std::set<std::string>& seen) {
  if (!node.value.empty()) return config_mistake(file, node, "expected braces with options");
  if (!seen.insert(node.key).second) return config_mistake(file, node, "expected once");
  return {};
}

Result<void> check_section(const fs::path& file, const InfoNode& section, CLI::App& command) {
  SectionCheck options(file, {&command});
  std::set<std::string> seen;
  for (const InfoNode& node : section.children) {
    if (CLI::App* const inner = find_command(command, node.key)) {
      TUNECHECK_CHECK(check_braces(file, node, seen));
      TUNECHECK_CHECK(check_section(file, node, *inner));
    } else if (!node.children.empty()) {
      return config_mistake(file, node,
                            unknown_word_message("command", node.key, names_of_commands(command)));
    } else {
      TUNECHECK_CHECK(options.line(node));
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

}  // namespace

tl::unexpected<Error> config_mistake(const fs::path& file, const InfoNode& node,
                                     std::string message) {
  return failure(
      Error{ErrorKind::bad_input, std::move(message), file.string(), node.line, node.key});
}

CLI::Option* find_long_option(CLI::App& command, const std::string& name) {
  return command.get_option_no_throw("--" + name);
}

bool may_be_repeated(const CLI::Option& option) {
  return option.get_items_expected_max() > 1;
}

Result<std::string> config_value(const CLI::Option& option, const fs::path& file,
                                 const InfoNode& node) {
  if (!is_flag(option)) {
    if (node.value.empty()) return config_mistake(file, node, "expected a value");
    return resolved(option, file, node.value);
  }
  if (node.value != "yes" && node.value != "no")
    return config_mistake(file, node, "expected yes or no, found \"" + node.value + "\"");
  return std::string(node.value == "yes" ? "true" : "");
}

Result<void> check_config(const fs::path& file, const InfoNode& root, CLI::App& app) {
  std::vector<std::string> commands = names_of_commands(app);
  commands.emplace_back(every_section);
  std::set<std::string> seen;
  for (const InfoNode& node : root.children) {
    if (node.key == cache_command_name)
      return config_mistake(file, node,
                            "expected another command: `tunecheck cache` reads no tunecheck.info");
    if (std::find(commands.begin(), commands.end(), node.key) == commands.end())
      return config_mistake(file, node, unknown_word_message("command", node.key, commands));
    TUNECHECK_CHECK(check_braces(file, node, seen));
    if (node.key != every_section) {
      TUNECHECK_CHECK(check_section(file, node, *find_command(app, node.key)));
      continue;
    }
    SectionCheck options(file, all_commands_of(app));
    for (const InfoNode& option : node.children)
      TUNECHECK_CHECK(options.line(option));
  }
  return {};
}

}  // namespace tunecheck::cli
