#include "backend/sim/artifact.hpp"

#include <cstring>

#include <nlohmann/json.hpp>

#include "core/digest.hpp"
#include "core/parse_json.hpp"

namespace tunecheck::sim {
namespace {

using Json = nlohmann::json;

// A line that names the format and the digest of the rest.
constexpr std::string_view start = "tunecheck sim artifact 2 ";

Json to_json(const SimDisturbance::Outliers& outliers) {
  return {outliers.rate, outliers.optimistic, outliers.pessimistic};
}

SimDisturbance::Outliers outliers_from(const Json& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

std::string body_of(const Program& program) {
  Json accesses = Json::array();
  for (const Access access : program.accesses)
    accesses.push_back(name_of(access));
  const SimDisturbance& own = program.disturbance;
  return Json{{"kernel", program.kernel},
              {"config", program.config},
              {"cost_ns", program.cost_ns},
              {"refuses", program.refuses},
              {"wrong", program.wrong},
              {"accesses", accesses},
              {"noise", own.noise},
              {"drift_per_second", own.drift_per_second},
              {"first_launch_ns", own.first_launch_ns},
              {"process", own.process},
              {"launches", to_json(own.launches)},
              {"loads", to_json(own.loads)},
              {"bursts", {own.bursts.share, own.bursts.length_ns, own.bursts.factor}},
              {"interruptions", {own.interruptions.rate, own.interruptions.length_ns}}}
      .dump();
}

Program program_from(const Json& json) {
  Program program;
  json.at("kernel").get_to(program.kernel);
  json.at("config").get_to(program.config);
  json.at("cost_ns").get_to(program.cost_ns);
  json.at("refuses").get_to(program.refuses);
  json.at("wrong").get_to(program.wrong);
  for (const Json& access : json.at("accesses"))
    program.accesses.push_back(parse_access(access.get<std::string>()).value());
  SimDisturbance& own = program.disturbance;
  json.at("noise").get_to(own.noise);
  json.at("drift_per_second").get_to(own.drift_per_second);
  json.at("first_launch_ns").get_to(own.first_launch_ns);
  json.at("process").get_to(own.process);
  own.launches = outliers_from(json.at("launches"));
  own.loads = outliers_from(json.at("loads"));
  const Json& bursts = json.at("bursts");
  own.bursts = {bursts.at(0).get<double>(), bursts.at(1).get<double>(), bursts.at(2).get<double>()};
  const Json& interruptions = json.at("interruptions");
  own.interruptions = {interruptions.at(0).get<double>(), interruptions.at(1).get<double>()};
  return program;
}

}  // namespace

Artifact to_artifact(const Program& program) {
  const std::string body = body_of(program);
  const std::string text = fmt::format("{}{}\n{}\n", start, key_digest(body), body);
  const auto bytes = std::as_bytes(std::span(text));
  return {{bytes.begin(), bytes.end()}};
}

Result<Program> read_artifact(const Artifact& artifact) {
  const std::string_view text(reinterpret_cast<const char*>(artifact.bytes.data()),
                              artifact.bytes.size());
  const std::size_t end = text.find('\n');
  if (!text.starts_with(start) || end == text.npos || !text.ends_with('\n'))
    return failure("the artifact is not one of the simulated device, or cut short");
  const std::string_view body = text.substr(end + 1, text.size() - end - 2);
  if (text.substr(start.size(), end - start.size()) != key_digest(body))
    return failure("the artifact is damaged: its digest does not match its content");
  try {
    return program_from(parse_json<Json>(body));
  } catch (const std::exception& error) {
    return failure("the artifact is damaged: {}", json_problem(error));
  }
}

}  // namespace tunecheck::sim
