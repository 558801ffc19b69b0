#include "watch/source_lines.hpp"

#include <filesystem>
#include <string_view>
#include <system_error>

#include "core/command.hpp"
#include "watch/rules.hpp"

namespace tunecheck::watch {
namespace {

void make_relative(std::string& file) {
  std::error_code error;
  const auto relative =
      std::filesystem::path(file).lexically_relative(std::filesystem::current_path(error));
  if (!error && !relative.empty() && *relative.begin() != "..") file = relative.string();
}

std::string without_parameters(std::string function) {
  constexpr std::string_view nameless = "(anonymous namespace)::";
  for (std::size_t at; (at = function.find(nameless)) != function.npos;)
    function.erase(at, nameless.size());
  return function.substr(0, function.find('('));
}

}  // namespace

void find_source_line(WatchResult::Place& place) {
  const std::size_t plus = place.file.rfind("+0x");
  if (place.line > 0 || plus == std::string::npos) return make_relative(place.file);
  CommandOptions options;
  options.arguments = {
      "addr2line", "-f", "-C", "-e", place.file.substr(0, plus), place.file.substr(plus + 1)};
  const auto answer = run_command(options);
  // The function, a newline, and FILE:LINE or "??:0".
  if (!answer || !answer->end.success()) return;
  const std::string_view output = answer->output;
  const std::size_t newline = output.find('\n');
  if (newline == output.npos) return;
  std::string_view line = output.substr(newline + 1);
  line = line.substr(0, line.find_first_of("\n "));
  if (line.empty() || line.starts_with("??")) return;
  place = place_in(std::string(line));
  place.function = without_parameters(std::string(output.substr(0, newline)));
  if (place.function == "??") place.function.clear();
  make_relative(place.file);
}

}  // namespace tunecheck::watch
