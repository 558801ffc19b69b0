// The data of the page "State of autotuners"; tests/html opens it in browsers.
#include "reports/html/html_state.hpp"

#include <gmock/gmock.h>

#include "core/files.hpp"
#include "matrix_results.hpp"
#include "matrix_state_results.hpp"
#include "reports/html/html_state_parts.hpp"
#include "reports/html/html_template.hpp"
#include "reports/matrix/matrix_json.hpp"
#include "reports/report_formats.hpp"

namespace tunecheck::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Matrix toy() {
  Matrix matrix;
  matrix.add(explained_tuner());
  return matrix;
}

HtmlJson questions_of(const Matrix& matrix, HtmlTexts& texts) {
  return state_questions(matrix, StateCauses(matrix), texts);
}

const HtmlJson& question(const HtmlJson& questions, const std::string& check) {
  for (const HtmlJson& each : questions)
    if (each["check"] == check) return each;
  throw std::runtime_error("no question " + check);
}

TEST(HtmlState, an_answer_says_what_failed_by_which_causes_and_what_could_not_be_asked) {
  const Matrix matrix = toy();
  HtmlTexts texts;
  const HtmlJson questions = questions_of(matrix, texts);
  const HtmlJson& cell = question(questions, "key.must_hit")["cells"][0];
  EXPECT_EQ(cell["state"], "broken_promise");
  EXPECT_EQ(cell["held"], 1);
  EXPECT_EQ(cell["asked"], 3);
  ASSERT_EQ(cell["failed"].size(), 2U);
  const HtmlJson& failed = cell["failed"][0];
  EXPECT_EQ(texts.json()[failed["scenario"].get<std::size_t>()], "faults.cut");
  EXPECT_EQ(texts.json()[failed["observed"].get<std::size_t>()], "another thing in faults.cut");
  EXPECT_EQ(texts.json()[failed["reason"].get<std::size_t>()], "a mark's reason");
  EXPECT_EQ(texts.json()[failed["until"].get<std::size_t>()], "2027-03-31");
  const HtmlJson causes = StateCauses(matrix).json();
  EXPECT_EQ(causes[failed["causes"][0].get<std::size_t>()]["name"], "searches_again");
  const HtmlJson& lacking = question(questions, "key.explained")["cells"][0]["lacking"];
  ASSERT_EQ(lacking.size(), 1U);
  EXPECT_EQ(texts.json()[lacking[0][1].get<std::size_t>()], "capability explain");
  EXPECT_EQ(question(questions, "winner.correct")["cells"][0]["failed"][0]["causes"].size(), 0U);
}

TEST(HtmlState, a_cause_says_whose_promise_what_is_known_and_where_it_was_seen) {
  const HtmlJson causes = StateCauses(toy()).json();
  ASSERT_EQ(causes.size(), 4U);
  for (const HtmlJson& cause : causes) {
    if (cause["name"] == "searches_again") {
      EXPECT_EQ(cause["kind"], "broken_promise");
      EXPECT_EQ(cause["product"], "Toy Tuner");
      EXPECT_EQ(cause["upstream"][0]["state"], "open");
      EXPECT_EQ(cause["looked_at"], "2024-05-02");
      EXPECT_EQ(cause["columns"][0]["scenarios"], HtmlJson({"faults.cut", "reload.again"}));
      EXPECT_EQ(cause["checks"], HtmlJson({"key.must_hit"}));
    }
    if (cause["name"] == "fixed_one") {
      EXPECT_EQ(cause["columns"].size(), 0U);
      EXPECT_EQ(cause["fixed_in"], "1.1");
    }
  }
}

TEST(HtmlState, two_cards_of_one_tuner_are_two_columns_of_one_cause) {
  Matrix matrix = toy();
  MatrixTuner other = explained_tuner();
  other.device = "NVIDIA H100 80GB HBM3";
  matrix.add(other);
  ASSERT_EQ(matrix.tuners.size(), 2U);
  const HtmlJson causes = StateCauses(matrix).json();
  EXPECT_EQ(causes.size(), 4U);
  EXPECT_EQ(causes[0]["columns"].size(), 2U);
}

TEST(HtmlState, counts_by_reason_what_could_not_be_asked) {
  Matrix matrix = toy();
  matrix.tuners[0].left_out["gpu.x"] = {"gpu.x", "it needs a GPU", {"key.must_hit"}};
  matrix.tuners[0].pending = {"a", "b"};
  const HtmlJson gaps = state_gaps(matrix);
  ASSERT_EQ(gaps.size(), 3U);
  EXPECT_EQ(gaps[0]["scenarios"], HtmlJson({2})) << "the most frequent first";
  std::vector<std::string> reasons;
  for (const HtmlJson& gap : gaps)
    reasons.push_back(gap["reason"]);
  EXPECT_THAT(reasons, testing::UnorderedElementsAre("the run has not come to it yet",
                                                     "capability explain", "it needs a GPU"));
}

TEST(HtmlState, names_the_pages_that_it_would_show) {
  EXPECT_THAT(findings_of(toy()), ElementsAre("toy/again.md", "toy/again.py"));
}

TEST(HtmlState, is_one_page_that_hostile_text_cannot_leave) {
  Matrix matrix = toy();
  MatrixTuner& tuner = matrix.tuners[0];
  tuner.device = "</script><script>alert(1)</script>";
  tuner.causes.at("raises").title = "<!-- <img src=x onerror=alert(1)>";
  tuner.scenarios.at("faults.cut").troubles[0].observed = "</script><b>\x01\xff";
  const auto page = html_state(matrix, {{"toy/again.md", "</script><b>"}}, "0.1.0");
  if (html_state_template().empty()) {
    ASSERT_FALSE(page);
    EXPECT_THAT(page.error().text(), HasSubstr("ci/bootstrap --html"));
    return;
  }
  ASSERT_TRUE(page) << page.error().text();
  EXPECT_THAT(*page, HasSubstr("<title>State of autotuners</title>"));
  EXPECT_THAT(*page, HasSubstr("id=\"state\">"));
  for (const char* const text : {"alert(1)</script>", "<img src=x", "</script><b>"})
    EXPECT_THAT(*page, Not(HasSubstr(text)));
}

TEST(HtmlState, is_what_a_report_makes_of_matrices_alone) {
  if (html_state_template().empty()) GTEST_SKIP() << "built without the page";
  const auto folder = TemporaryFolder::create("tunecheck-state").value();
  ASSERT_TRUE(write_file(folder.path() / "matrix.json", to_json(toy())));
  ReportInput input;
  input.sources = read_report_sources({folder.path() / "matrix.json"}).value();
  const auto page = find_report_format("html")->make(input);
  ASSERT_TRUE(page) << page.error().text();
  EXPECT_THAT(*page, HasSubstr("searches_again")) << "its causes are in the file";
  input.sources.audits.emplace_back();
  EXPECT_THAT(find_report_format("html")->make(input).error().text(),
              HasSubstr("expected files of `tunecheck matrix` alone"));
  input.sources.audits.clear();
  EXPECT_THAT(find_report_format("junit")->make(input).error().text(), HasSubstr("a matrix"));
}

}  // namespace
}  // namespace tunecheck::test
