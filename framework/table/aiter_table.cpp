#include <algorithm>
#include <array>
#include <cmath>

#include <boost/tokenizer.hpp>

#include "core/text.hpp"
#include "table/foreign_table.hpp"

namespace tunecheck::table {
namespace {

constexpr std::size_t most_columns = 256;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // spreadsheets write it

// What a row says to do, and what was measured; all other columns but the device say what it is
// for.
constexpr std::array<std::string_view, 10> choice_columns = {
    "libtype", "kernelid",   "solidx",      "splitk",      "ksplit",
    "block_m", "kernelname", "kernelname1", "kernelname2", "run_1stage"};
constexpr std::array<std::string_view, 11> measured_columns = {
    "us", "us1", "us2", "err_ratio", "errratio", "err1", "err2", "tflops", "bw", "_tag", "tag"};

std::string in_lower_case(std::string text) {
  for (char& letter : text)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return text;
}

template <std::size_t Count>
bool is_one_of(const std::array<std::string_view, Count>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), in_lower_case(name)) != names.end();
}

Error mistake_in(const std::string& file, int line, std::string key, std::string message) {
  return {ErrorKind::bad_input, std::move(message), file, line, std::move(key)};
}

Result<std::vector<std::string>> cells_of(const std::string& line, const std::string& file,
                                          int number) {
  try {
    const boost::tokenizer<boost::escaped_list_separator<char>> cells(
        line, boost::escaped_list_separator<char>('\0', ',', '"'));
    std::vector<std::string> all(cells.begin(), cells.end());
    if (all.size() > most_columns)
      return failure(
          mistake_in(file, number, "", fmt::format("expected at most {} columns", most_columns)));
    return all;
  } catch (const boost::escaped_list_error& error) {
    return failure(mistake_in(file, number, "", error.what()));
  }
}

// One row of the file; `names` are those of its first line.
Result<ForeignRow> row_from(const std::vector<std::string>& names,
                            const std::vector<std::string>& cells, const std::string& file,
                            int line) {
  ForeignRow row;
  row.file = file;
  row.line = line;
  if (cells.size() != names.size())
    return failure(mistake_in(
        file, line, "", fmt::format("expected {} columns, found {}", names.size(), cells.size())));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    if (name == "gfx") {
      row.arch = cells[i];
    } else if (name == "cu_num") {
      const auto number = parse_integer(cells[i]);
      if (!number || *number <= 0)
        return failure(mistake_in(file, line, name,
                                  fmt::format("expected compute units, found \"{}\"", cells[i])));
      row.multiprocessors = *number;
    } else if (name == "us") {
      const auto number = parse_number(cells[i]);
      row.median_us = number ? *number : std::nan("");
    } else if (is_one_of(choice_columns, name)) {
      row.choice[name] = cells[i];
    } else if (!is_one_of(measured_columns, name)) {
      row.problem[name] = cells[i];
    }
  }
  return row;
}

std::string_view next_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest = end == rest.npos ? std::string_view() : rest.substr(end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

Result<std::vector<ForeignRow>> parse_aiter_table(std::string_view text, const std::string& file) {
  std::string_view rest = text;
  if (rest.starts_with(byte_order_mark)) rest.remove_prefix(byte_order_mark.size());
  int number = 1;
  TUNECHECK_TRY(const auto names, cells_of(std::string(next_line(rest)), file, number));
  for (const char* const needed : {"cu_num", "us"})
    if (std::find(names.begin(), names.end(), needed) == names.end())
      return failure(mistake_in(file, 1, needed, "expected this column in a table of AITER's"));
  std::vector<ForeignRow> rows;
  while (!rest.empty()) {
    ++number;
    const std::string line(next_line(rest));
    if (line.empty()) continue;
    TUNECHECK_TRY(const auto cells, cells_of(line, file, number));
    TUNECHECK_TRY(ForeignRow row, row_from(names, cells, file, number));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace tunecheck::table
