// A matrix for people.
#include "reports/matrix/matrix_pages.hpp"

#include <sstream>

#include <gmock/gmock.h>

#include "core/plain_text.hpp"
#include "hand_made_results.hpp"
#include "matrix_results.hpp"
#include "matrix_state_results.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Matrix few() {
  return matrix_of(three_tuners());
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

// Up to the list of checks that nobody asked.
std::string head_of(const std::string& text, const std::string& end) {
  return text.substr(0, text.find(end));
}

std::string tail_of(const std::string& text, const std::string& begin) {
  return text.substr(text.find(begin));
}

TEST(MatrixSummary, reads_like_this) {
  const std::string text = matrix_summary(few(), {});
  EXPECT_EQ("\n" + head_of(text, "Checks that no"), R"(
1   reference (tunecheck reference 0.1.0) on cpu, Toy CPU; 2024-05-01
2   other (Other Tuner 2.0) on cpu, Toy CPU; 2024-05-01
3   absent on cuda; 2024-05-02
    DID NOT RUN: there is no adapter: the program "absent" cannot be found

                       1 reference (cpu)  2 other (cpu)      3 absent (cuda)
scenarios              1 pass, 1 fail,    1 fail, 1 known    none
                       1 unsupported,
                       1 error
restore
  output.reference     2 pass             1 pass             did not run
  inputs.pristine      1 fail             1 known            did not run
concurrency
  waiter.never_hangs   unsupported:       not asked          did not run
                       capability
                       threads
gpu
  capture.hit_replays  not asked          unsupported: it    did not run
                                          needs a GPU

)");
  EXPECT_EQ("\n" + tail_of(text, "\n1 "), R"(

1 reference (cpu)
  error                            1 scenario; reload.dead: the adapter ended
                                   before it answered
  fail inputs.pristine             1 scenario; restore.axpy: expected every
                                   launch sees the caller's input; observed 83
                                   of 84 launches saw another one

2 other (cpu)
  fail                             1 scenario; restore.mended: it passes, but
                                   known.info:9 marks it as known to fail;
                                   remove the mark
  known inputs.pristine            1 scenario; restore.axpy: expected every
                                   launch sees the caller's input; observed 83
                                   of 84 launches saw another one

)");
}

TEST(MatrixMarkdown, reads_like_this) {
  Matrix matrix = few();
  matrix.add(explained_tuner());
  matrix.tuners.back().pending = {"a.one"};
  EXPECT_EQ("\n" + tail_of(matrix_markdown(matrix), "| tuner |"), R"(
| tuner | adapter | on | run on | yes | no | not testable, or not asked | causes of no |
|---|---|---|---|---|---|---|---|
| Other Tuner 2.0 | other | cpu, Toy CPU | 2024-05-01 | 1 | 1 | 82 |  |
| never answered | absent | cuda, device not known | 2024-05-02 | **did not run**: there is no adapter: the program "absent" cannot be found | | | |
| Toy Tuner 2.0 | toy | cuda, NVIDIA H200 | 2024-05-01 | 1 | 5, 1 against its promise, **1 not explained** | 77, 1 without evidence | 1 against a promise, 1 never said, 1 another policy; **incomplete**: 1 of 9 scenarios not run |

## tunecheck's own tuner

It is a control: it shows that the questions can be answered well.

| tuner | adapter | on | run on | yes | no | not testable, or not asked | causes of no |
|---|---|---|---|---|---|---|---|
| tunecheck reference 0.1.0 | reference | cpu, Toy CPU | 2024-05-01 | 1 | 1, **1 not explained** | 82 |  |
)");
}

Matrix many_tuners() {
  Matrix matrix;
  for (int i = 0; i < 8; ++i) {
    std::vector<RunResult> results = three_tuners();
    results.push_back(hostile_result());
    RunResult& result = results[static_cast<std::size_t>(i) % results.size()];
    result.adapter += std::to_string(i);
    matrix.add(read_back(result));
  }
  return matrix;
}

TEST(MatrixSummary, of_many_tuners_keeps_within_the_width_and_has_each_of_them_once) {
  const std::string text = matrix_summary(many_tuners(), {});
  for (const std::string& line : lines_of(text))
    EXPECT_LE(width_of(line), 80U) << line;
  std::size_t tables = 0;
  for (const std::string& line : lines_of(text))
    tables += line.starts_with("scenarios ") ? 1 : 0;
  EXPECT_EQ(tables, 3U);
  for (const char* const title : {"  1 reference0", "  5 reference4", "  6 other5", "  7 absent6"})
    EXPECT_THAT(text, HasSubstr(title));
}

TEST(MatrixSummary, has_escape_codes_only_where_colour_is_asked_for) {
  EXPECT_THAT(matrix_summary(many_tuners(), {}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(matrix_summary(few(), {.colour = true, .out = {}}),
              HasSubstr("\x1b[1;31m  inputs.pristine "));
}

TEST(MatrixSummary, marks_a_run_that_was_ended) {
  RunResult result = mixed_result();
  result.pending = {"a.one"};
  EXPECT_THAT(matrix_summary(matrix_of({result}), {}),
              HasSubstr("\n    INCOMPLETE: 1 of 5 scenarios not run\n"));
}

TEST(MatrixSummary, explains_a_scenario_that_is_bad_without_any_check) {
  const std::string text = matrix_summary(matrix_of({result_with_marks()}), {});
  EXPECT_THAT(text, HasSubstr("1 scenario; restore.mended: it passes,"));
}

// Bars that no backslash stands before.
long cells_in(const std::string& row) {
  long bars = 0;
  for (std::size_t i = 0; i < row.size(); ++i)
    bars += row[i] == '|' && (i == 0 || row[i - 1] != '\\') ? 1 : 0;
  return bars;
}

TEST(MatrixMarkdown, of_hostile_text_keeps_every_row_whole) {
  RunResult result = hostile_result();
  result.environment["cpu"] = "a | b\n\n# c <script> [d](e)";
  const std::string text = matrix_markdown(matrix_of({result, mixed_result()}));
  long columns = 0;
  for (const std::string& line : lines_of(tail_of(text, "| tuner |"))) {
    if (!line.starts_with("|")) {
      columns = 0;
      continue;
    }
    if (columns == 0) columns = cells_in(line);
    EXPECT_EQ(cells_in(line), columns) << line;
  }
  EXPECT_THAT(text, HasSubstr("a \\| b  \\# c \\<script\\> \\[d\\](e) |"));
  EXPECT_THAT(text, Not(HasSubstr(" <script")));
}

TEST(MatrixMarkdown, marks_a_run_that_was_ended) {
  RunResult result = mixed_result();
  result.pending = {"a.one"};
  EXPECT_THAT(matrix_markdown(matrix_of({result})),
              HasSubstr("| **incomplete**: 1 of 5 scenarios not run |"));
}

}  // namespace
}  // namespace tunecheck::test
