#include "console.hpp"

#include <sstream>
#include <stdexcept>

#include "../observe/cached_compiler.hpp"
#include "core/command.hpp"
#include "core/resources.hpp"
#include "core/text.hpp"

namespace tunecheck::test {
namespace {

// All blanks single, none at the ends.
std::string with_single_blanks(const std::string& text) {
  std::istringstream words(text);
  std::string joined;
  for (std::string word; words >> word;)
    joined += (joined.empty() ? "" : " ") + word;
  return joined;
}

// "..." as a word is any words, and in a word any letters; all else is as it stands.
std::string pattern_of(const std::string& shown) {
  const std::string text = " " + with_single_blanks(shown) + " ";
  std::string pattern;
  for (std::size_t at = 0; at < text.size();) {
    if (text.compare(at, 5, " ... ") == 0) {
      pattern += "* ";
      at += 5;
    } else if (text.compare(at, 3, "...") == 0) {
      pattern += '*';
      at += 3;
    } else {
      if (std::string_view("*?[]\\").find(text[at]) != std::string_view::npos) pattern += '\\';
      pattern += text[at++];
    }
  }
  return pattern;
}

}  // namespace

std::vector<Command> commands_of(const std::string& block) {
  std::vector<Command> commands;
  std::istringstream lines(block);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("$ "))
      commands.push_back({line.substr(2), ""});
    else if (commands.empty())
      throw std::runtime_error("a command is expected: " + line);
    else
      commands.back().output += line + '\n';
  }
  return commands;
}

Console::Console() : m_folder(TemporaryFolder::create("tunecheck-test-docs").value()) {}

void Console::write(const std::string& file, const std::string& text) const {
  std::filesystem::create_directories((folder() / file).parent_path());
  if (const auto written = write_file(folder() / file, text); !written)
    throw std::runtime_error(written.error().text());
}

std::string Console::run(const std::string& line, int* status) const {
  CommandOptions options;
  options.arguments = {"/bin/sh", "-c", "exec 2>&1\n" + line};
  options.folder = folder();
  options.time_limit = std::chrono::minutes(4);  // a slow machine that does much else is no failure
  Environment environment = current_environment();
  environment.erase("TUNECHECK_ROOT");
  environment["TUNECHECK_CXX"] = cached_compiler();
  environment["PATH"] = program_folder().string() + ":" + environment["PATH"];
  options.environment = std::move(environment);
  const auto result = run_command(options);
  if (!result) throw std::runtime_error(result.error().text());
  if (status != nullptr) *status = result->end.signal == 0 ? result->end.exit_status : -1;
  return result->output;
}

bool is_shown_as(const std::string& text, const std::string& shown) {
  return matches_glob(pattern_of(shown), " " + with_single_blanks(text) + " ");
}

bool has_shown(const std::string& text, const std::string& shown) {
  return matches_glob("*" + pattern_of(shown) + "*", " " + with_single_blanks(text) + " ");
}

}  // namespace tunecheck::test
