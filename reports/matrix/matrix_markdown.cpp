#include <algorithm>
#include <cctype>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/plain_text.hpp"
#include "judge/checks/table/check.hpp"
#include "reports/matrix/matrix_pages.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_sentence = 300;

constexpr std::string_view introduction =
    "# Conformance\n\n"
    "This page shows which check holds for which tuner, judged by the same scenarios. A cell\n"
    "counts the scenarios that ask a [check](checks.md), by their verdicts. `fail` is explained\n"
    "below the tables. `known` is a failure that a [mark](known-failures.md) explains.\n"
    "`unsupported` means that the adapter does not declare a capability, or that this kind of\n"
    "device does not have it. `tunecheck matrix` made this page from results of `tunecheck run`:\n"
    "[how](matrix.md).\n";

// Text that others wrote, so that it means nothing to Markdown.
std::string plain(std::string_view text) {
  constexpr std::string_view special = "\\`*_{}[]<>#|~&!$";
  std::string escaped;
  for (const char letter : shortened(printable_line(text), longest_sentence)) {
    if (special.find(letter) != special.npos) escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

bool has_only(std::string_view text, std::string_view further) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
           further.find(letter) != further.npos;
  });
}

// As all names of scenarios, checks and adapters are, unless somebody made the file by hand.
bool is_name(std::string_view text) {
  return has_only(text, "._-");
}

std::string code(std::string_view name) {
  return is_name(name) ? fmt::format("`{}`", name) : plain(name);
}

std::string web_link(std::string_view address) {
  const bool is_address = (address.starts_with("https://") || address.starts_with("http://")) &&
                          has_only(address, "-._~:/?#@!$&'*+,;=%");
  return is_address ? fmt::format("[link]({})", address) : plain(address);
}

// As a heading of checks.md is linked to.
std::string check_link(const std::string& check) {
  if (find_check(check) == nullptr) return code(check);
  std::string anchor = check;
  std::erase(anchor, '.');
  return fmt::format("[{}](checks.md#{})", check, anchor);
}

std::string state_of(const MatrixTuner& tuner) {
  if (const std::string why = why_it_did_not_run(tuner); !why.empty())
    return "**did not run**: " + plain(why);
  const std::string counts = text_of(scenarios_of(tuner));
  const std::string missing = why_it_is_incomplete(tuner);
  return missing.empty() ? counts : fmt::format("{}; **incomplete**: {}", counts, missing);
}

std::string tuners_table(const Matrix& matrix) {
  std::string text =
      "\n## Tuners\n\n| | tuner | adapter | backend | device | run on | tunecheck | scenarios |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (std::size_t i = 0; i < matrix.tuners.size(); ++i) {
    const MatrixTuner& tuner = matrix.tuners[i];
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", i + 1,
                        tuner.tuner.empty() ? "never answered" : plain(tuner.tuner),
                        plain(tuner.adapter), plain(tuner.backend),
                        tuner.device.empty() ? "not known" : plain(tuner.device),
                        plain(date_of(tuner)), plain(tuner.tunecheck_version), state_of(tuner));
  }
  return text;
}

std::string family_head(const Matrix& matrix, const std::string& family) {
  std::string head = "| check |", rule = "|---|";
  for (std::size_t i = 0; i < matrix.tuners.size(); ++i) {
    head += fmt::format(" {} |", plain(title_of(matrix, i)));
    rule += "---|";
  }
  return fmt::format("\n## {}\n\n{}\n{}\n", plain(family), head, rule);
}

std::string tables(const Matrix& matrix, const MatrixTable& table) {
  std::string text, family;
  for (const MatrixRow& row : table.rows) {
    if (row.family != family) text += family_head(matrix, row.family);
    family = row.family;
    text += fmt::format("| {} |", check_link(row.check));
    for (const MatrixCell& cell : row.cells)
      text += fmt::format(" {} |", plain(text_of(cell)));
    text += '\n';
  }
  if (table.not_asked.empty()) return text;
  text += "\nNo scenario of these results names ";
  for (const std::string& check : table.not_asked)
    text += (&check == table.not_asked.data() ? "" : ", ") + check_link(check);
  return text + ".\n";
}

// "" where nobody has written one.
std::string finding_link(const fs::path& folder, const std::string& adapter,
                         const std::string& name) {
  // Names from a file: none may lead elsewhere.
  if (!is_name(adapter) || !is_name(name)) return {};
  const std::string page = fmt::format("findings/{}/{}.md", adapter, name);
  std::error_code error;
  return fs::is_regular_file(folder / page, error) ? fmt::format(" ([finding]({}))", page) : "";
}

// " in 1 of 2 runs" of what passes as well.
std::string how_often(const MatrixScenario::Mark& mark) {
  if (mark.at_times.empty()) return "";
  return mark.at_times == "yes" ? " at times" : fmt::format(" in {} runs", plain(mark.at_times));
}

std::string scenario_item(const MatrixTuner& tuner, const MatrixScenario& scenario,
                          const fs::path& folder) {
  std::string text = fmt::format("- {} {}{}", code(scenario.name), name_of(scenario.verdict),
                                 finding_link(folder, tuner.adapter, scenario.name));
  if (!scenario.message.empty()) text += ": " + plain(scenario.message);
  if (scenario.mark)
    text += fmt::format("{}: {} (until {}, {})", how_often(*scenario.mark),
                        plain(scenario.mark->reason), plain(scenario.mark->until),
                        web_link(scenario.mark->link));
  text += '\n';
  for (const MatrixScenario::Trouble& trouble : scenario.troubles)
    text += fmt::format("  - {}{}: expected {}; observed {}\n", check_link(trouble.check),
                        finding_link(folder, tuner.adapter, trouble.check), plain(trouble.expected),
                        plain(trouble.observed));
  return text;
}

std::string failures(const Matrix& matrix, const fs::path& folder) {
  std::string text = "\n## Failures\n";
  bool any = false;
  for (std::size_t i = 0; i < matrix.tuners.size(); ++i) {
    const MatrixTuner& tuner = matrix.tuners[i];
    if (!why_it_did_not_run(tuner).empty()) continue;
    std::string items;
    for (const auto& [name, scenario] : tuner.scenarios)
      if (scenario.verdict != Verdict::pass && scenario.verdict != Verdict::unsupported)
        items += scenario_item(tuner, scenario, folder);
    if (items.empty()) continue;
    text += fmt::format("\n### {}\n\n{}", plain(title_of(matrix, i)), items);
    any = true;
  }
  return any ? text : text + "\nNone.\n";
}

}  // namespace

std::string matrix_markdown(const Matrix& matrix, const fs::path& folder) {
  const MatrixTable table = table_of(matrix);
  return std::string(introduction) + tuners_table(matrix) + tables(matrix, table) +
         failures(matrix, folder);
}

}  // namespace tunecheck
