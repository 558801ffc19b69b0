// state_questions() of html_state_parts.hpp.
#include "judge/checks/table/check.hpp"
#include "reports/html/html_state_parts.hpp"

namespace tunecheck {
namespace {

/// The cells of one row; what many cells say alike is in the texts once.
class QuestionRow {
 public:
  QuestionRow(const StateCauses& causes, HtmlTexts& texts, std::string check)
      : m_causes(causes), m_texts(texts), m_check(std::move(check)) {}

  HtmlJson cell(const MatrixTuner& tuner) {
    const QuestionAnswer answer = answer_of(tuner, m_check);
    HtmlJson held = HtmlJson::array(), failed = HtmlJson::array(), lacking = HtmlJson::array();
    for (const auto& [name, scenario] : tuner.scenarios) {
      const auto found = scenario.checks.find(m_check);
      if (found == scenario.checks.end()) continue;
      if (found->second == Verdict::pass)
        held.push_back(m_texts.place_of(name));
      else if (found->second == Verdict::unsupported)
        lacking.push_back({m_texts.place_of(name), m_texts.place_of(why_not(scenario))});
      else
        failed.push_back(failure(tuner, scenario, found->second));
    }
    add_left_out(tuner, lacking);
    return {{"state", name_of(answer.state)},
            {"held", answer.held},
            {"asked", answer.asked},
            {"causes", m_causes.places_of(tuner, answer.causes)},
            {"reason", html_text(cell_of(tuner, m_check).reason)},
            {"failed", failed},
            {"held_in", held},
            {"lacking", lacking}};
  }

 private:
  static const std::string& why_not(const MatrixScenario& scenario) {
    static const std::string check_needs_more = "what the check itself needs";
    if (scenario.verdict != Verdict::unsupported) return check_needs_more;
    return scenario.lacks.empty() ? scenario.message : scenario.lacks;
  }

  HtmlJson failure(const MatrixTuner& tuner, const MatrixScenario& scenario, Verdict verdict) {
    const MatrixScenario::Trouble* trouble = nullptr;
    for (const MatrixScenario::Trouble& each : scenario.troubles)
      if (each.check == m_check) trouble = &each;
    const auto& mark = scenario.mark;
    return {
        {"scenario", m_texts.place_of(scenario.name)},
        {"verdict", name_of(verdict)},
        {"reached", was_reached(scenario, m_check)},
        {"causes", verdict == Verdict::known
                       ? m_causes.places_of(tuner, causes_behind(tuner, scenario.name, m_check))
                       : std::vector<std::size_t>()},
        {"expected", m_texts.place_of(trouble == nullptr ? "" : trouble->expected)},
        {"observed", m_texts.place_of(trouble == nullptr ? scenario.message : trouble->observed)},
        {"reason", m_texts.place_of(mark ? mark->reason : "")},
        {"link", m_texts.place_of(mark ? mark->link : "")},
        {"until", m_texts.place_of(mark ? mark->until : "")},
        {"at_times", m_texts.place_of(mark ? mark->at_times : "")}};
  }

  void add_left_out(const MatrixTuner& tuner, HtmlJson& lacking) {
    for (const auto& [name, scenario] : tuner.left_out)
      for (const std::string& check : scenario.checks)
        if (check == m_check)
          lacking.push_back({m_texts.place_of(name), m_texts.place_of(scenario.reason)});
  }

  const StateCauses& m_causes;
  HtmlTexts& m_texts;
  std::string m_check;
};

}  // namespace

HtmlJson state_questions(const Matrix& matrix, const StateCauses& causes, HtmlTexts& texts) {
  HtmlJson rows = HtmlJson::array();
  for (const MatrixRow& row : table_of(matrix).rows) {
    QuestionRow question(causes, texts, row.check);
    HtmlJson cells = HtmlJson::array();
    for (const MatrixTuner& tuner : matrix.tuners)
      cells.push_back(question.cell(tuner));
    const Check* const check = find_check(row.check);
    rows.push_back({{"check", html_text(row.check, 200)},
                    {"family", html_text(row.family, 200)},
                    {"question", check == nullptr ? "" : std::string(check->question)},
                    {"says", check == nullptr ? "" : std::string(check->summary)},
                    {"cells", cells}});
  }
  return rows;
}

}  // namespace tunecheck
