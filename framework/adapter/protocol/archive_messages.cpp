#include "adapter/protocol/archive_messages.hpp"

#include <limits>

#include <nlohmann/json.hpp>

#include "core/parse_json.hpp"

namespace tunecheck::protocol {
namespace {

using ArchiveJson = nlohmann::json;

std::string one_line(const ArchiveJson& json) {
  return json.dump(-1, ' ', false, ArchiveJson::error_handler_t::replace);
}

Result<std::string> text_of(const ArchiveJson& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_string()) return failure("\"{}\": expected a text", name);
  return found->get<std::string>();
}

}  // namespace

std::string_view name_of(ArchiveAction action) {
  return action == ArchiveAction::export_entries ? "export" : "import";
}

std::string to_line(const ArchiveRequest& request) {
  ArchiveJson json = {{"request", name_of(request.action)}, {"file", request.file.string()}};
  if (!request.key_file.empty()) json["key_file"] = request.key_file.string();
  return one_line(json);
}

std::string to_line(const ArchiveAnswer& answer) {
  return one_line({{"answer", "archive"},
                   {"outcome", answer.done ? "done" : "failed"},
                   {"message", answer.message},
                   {"entries", answer.entries}});
}

Result<ArchiveRequest> parse_archive_request(const std::string& line) {
  const auto json = parse_json_or_discard<ArchiveJson>(line);
  if (!json.is_object()) return failure("expected an object");
  ArchiveRequest request;
  TUNECHECK_TRY(const std::string action, text_of(json, "request"));
  if (action != "export" && action != "import")
    return failure("expected export or import, found \"{}\"", action);
  request.action =
      action == "export" ? ArchiveAction::export_entries : ArchiveAction::import_entries;
  TUNECHECK_TRY(request.file, text_of(json, "file"));
  if (json.contains("key_file")) {
    TUNECHECK_TRY(request.key_file, text_of(json, "key_file"));
    if (request.key_file.empty())
      return failure(ErrorKind::bad_input, "\"key_file\": expected a file with a key, found \"\"");
  }
  return request;
}

Result<ArchiveAnswer> parse_archive_answer(const std::string& line) {
  constexpr std::size_t quoted = 200;
  const auto json = parse_json_or_discard<ArchiveJson>(line);
  const auto wrong = [&](const std::string& what) {
    return failure("expected the answer to export or import as one line of JSON; {}; found: {}",
                   what, line.substr(0, quoted));
  };
  if (!json.is_object() || json.value("answer", ArchiveJson()) != "archive")
    return wrong("\"answer\": expected \"archive\"");
  ArchiveAnswer answer;
  const auto outcome = text_of(json, "outcome");
  const auto message = text_of(json, "message");
  if (!outcome || (*outcome != "done" && *outcome != "failed"))
    return wrong("\"outcome\": expected \"done\" or \"failed\"");
  if (!message) return wrong(message.error().message);
  answer.done = *outcome == "done";
  answer.message = *message;
  const auto entries = json.find("entries");
  if (entries == json.end() || !entries->is_number_unsigned() ||
      entries->get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int32_t>::max()})
    return wrong("\"entries\": expected a whole number of at least 0");
  answer.entries = entries->get<std::int64_t>();
  return answer;
}

}  // namespace tunecheck::protocol
