// HtmlExcerpts of html_parts.hpp.
#include <algorithm>
#include <fstream>
#include <set>

#include "reports/html/html_parts.hpp"
#include "reports/summary/failures.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t most_of_a_log = 3000;       // bytes, its end
constexpr std::size_t most_of_all_logs = 400000;  // bytes

// The end of a file, from the begin of a line; "" where it is gone, or no plain file.
std::string end_of(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return {};
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::streamoff>(stream.tellg());
  if (size <= 0) return {};
  const std::streamoff from = std::max<std::streamoff>(0, size - std::streamoff{most_of_a_log});
  stream.seekg(from);
  std::string text(static_cast<std::size_t>(size - from), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, stream.gcount())));
  if (from > 0) text.erase(0, std::min(text.find('\n'), text.size() - 1) + 1);
  return text;
}

// Where something is wrong: a process with a bad answer, or that did not end well.
std::set<std::string> bad_processes(const ScenarioResult& scenario) {
  std::set<std::string> names;
  for (const CheckResult& check : scenario.checks)
    if (is_bad(check)) names.insert(check.process);
  for (const ProcessSummary& process : scenario.processes)
    if (!process.end.success()) names.insert(process.name);
  return names;
}

}  // namespace

HtmlJson HtmlExcerpts::of(const ScenarioResult& scenario) {
  HtmlJson excerpts = HtmlJson::array();
  if (!is_bad(scenario)) return excerpts;
  const std::set<std::string> names = bad_processes(scenario);
  for (const ProcessSummary& process : scenario.processes) {
    if (!names.contains(process.name) || m_bytes > most_of_all_logs) continue;
    const std::string text = end_of(process.log);
    if (text.empty()) continue;
    m_bytes += text.size();
    HtmlJson lines = HtmlJson::array();
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      lines.push_back(html_text(text.substr(begin, end - begin)));
      begin = end + 1;
    }
    excerpts.push_back(HtmlJson::array({html_text(process.name, 200), std::move(lines)}));
  }
  return excerpts;
}

}  // namespace tunecheck
