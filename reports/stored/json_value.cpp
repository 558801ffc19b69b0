#include "reports/stored/json_value.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/ranges.h>

#include "core/files.hpp"
#include "reports/stored/gate_json.hpp"
#include "reports/stored/history_json.hpp"
#include "reports/stored/json.hpp"

namespace tunecheck {
namespace {

using Parsed = nlohmann::json;

// What stands for a field that is missing; one that is null is another value.
const Parsed& missing() {
  static const Parsed value;
  return value;
}

// RFC 6901.
std::string escaped(const std::string& name) {
  std::string text;
  for (const char letter : name)
    if (letter == '~')
      text += "~0";
    else if (letter == '/')
      text += "~1";
    else
      text += letter;
  return text;
}

std::string_view version_of(JsonKind kind) {
  switch (kind) {
    case JsonKind::gate:
      return gate_schema_version;
    case JsonKind::history:
      return history_schema_version;
    case JsonKind::run:
    case JsonKind::audit:
      break;
  }
  return report_schema_version;
}

std::string_view writer_of(JsonKind kind) {
  switch (kind) {
    case JsonKind::audit:
      return "`tunecheck audit`";
    case JsonKind::gate:
      return "`tunecheck gate`";
    case JsonKind::history:
      return "`tunecheck history changes --format json`";
    case JsonKind::run:
      break;
  }
  return "`tunecheck run`";
}

void check_version(const JsonValue& document) {
  const std::string version = document.field("schema").text();
  const std::string_view known = version_of(kind_of(document));
  const std::string_view major = known.substr(0, known.find('.') + 1);
  if (!version.starts_with(major))
    throw JsonMistake{"/schema", fmt::format("expected version {}x, found \"{}\"", major, version)};
}

// Parses a document and hands out its scenarios as they come: all of them at once would take many
// times the room of the file.
class DocumentReader {
 public:
  DocumentReader(const std::string& text,
                 const std::function<void(const JsonValue&)>& take_scenario)
      : m_text(text), m_take_scenario(take_scenario) {}

  Parsed document() {
    return Parsed::parse(m_text, [this](int depth, Parsed::parse_event_t event, Parsed& parsed) {
      return keep(depth, event, parsed);
    });
  }

  // Found in a scenario, and less than a document of a version that nobody here can read.
  std::optional<JsonMistake> mistake;

 private:
  // Whether the value stays in the document. Depth 0 is the document's own end, 1 that of a field.
  bool keep(int depth, Parsed::parse_event_t event, Parsed& parsed) {
    using Event = Parsed::parse_event_t;
    if (depth == 1 && event == Event::key) m_in_scenarios = parsed == "scenarios";
    if (depth == 2 && event == Event::key) m_in_scenarios = false;  // it is no list
    const bool ends =
        event == Event::object_end || event == Event::array_end || event == Event::value;
    if (depth != 2 || !m_in_scenarios || !ends) return true;
    try {
      if (!mistake) m_take_scenario({parsed, fmt::format("/scenarios/{}", m_scenarios++)});
    } catch (const JsonMistake& found) {
      mistake = found;
    }
    return false;
  }

  const std::string& m_text;
  const std::function<void(const JsonValue&)>& m_take_scenario;
  bool m_in_scenarios = false;
  std::size_t m_scenarios = 0;
};

}  // namespace

JsonValue JsonValue::field(const std::string& name) const {
  if (!m_json.is_object()) wrong("an object");
  const auto found = m_json.find(name);
  return {found == m_json.end() ? missing() : *found, m_pointer + "/" + escaped(name)};
}

std::vector<std::string> JsonValue::names() const {
  if (!m_json.is_object()) wrong("an object");
  std::vector<std::string> names;
  for (const auto& [name, value] : m_json.items())
    names.push_back(name);
  return names;
}

std::vector<JsonValue> JsonValue::items() const {
  if (!m_json.is_array()) wrong("a list");
  std::vector<JsonValue> items;
  for (const Parsed& item : m_json)
    items.emplace_back(item, fmt::format("{}/{}", m_pointer, items.size()));
  return items;
}

std::string JsonValue::text() const {
  if (!m_json.is_string()) wrong("text");
  return m_json.get<std::string>();
}

bool JsonValue::truth() const {
  if (!m_json.is_boolean()) wrong("true or false");
  return m_json.get<bool>();
}

double JsonValue::number() const {
  if (!m_json.is_number()) wrong("a number");
  return m_json.get<double>();
}

double JsonValue::number_or(double otherwise) const {
  return exists() || &m_json == &missing() ? number() : otherwise;
}

double JsonValue::amount() const {
  if (!m_json.is_number() || m_json.get<double>() < 0) wrong("a number of at least 0");
  return m_json.get<double>();
}

Verdict JsonValue::verdict() const {
  constexpr std::array verdicts = {Verdict::pass, Verdict::fail, Verdict::unsupported,
                                   Verdict::error, Verdict::known};
  std::array<std::string_view, verdicts.size()> names;
  std::transform(verdicts.begin(), verdicts.end(), names.begin(),
                 [](Verdict verdict) { return name_of(verdict); });
  return verdicts[one_of(names)];
}

std::size_t JsonValue::one_of(std::span<const std::string_view> words) const {
  const std::string name = text();
  const auto found = std::find(words.begin(), words.end(), name);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  throw JsonMistake{
      m_pointer, fmt::format("expected {} or {}, found \"{}\"",
                             fmt::join(words.first(words.size() - 1), ", "), words.back(), name)};
}

std::vector<JsonValue> JsonValue::items_or_none() const {
  return exists() ? items() : std::vector<JsonValue>();
}

std::vector<std::string> JsonValue::texts_or_none() const {
  std::vector<std::string> texts;
  for (const JsonValue& item : items_or_none())
    texts.push_back(item.text());
  return texts;
}

std::map<std::string, std::string> JsonValue::facts() const {
  std::map<std::string, std::string> facts;
  for (const std::string& name : names())
    facts[name] = field(name).text();
  return facts;
}

void JsonValue::wrong(const std::string& expected) const {
  throw JsonMistake{m_pointer, fmt::format("expected {}, found {}", expected,
                                           exists() ? m_json.type_name() : "nothing")};
}

JsonKind kind_of(const JsonValue& document) {
  if (document.field("kills").exists()) return JsonKind::audit;
  if (document.field("small_changes").exists()) return JsonKind::history;
  return document.field("benchmarks").exists() ? JsonKind::gate : JsonKind::run;
}

void expect_kind(const JsonValue& document, JsonKind kind) {
  const JsonKind found = kind_of(document);
  if (found != kind)
    throw JsonMistake{"", fmt::format("expected a file that {} wrote, found one that {} wrote",
                                      writer_of(kind), writer_of(found))};
}

Result<void> read_json_file(const std::filesystem::path& file,
                            const std::function<void(const JsonValue&)>& take_scenario,
                            const std::function<void(const JsonValue&)>& take_document) {
  TUNECHECK_TRY(const std::string text, read_text_file(file));
  try {
    DocumentReader reader(text, take_scenario);
    const Parsed json = reader.document();
    const JsonValue document(json, "");
    check_version(document);
    if (reader.mistake) throw JsonMistake(*reader.mistake);
    take_document(document);
    return {};
  } catch (const JsonMistake& mistake) {
    return failure(Error{ErrorKind::bad_input, mistake.message, file.string(), 0, mistake.pointer});
  } catch (const Parsed::parse_error& error) {
    const std::size_t read = std::min(error.byte, text.size());
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(read), '\n');
    return failure(
        Error{ErrorKind::bad_input,
              error.byte > text.size() ? "expected JSON, but it ends here" : "expected JSON",
              file.string(),
              static_cast<int>(line),
              {}});
  } catch (const Parsed::out_of_range&) {
    return failure(Error{ErrorKind::bad_input,
                         "expected JSON with numbers of an ordinary size",
                         file.string(),
                         0,
                         {}});
  }
}

}  // namespace tunecheck
