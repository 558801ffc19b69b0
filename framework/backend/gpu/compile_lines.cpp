#include "backend/gpu/compile_lines.hpp"

#include <nlohmann/json.hpp>

#include "core/parse_json.hpp"

namespace tunecheck {
namespace {

using Json = nlohmann::json;

std::string dumped(const Json& json) {
  // A compiler may quote any bytes of a source.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string to_line(const CompileLine& request) {
  return dumped({{"number", request.number},
                 {"source", request.source.string()},
                 {"arch", request.arch},
                 {"options", request.options},
                 {"out", request.out.string()}});
}

Result<CompileLine> parse_compile_line(const std::string& line) {
  try {
    const Json json = parse_json<Json>(line);
    return CompileLine{json.at("number").get<std::size_t>(), json.at("source").get<std::string>(),
                       json.at("arch").get<std::string>(),
                       json.at("options").get<std::vector<std::string>>(),
                       json.at("out").get<std::string>()};
  } catch (const std::exception& error) {
    return failure("expected a request as JSON: {}", json_problem(error));
  }
}

std::string greeting_line(const Result<std::string>& version) {
  return version ? dumped({{"version", *version}}) : dumped({{"missing", version.error().text()}});
}

Result<std::string> parse_greeting(const std::string& line) {
  try {
    const Json json = parse_json<Json>(line);
    if (json.contains("missing")) return failure("{}", json.at("missing").get<std::string>());
    return json.at("version").get<std::string>();
  } catch (const std::exception&) {
    return failure("the compiler greets with \"{:.200}\"", line);
  }
}

std::string to_line(const CompileOutcome& outcome) {
  Json json = {{"number", outcome.number}};
  if (!outcome.done) json["error"] = outcome.done.error().text();
  return dumped(json);
}

Result<CompileOutcome> parse_outcome(const std::string& line) {
  try {
    const Json json = parse_json<Json>(line);
    CompileOutcome outcome{json.at("number").get<std::size_t>(), {}};
    if (json.contains("error")) outcome.done = failure("{}", json.at("error").get<std::string>());
    return outcome;
  } catch (const std::exception&) {
    return failure("the compiler answers \"{:.200}\"", line);
  }
}

}  // namespace tunecheck
