// history_plot() of history_pages.hpp.
#include <algorithm>

#include <fmt/format.h>

#include "core/plain_text.hpp"
#include "gate/rule/pair.hpp"
#include "reports/terminal/history_pages.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t label_width = 12, most_columns = 80 - label_width - 2, rows = 12;

// One column: the middle of several runs' medians, and how far they go.
struct Column {
  double middle = 0, least = 0, greatest = 0;
  bool begins_change = false;
};

std::vector<Column> columns_of(const history::Series& series,
                               const std::vector<history::Change>& changes) {
  const std::size_t points = series.points.size();
  const std::size_t each = (points + most_columns - 1) / most_columns;
  std::vector<Column> columns;
  for (std::size_t begin = 0; begin < points; begin += each) {
    const std::size_t end = std::min(points, begin + each);
    Column column;
    std::vector<double> medians;
    for (std::size_t at = begin; at < end; ++at) {
      medians.push_back(series.points[at].median);
      for (const history::Change& change : changes)
        column.begins_change = column.begins_change || change.first_after == series.points[at].run;
    }
    const auto [least, greatest] = std::minmax_element(medians.begin(), medians.end());
    column.least = *least;
    column.greatest = *greatest;
    column.middle = gate::median(medians);
    columns.push_back(column);
  }
  return columns;
}

// The scale of the rows; one value alone is in the middle.
class Scale {
 public:
  explicit Scale(const std::vector<Column>& columns) {
    m_least = columns.front().least;
    m_greatest = columns.front().greatest;
    for (const Column& column : columns) {
      m_least = std::min(m_least, column.least);
      m_greatest = std::max(m_greatest, column.greatest);
    }
  }

  // From 0, the top.
  [[nodiscard]] std::size_t row_of(double value) const {
    if (m_greatest == m_least) return rows / 2;
    const double share = (m_greatest - value) / (m_greatest - m_least);
    return static_cast<std::size_t>(share * static_cast<double>(rows - 1) + 0.5);
  }
  [[nodiscard]] double value_of(std::size_t row) const {
    return m_greatest -
           (m_greatest - m_least) * static_cast<double>(row) / static_cast<double>(rows - 1);
  }
  // Rows with a label: the ends and the middle; of one value alone only that.
  [[nodiscard]] bool has_label(std::size_t row) const {
    if (m_greatest == m_least) return row == rows / 2;
    return row == 0 || row == rows / 2 || row == rows - 1;
  }

 private:
  double m_least = 0, m_greatest = 0;
};

std::string row_text(std::size_t row, const Scale& scale, const std::vector<Column>& columns,
                     const std::string& unit) {
  const std::string label = scale.has_label(row) ? quantity_text(scale.value_of(row), unit) : "";
  std::string text = fmt::format("{:>{}} |", shortened(label, label_width), label_width);
  for (const Column& column : columns) {
    const bool is_within =
        row >= scale.row_of(column.greatest) && row <= scale.row_of(column.least);
    text += row == scale.row_of(column.middle) ? '*' : is_within ? ':' : ' ';
  }
  return text.erase(text.find_last_not_of(' ') + 1) + "\n";
}

}  // namespace

std::string history_plot(const history::Contents& contents, const history::Series& series,
                         const std::vector<history::Change>& changes) {
  const std::vector<Column> columns = columns_of(series, changes);
  const Scale scale(columns);
  std::string text = printable_line(series.benchmark) + "\n";
  for (std::size_t row = 0; row < rows; ++row)
    text += row_text(row, scale, columns, series.unit);
  text += std::string(label_width, ' ') + " +" + std::string(columns.size(), '-') + "\n";
  std::string marks(label_width + 2, ' ');
  for (const Column& column : columns)
    marks += column.begins_change ? '^' : ' ';
  if (marks.find('^') != marks.npos) text += marks.erase(marks.find_last_not_of(' ') + 1) + "\n";
  text += fmt::format("from {}\nto   {}\n", run_text(contents, series.points.front().run),
                      run_text(contents, series.points.back().run));
  if (const std::size_t each = (series.points.size() + most_columns - 1) / most_columns; each > 1)
    text += fmt::format("each column is {} runs: * their median, : their range\n", each);
  for (const history::Change& change : changes)
    text += fmt::format("^ {} -> {} from {}\n", quantity_text(change.before, change.unit),
                        quantity_text(change.after, change.unit),
                        run_text(contents, change.first_after));
  return text;
}

}  // namespace tunecheck
