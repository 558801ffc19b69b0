#include "reports/stored/json_file.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/files.hpp"
#include "core/parse_json.hpp"
#include "reports/fields/gate_fields.hpp"
#include "reports/fields/history_fields.hpp"
#include "reports/fields/run_fields.hpp"
#include "reports/fields/watch_fields.hpp"

namespace tunecheck {
namespace {

using Parsed = nlohmann::json;

std::string_view version_of(JsonKind kind) {
  switch (kind) {
    case JsonKind::gate:
      return gate_schema_version;
    case JsonKind::history:
      return history_schema_version;
    case JsonKind::watch:
      return watch_schema_version;
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
    case JsonKind::watch:
      return "`tunecheck watch`";
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
    return parse_json<Parsed>(m_text,
                              [this](int depth, Parsed::parse_event_t event, Parsed& parsed) {
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

JsonKind kind_of(const JsonValue& document) {
  if (document.field("kills").exists()) return JsonKind::audit;
  if (document.field("small_changes").exists()) return JsonKind::history;
  if (document.field("watched").exists()) return JsonKind::watch;
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
