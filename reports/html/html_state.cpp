#include "reports/html/html_state.hpp"

#include <algorithm>

#include "reports/html/html_state_parts.hpp"
#include "reports/html/html_template.hpp"

namespace tunecheck {
namespace {

HtmlJson counts_json(const MatrixTuner& tuner) {
  const StateCounts counts = state_counts(tuner);
  HtmlJson json = HtmlJson::object();
  for (std::size_t state = 0; state < counts.size(); ++state)
    json[std::string(name_of(static_cast<QuestionState>(state)))] = counts.at(state);
  return json;
}

HtmlJson verdicts_json(const MatrixTuner& tuner) {
  const MatrixCell cell = scenarios_of(tuner);
  HtmlJson json = HtmlJson::object();
  for (const Verdict verdict :
       {Verdict::pass, Verdict::fail, Verdict::known, Verdict::unsupported, Verdict::error})
    json[std::string(name_of(verdict))] = cell.of(verdict);
  return json;
}

HtmlJson tuner_json(const MatrixTuner& tuner) {
  const ProductName name = product_of(tuner);
  return {{"slug", slug_of(tuner)},
          {"adapter", html_text(tuner.adapter, 200)},
          {"product", html_text(name.product, 200)},
          {"version", html_text(name.version, 200)},
          {"backend", html_text(tuner.backend, 200)},
          {"device", html_text(tuner.device, 200)},
          {"card", html_text(card_of(tuner), 40)},
          {"dates", html_text(date_of(tuner), 200)},
          {"tunecheck", html_text(tuner.tunecheck_version, 200)},
          {"own", is_own(tuner)},
          {"did_not_run", html_text(why_it_did_not_run(tuner))},
          {"incomplete", html_text(why_it_is_incomplete(tuner))},
          {"states", counts_json(tuner)},
          {"verdicts", verdicts_json(tuner)}};
}

}  // namespace

std::vector<std::string> findings_of(const Matrix& matrix) {
  std::set<std::string> paths;
  for (const MatrixTuner& tuner : matrix.tuners)
    for (const auto& [name, cause] : tuner.causes) {
      if (!cause.finding.empty()) paths.insert(cause.finding);
      paths.insert(cause.scripts.begin(), cause.scripts.end());
    }
  return {paths.begin(), paths.end()};
}

Result<std::string> html_state(const Matrix& matrix, const FindingTexts& findings,
                               const std::string& tunecheck_version) {
  std::string page = html_state_template();
  const std::size_t place = page.find(html_place_of_data);
  if (place == std::string::npos) return failure(built_without_pages());
  HtmlJson tuners = HtmlJson::array();
  for (const MatrixTuner& tuner : matrix.tuners)
    tuners.push_back(tuner_json(tuner));
  const StateCauses causes(matrix);
  HtmlTexts texts;
  HtmlJson questions = state_questions(matrix, causes, texts);
  HtmlBlocks blocks;
  blocks.add("state", {{"version", tunecheck_version},
                       {"tuners", tuners},
                       {"questions", questions},
                       {"causes", causes.json()},
                       {"gaps", state_gaps(matrix)},
                       {"texts", texts.json()}});
  blocks.add("findings", HtmlJson(findings));
  page.replace(place, html_place_of_data.size(), blocks.text());
  return page;
}

}  // namespace tunecheck
