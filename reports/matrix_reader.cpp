// read_results() of matrix_json.hpp.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/files.hpp"
#include "reports/json.hpp"
#include "reports/matrix_json.hpp"

namespace tunecheck {
namespace {

using Json = nlohmann::json;

// What is not as the schema says; leaves this file as an Error only.
struct Mistake {
  std::string key, message;
};

// A value with its place in the document, so that a mistake can say where it is.
class Value {
 public:
  Value(const Json& json, std::string key) : m_json(json), m_key(std::move(key)) {}

  // Null where there is none.
  [[nodiscard]] Value field(const std::string& name) const {
    static const Json nothing;
    if (!m_json.is_object()) wrong("an object");
    const auto found = m_json.find(name);
    return {found == m_json.end() ? nothing : *found, m_key.empty() ? name : m_key + "." + name};
  }

  [[nodiscard]] bool exists() const { return !m_json.is_null(); }

  [[nodiscard]] std::string text() const {
    if (!m_json.is_string()) wrong("text");
    return m_json.get<std::string>();
  }
  // Of a field that older versions do not have.
  [[nodiscard]] std::string text_or_nothing() const { return exists() ? text() : std::string(); }

  [[nodiscard]] Verdict verdict() const {
    const std::string name = text();
    for (const Verdict verdict :
         {Verdict::pass, Verdict::fail, Verdict::unsupported, Verdict::error, Verdict::known})
      if (name_of(verdict) == name) return verdict;
    throw Mistake{
        m_key, fmt::format("expected pass, fail, unsupported, error or known, found \"{}\"", name)};
  }

  [[nodiscard]] std::vector<Value> items() const {
    if (!m_json.is_array()) wrong("a list");
    std::vector<Value> items;
    for (const Json& item : m_json)
      items.push_back({item, fmt::format("{}[{}]", m_key, items.size())});
    return items;
  }
  [[nodiscard]] std::vector<Value> items_or_none() const {
    return exists() ? items() : std::vector<Value>();
  }
  [[nodiscard]] std::vector<std::string> texts_or_none() const {
    std::vector<std::string> texts;
    for (const Value& item : items_or_none())
      texts.push_back(item.text());
    return texts;
  }

  // The names of all fields.
  [[nodiscard]] std::vector<std::string> names() const {
    if (!m_json.is_object()) wrong("an object");
    std::vector<std::string> names;
    for (const auto& [name, value] : m_json.items())
      names.push_back(name);
    return names;
  }

 private:
  [[noreturn]] void wrong(const std::string& expected) const {
    throw Mistake{m_key, fmt::format("expected {}, found {}", expected,
                                     exists() ? m_json.type_name() : "nothing")};
  }

  const Json& m_json;
  std::string m_key;
};

void read_left_out(const Value& json, MatrixTuner& tuner) {
  for (const Value& item : json.field("left_out").items_or_none()) {
    LeftOut left_out{item.field("name").text(), item.field("reason").text(),
                     item.field("checks").texts_or_none()};
    tuner.left_out.emplace(left_out.name, std::move(left_out));
  }
}

MatrixScenario::Trouble trouble_from(const Value& json) {
  return {json.field("check").text(), json.field("verdict").verdict(),
          json.field("expected").text(), json.field("observed").text()};
}

// What both kinds of file say of a scenario in the same way.
MatrixScenario scenario_from(const Value& json) {
  MatrixScenario scenario;
  scenario.name = json.field("name").text();
  scenario.verdict = json.field("verdict").verdict();
  scenario.message = json.field("message").text();
  scenario.lacks = json.field("lacks").text_or_nothing();
  if (const Value mark = json.field("known"); mark.exists() && scenario.verdict == Verdict::known)
    scenario.mark = {mark.field("reason").text(), mark.field("link").text(),
                     mark.field("until").text()};
  return scenario;
}

// Error before fail before pass.
Verdict worse(Verdict a, Verdict b) {
  for (const Verdict verdict : {Verdict::error, Verdict::fail, Verdict::known})
    if (a == verdict || b == verdict) return verdict;
  return a;
}

MatrixScenario scenario_of_run(const Value& json, const std::string& started) {
  MatrixScenario scenario = scenario_from(json);
  scenario.started = started;
  for (const Value& item : json.field("checks").items()) {
    MatrixScenario::Trouble answer = trouble_from(item);
    if (answer.verdict == Verdict::fail && scenario.verdict == Verdict::known)
      answer.verdict = Verdict::known;
    const auto [place, added] = scenario.checks.emplace(answer.check, answer.verdict);
    if (!added) place->second = worse(place->second, answer.verdict);
    const bool first = std::none_of(
        scenario.troubles.begin(), scenario.troubles.end(),
        [&](const MatrixScenario::Trouble& other) { return other.check == answer.check; });
    if (answer.verdict != Verdict::pass && first) scenario.troubles.push_back(std::move(answer));
  }
  // No answer, no pass.
  const Verdict silence = scenario.verdict == Verdict::pass ? Verdict::error : scenario.verdict;
  for (const std::string& check : json.field("unanswered").texts_or_none())
    scenario.checks.emplace(check, silence);
  return scenario;
}

MatrixScenario scenario_of_matrix(const Value& json) {
  MatrixScenario scenario = scenario_from(json);
  scenario.started = json.field("started").text();
  const Value checks = json.field("checks");
  for (const std::string& check : checks.names())
    scenario.checks.emplace(check, checks.field(check).verdict());
  for (const Value& trouble : json.field("troubles").items_or_none())
    scenario.troubles.push_back(trouble_from(trouble));
  return scenario;
}

// What both kinds of file say of a tuner in the same way.
MatrixTuner tuner_from(const Value& json) {
  MatrixTuner tuner;
  tuner.adapter = json.field("adapter").text();
  tuner.tuner = json.field("tuner").text();
  tuner.backend = json.field("backend").text();
  tuner.tunecheck_version = json.field("tunecheck_version").text();
  tuner.trouble = json.field("trouble").text_or_nothing();
  tuner.pending = json.field("pending").texts_or_none();
  read_left_out(json, tuner);
  return tuner;
}

MatrixTuner tuner_of_run(const Value& json) {
  MatrixTuner tuner = tuner_from(json);
  tuner.first_started = tuner.last_started = json.field("started").text();
  const Value environment = json.field("environment");
  const Value device = environment.field("device");
  tuner.device = (device.exists() ? device : environment.field("cpu")).text_or_nothing();
  for (const Value& item : json.field("scenarios").items()) {
    MatrixScenario scenario = scenario_of_run(item, tuner.last_started);
    tuner.scenarios.emplace(scenario.name, std::move(scenario));
  }
  return tuner;
}

MatrixTuner tuner_of_matrix(const Value& json) {
  MatrixTuner tuner = tuner_from(json);
  tuner.device = json.field("device").text();
  tuner.first_started = json.field("first_started").text();
  tuner.last_started = json.field("last_started").text();
  for (const Value& item : json.field("scenarios").items()) {
    MatrixScenario scenario = scenario_of_matrix(item);
    tuner.scenarios.emplace(scenario.name, std::move(scenario));
  }
  return tuner;
}

void check_version(const Value& document) {
  const std::string version = document.field("schema").text();
  const std::string_view known = report_schema_version;
  const std::string_view major = known.substr(0, known.find('.') + 1);
  if (!version.starts_with(major))
    throw Mistake{"schema", fmt::format("expected version {}x, found \"{}\"", major, version)};
}

std::vector<MatrixTuner> tuners_of(const Value& document) {
  check_version(document);
  std::vector<MatrixTuner> tuners;
  if (const Value list = document.field("tuners"); list.exists()) {
    for (const Value& tuner : list.items())
      tuners.push_back(tuner_of_matrix(tuner));
  } else if (document.field("scenarios").exists()) {
    tuners.push_back(tuner_of_run(document));
  } else {
    throw Mistake{"scenarios", "expected what `tunecheck run` or `tunecheck matrix` wrote"};
  }
  return tuners;
}

}  // namespace

Result<std::vector<MatrixTuner>> read_results(const std::filesystem::path& file) {
  TUNECHECK_TRY(const std::string text, read_text_file(file));
  try {
    const Json document = Json::parse(text);
    return tuners_of({document, ""});
  } catch (const Mistake& mistake) {
    return failure(Error{mistake.message, file.string(), 0, mistake.key});
  } catch (const Json::parse_error& error) {
    const std::size_t read = std::min(error.byte, text.size());
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(read), '\n');
    return failure(
        Error{error.byte > text.size() ? "expected JSON, and it ends here" : "expected JSON",
              file.string(),
              static_cast<int>(line),
              {}});
  } catch (const Json::out_of_range&) {
    return failure(Error{"expected JSON with numbers of an ordinary size", file.string(), 0, {}});
  }
}

}  // namespace tunecheck
