#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/plain_text.hpp"
#include "reports/matrix/matrix_pages.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t gap = 2;             // between columns
constexpr std::size_t least_column = 14;   // "14 unsupported"
constexpr std::size_t longest_label = 30;  // of a check
constexpr std::size_t longest_cell = 120;

bool is_bad(const MatrixCell& cell) {
  return cell.of(Verdict::fail) + cell.of(Verdict::error) > 0;
}

void write_tuners(Page& page, const Matrix& matrix) {
  int number = 0;
  for (const MatrixTuner& tuner : matrix.tuners) {
    const std::string name = name_of(tuner);
    const std::string version =
        name == tuner.tuner || tuner.tuner.empty() ? "" : fmt::format(" ({})", tuner.tuner);
    const std::string device = tuner.device.empty() ? "" : ", " + tuner.device;
    page.entry(
        fmt::format("{}", ++number), 4,
        fmt::format("{}{} on {}{}; {}", name, version, tuner.backend, device, date_of(tuner)),
        Style::strong);
    if (const std::string why = why_it_did_not_run(tuner); !why.empty())
      page.entry("", 4, "DID NOT RUN: " + why, Style::plain, 2);
    else if (const std::string missing = why_it_is_incomplete(tuner); !missing.empty())
      page.entry("", 4, "INCOMPLETE: " + missing);
  }
  page.blank();
}

// Some of the tuners side by side, as many as the page is wide. write() is called once: titles, the
// row of scenarios, and then a row for each check, under the name of its family. All blocks of a
// page get the same label width, so that they look like one table that was cut.
class Block {
 public:
  Block(Page& page, const Matrix& matrix, std::size_t label, std::size_t first, std::size_t count)
      : m_page(page), m_matrix(matrix), m_label(label), m_first(first), m_count(count) {
    const std::size_t left = page.options().width - std::min(label, page.options().width / 2);
    m_column = std::max<std::size_t>(1, left / count - gap);
  }

  void write(const MatrixTable& table) {
    std::vector<std::vector<std::string>> titles;
    std::vector<MatrixCell> totals;
    for (std::size_t i = m_first; i < m_first + m_count; ++i) {
      titles.push_back(lines_of(title_of(m_matrix, i)));
      totals.push_back(scenarios_of(m_matrix.tuners[i]));
    }
    write_lines("", titles, Style::strong);
    write_cells("scenarios", totals);
    std::string_view family;
    for (const MatrixRow& row : table.rows) {
      if (row.family != family) m_page.line(row.family, Style::strong);
      family = row.family;
      const auto begin = row.cells.begin() + static_cast<std::ptrdiff_t>(m_first);
      write_cells("  " + row.check, {begin, begin + static_cast<std::ptrdiff_t>(m_count)});
    }
    m_page.blank();
  }

 private:
  std::vector<std::string> lines_of(const std::string& text) const {
    return wrapped(shortened(printable_line(text), longest_cell), m_column);
  }

  // Broken between two counts and not amid one.
  std::vector<std::string> lines_of(const MatrixCell& cell) const {
    std::vector<std::string> lines;
    for (const std::string& count : counts_of(cell)) {
      if (!lines.empty() && width_of(lines.back() + ", " + count) < m_column) {
        lines.back() += ", " + count;
        continue;
      }
      if (!lines.empty()) lines.back() += ',';
      lines.push_back(count);
    }
    return lines.empty() ? lines_of(cell.reason) : lines;
  }

  void write_cells(const std::string& label, const std::vector<MatrixCell>& cells) {
    std::vector<std::vector<std::string>> columns;
    for (const MatrixCell& cell : cells)
      columns.push_back(lines_of(cell));
    write_lines(label, columns,
                std::any_of(cells.begin(), cells.end(), is_bad) ? Style::bad : Style::plain);
  }

  void write_lines(const std::string& label, const std::vector<std::vector<std::string>>& columns,
                   Style style) {
    std::size_t lines = 0;
    for (const auto& column : columns)
      lines = std::max(lines, column.size());
    for (std::size_t line = 0; line < lines; ++line) {
      std::string text = padded(line == 0 ? label : "", m_label);
      for (const auto& column : columns)
        text += padded(line < column.size() ? column[line] : "", m_column + gap);
      m_page.line(text.substr(0, text.find_last_not_of(' ') + 1), style);
    }
  }

  // fmt counts columns where others count code points.
  static std::string padded(const std::string& text, std::size_t width) {
    const std::string cut = shortened(printable_line(text), width);
    return cut + std::string(width - width_of(cut), ' ');
  }

  Page& m_page;
  const Matrix& m_matrix;
  std::size_t m_label, m_first, m_count, m_column = 0;
};

void write_blocks(Page& page, const Matrix& matrix, const MatrixTable& table) {
  std::size_t label = std::string_view("scenarios").size();
  for (const MatrixRow& row : table.rows)
    label = std::max(label, 2 + width_of(row.check));
  label = std::min(label, longest_label) + gap;
  const std::size_t width = page.options().width;
  const std::size_t most =
      std::max<std::size_t>(1, (width - std::min(label, width)) / (least_column + gap));
  const std::size_t tuners = matrix.tuners.size();
  const std::size_t blocks = (tuners + most - 1) / most;
  for (std::size_t block = 0, first = 0; block < blocks; ++block) {
    // As many in each as in the others, or one more.
    const std::size_t count = (tuners - first + blocks - block - 1) / (blocks - block);
    Block(page, matrix, label, first, count).write(table);
    first += count;
  }
}

struct Example {
  std::string text;
  std::size_t scenarios = 0;
};
using Examples = std::map<std::pair<std::string, Verdict>, Example>;

void add_example(const std::string& check, Verdict verdict, std::string text, Examples& examples) {
  ++examples.try_emplace({check, verdict}, Example{std::move(text)}).first->second.scenarios;
}

// The first scenario that shows it is enough here: result.json has all of them.
Examples examples_of(const MatrixTuner& tuner) {
  Examples examples;
  for (const auto& [name, scenario] : tuner.scenarios) {
    for (const MatrixScenario::Trouble& trouble : scenario.troubles)
      add_example(
          trouble.check, trouble.verdict,
          fmt::format("{}: expected {}; observed {}", name, trouble.expected, trouble.observed),
          examples);
    const bool is_bad = scenario.verdict == Verdict::fail || scenario.verdict == Verdict::error;
    if (is_bad && !scenario.message.empty())
      add_example("", scenario.verdict, fmt::format("{}: {}", name, scenario.message), examples);
  }
  return examples;
}

void write_troubles(Page& page, const Matrix& matrix) {
  for (std::size_t i = 0; i < matrix.tuners.size(); ++i) {
    const MatrixTuner& tuner = matrix.tuners[i];
    if (!why_it_did_not_run(tuner).empty()) continue;
    const Examples examples = examples_of(tuner);
    if (examples.empty()) continue;
    page.line(shortened(printable_line(title_of(matrix, i)), page.options().width), Style::strong);
    for (const auto& [key, example] : examples)
      page.entry(
          fmt::format("  {} {}", name_of(key.second), shortened(printable_line(key.first), 26)), 35,
          fmt::format("{}; {}", counted(example.scenarios, "scenario"), example.text),
          key.second == Verdict::known ? Style::warning : Style::bad, 4);
    page.blank();
  }
}

}  // namespace

std::string matrix_summary(const Matrix& matrix, const TerminalOptions& options) {
  Page page(options);
  write_tuners(page, matrix);
  const MatrixTable table = table_of(matrix);
  write_blocks(page, matrix, table);
  if (!table.not_asked.empty()) {
    page.line("Checks that no scenario of these results names:", Style::strong);
    page.entry("", 2, fmt::format("{}", fmt::join(table.not_asked, ", ")), Style::plain, 40);
    page.blank();
  }
  write_troubles(page, matrix);
  return page.text();
}

}  // namespace tunecheck
