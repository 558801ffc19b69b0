#include "cli/shell/man_page.hpp"

#include <sstream>

#include <fmt/format.h>

#include "cli/usage.hpp"
#include "core/text.hpp"

namespace tunecheck::cli {
namespace {

// As roff takes it: a '\' begins an escape, a '-' alone is a hyphen, and a '.' or a ' at the
// beginning of a line is a request.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result;
}

// One paragraph: the breaks of --help, which are for its columns, are blanks here.
std::string flowing(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  return escaped(text);
}

// An argument of a macro.
std::string quoted(const std::string& text) {
  return "\"" + text + "\"";
}

std::string words_of_command(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  return parent == nullptr ? "tunecheck" : words_of_command(*parent) + " " + command.get_name();
}

std::string option_title(const CLI::Option& option) {
  std::string title;
  for (const std::string& name : option.get_lnames())
    title += (title.empty() ? "" : ", ") + ("\\fB\\-\\-" + escaped(name) + "\\fR");
  for (const std::string& name : option.get_snames())
    title += (title.empty() ? "" : ", ") + ("\\fB\\-" + escaped(name) + "\\fR");
  if (title.empty()) title = "\\fI" + escaped(option.get_name(true)) + "\\fR";
  if (const std::string type = option.get_type_name();
      !type.empty() && !option.get_positional() && option.get_items_expected_max() > 0)
    title += " \\fI" + escaped(type) + "\\fR";
  return title;
}

std::string entry(const std::string& title, const std::string& text) {
  return ".TP\n" + title + "\n" + flowing(text) + "\n";
}

std::string synopsis(const CLI::App& command) {
  std::string line = "\\fB" + escaped(words_of_command(command)) + "\\fR";
  bool has_options = false;
  for (const CLI::Option* const option : command.get_options())
    has_options = has_options || !option->get_positional();
  if (has_options) line += " [\\fIoptions\\fR]";
  for (const CLI::Option* const option : command.get_options()) {
    if (!option->get_positional()) continue;
    const std::string name = "\\fI" + escaped(option->get_name(true)) + "\\fR";
    const bool several = option->get_items_expected_max() > 1;
    line += option->get_required() ? " " + name : " [" + name + "]";
    if (several) line += "...";
  }
  if (!command.get_subcommands([](const CLI::App*) { return true; }).empty())
    line += " \\fIcommand\\fR";
  return line + "\n";
}

std::string options_section(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* const option : command.get_options())
    text += entry(option_title(*option), option->get_description());
  return text.empty() ? "" : ".SH OPTIONS\n" + text;
}

std::string commands_section(const CLI::App& command) {
  std::string text;
  for (const CLI::App* const inner : command.get_subcommands([](const CLI::App*) { return true; }))
    text += entry("\\fB" + escaped(man_page_name(*inner)) + "\\fR(1)", inner->get_description());
  return text.empty() ? "" : ".SH COMMANDS\n" + text;
}

// The footer of --help as it is: examples, and what the exit statuses mean.
std::string footer_section(const CLI::App& command) {
  std::string footer = command.get_footer();
  footer.erase(0, footer.find_first_not_of('\n'));
  while (!footer.empty() && footer.back() == '\n')
    footer.pop_back();
  if (footer.empty()) return "";
  return ".SH NOTES\n.nf\n" + escaped(footer) + "\n.fi\n";
}

std::string see_also(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  if (parent == nullptr) return "";
  return ".SH SEE ALSO\n\\fB" + escaped(man_page_name(*parent)) + "\\fR(1)\n";
}

}  // namespace

std::string man_page_name(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  return parent == nullptr ? "tunecheck" : man_page_name(*parent) + "-" + command.get_name();
}

std::vector<CLI::App*> all_commands(CLI::App& app) {
  std::vector<CLI::App*> all = {&app};
  for (CLI::App* const inner : app.get_subcommands(nullptr))
    for (CLI::App* const command : all_commands(*inner))
      all.push_back(command);
  return all;
}

std::string man_page(const CLI::App& command) {
  const std::string description = flowing(command.get_description());
  const std::string first = description.substr(0, description.find(": "));
  return fmt::format(
             ".TH {} 1 \"\" {} {}\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}.SH DESCRIPTION\n{}\n",
             quoted(upper_case(escaped(man_page_name(command)))), quoted("tunecheck " + version()),
             quoted("tunecheck"), escaped(man_page_name(command)), first, synopsis(command),
             description) +
         commands_section(command) + options_section(command) + footer_section(command) +
         see_also(command);
}

}  // namespace tunecheck::cli
