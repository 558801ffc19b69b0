#include "gate/rule/real_session.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <nlohmann/json.hpp>

#include "core/files.hpp"
#include "core/parse_json.hpp"

namespace tunecheck::gate {
namespace {

using OrderedJson = nlohmann::ordered_json;

// JSON has no NaN and no infinity.
OrderedJson number_or_null(double value) {
  return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr);
}

double number_from(const OrderedJson& json, const char* key, double otherwise) {
  const OrderedJson& value = json.at(key);
  return value.is_null() ? otherwise : value.get<double>();
}

// To the fourth digit behind the point, the noise of a clock.
double rounded(double value) {
  return std::isfinite(value) ? std::round(value * 1e4) / 1e4 : value;
}

Result<Answer> parse_answer(const std::string& word) {
  for (const Answer answer :
       {Answer::pass, Answer::improved, Answer::inconclusive, Answer::regression, Answer::invalid})
    if (word == to_string(answer)) return answer;
  return failure(ErrorKind::bad_input,
                 "answer: expected pass, improved, inconclusive, regression or invalid, found "
                 "\"{:.40}\"",
                 word);
}

Result<bool> parse_load(const std::string& word) {
  if (word == "idle" || word == "busy") return word == "busy";
  return failure(ErrorKind::bad_input, "load: expected idle or busy, found \"{:.40}\"", word);
}

// No table can be made of what no session can have.
Result<void> check_numbers(const RealSession& session) {
  const auto check = [](bool holds, const char* what) -> Result<void> {
    if (holds) return {};
    return failure(ErrorKind::bad_input, "expected {}", what);
  };
  const SessionKind& kind = session.kind;
  TUNECHECK_CHECK(check(session.number > 0, "a \"number\" of at least 1"));
  TUNECHECK_CHECK(check(kind.at_once > 0, "\"at_once\" of at least 1"));
  TUNECHECK_CHECK(check(kind.head >= 0 && std::isfinite(kind.head), "a \"head\" of at least 0"));
  TUNECHECK_CHECK(check(session.seconds >= 0 && session.other_work >= 0,
                        "\"seconds\" and \"other_work\" of at least 0"));
  return check(session.slower + session.faster + session.undecided <= session.benchmarks,
               "no more findings than \"benchmarks\"");
}

Result<RealSession> session_from(const OrderedJson& json) {
  RealSession session;
  SessionKind& kind = session.kind;
  session.number = json.at("number").get<std::size_t>();
  session.seed = json.at("seed").get<std::uint64_t>();
  session.started = json.at("started").get<std::string>();
  kind.head = json.at("head").get<double>();
  TUNECHECK_TRY(kind.is_loaded, parse_load(json.at("load").get<std::string>()));
  kind.at_once = json.at("at_once").get<std::size_t>();
  kind.machine = json.at("machine").get<std::string>();
  kind.build = json.at("build").get<std::string>();
  kind.kernels = json.at("kernels").get<std::string>();
  kind.size = json.at("size").get<std::string>();
  kind.metrics = json.at("metrics").get<std::string>();
  kind.backend = json.at("backend").get<std::string>();
  kind.is_whole = json.at("whole").get<bool>();
  kind.delta = json.at("delta").get<double>();
  kind.tolerance = json.at("tolerance").get<double>();
  session.other_work = json.at("other_work").get<double>();
  TUNECHECK_TRY(session.answer, parse_answer(json.at("answer").get<std::string>()));
  session.reason = json.at("reason").get<std::string>();
  session.benchmarks = json.at("benchmarks").get<std::size_t>();
  session.slower = json.at("slower").get<std::size_t>();
  session.faster = json.at("faster").get<std::size_t>();
  session.undecided = json.at("undecided").get<std::size_t>();
  session.pairs = json.at("pairs").get<std::size_t>();
  session.seconds = json.at("seconds").get<double>();
  session.would_find = number_from(json, "would_find", std::numeric_limits<double>::infinity());
  session.change = number_from(json, "change", std::numeric_limits<double>::quiet_NaN());
  TUNECHECK_CHECK(check_numbers(session));
  return session;
}

Result<RealSession> parse_line(std::string_view line) {
  try {
    return session_from(parse_json<OrderedJson>(line));
  } catch (const OrderedJson::exception& error) {
    return failure(ErrorKind::bad_input, "expected a session of tunecheck gate calibrate: {}",
                   json_problem(error));
  }
}

// Two sessions with the same one are the same session, played or copied twice.
std::string identity(const RealSession& session) {
  const SessionKind& kind = session.kind;
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", kind.machine, kind.build,
                     kind.kernels, kind.size, kind.metrics, kind.backend, kind.is_whole, kind.delta,
                     kind.tolerance, kind.head, kind.is_loaded, kind.at_once, session.number);
}

}  // namespace

void take_findings(const GateResult& result, RealSession& session) {
  session.answer = result.answer;
  session.reason = result.reason;
  session.would_find = rounded(result.detectable());
  session.change = std::numeric_limits<double>::quiet_NaN();
  for (const BenchmarkResult& benchmark : result.benchmarks) {
    session.pairs += benchmark.pairs.size();
    if (benchmark.role != Role::measured) continue;
    if (session.benchmarks++ == 0) session.change = rounded(benchmark.finding.change);
    if (benchmark.finding.answer == Answer::regression) ++session.slower;
    if (benchmark.finding.answer == Answer::improved) ++session.faster;
    if (benchmark.finding.answer == Answer::inconclusive) ++session.undecided;
  }
}

std::string to_line(const RealSession& session) {
  const SessionKind& kind = session.kind;
  const OrderedJson json = {
      {"number", session.number},
      {"head", kind.head},
      {"load", kind.is_loaded ? "busy" : "idle"},
      {"at_once", kind.at_once},
      {"answer", to_string(session.answer)},
      {"reason", session.reason},
      {"change", number_or_null(session.change)},
      {"would_find", number_or_null(session.would_find)},
      {"pairs", session.pairs},
      {"seconds", std::round(session.seconds * 100) / 100},
      {"other_work", std::round(session.other_work * 100) / 100},
      {"benchmarks", session.benchmarks},
      {"slower", session.slower},
      {"faster", session.faster},
      {"undecided", session.undecided},
      {"kernels", kind.kernels},
      {"size", kind.size},
      {"metrics", kind.metrics},
      {"backend", kind.backend},
      {"whole", kind.is_whole},
      {"delta", kind.delta},
      {"tolerance", kind.tolerance},
      {"machine", kind.machine},
      {"build", kind.build},
      {"seed", session.seed},
      {"started", session.started},
  };
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

Result<SessionFile> parse_sessions(std::string_view text, const std::filesystem::path& file) {
  SessionFile parsed;
  std::set<std::string> known;
  for (int line = 1; parsed.complete < text.size(); ++line) {
    const std::size_t end = text.find('\n', parsed.complete);
    if (end == text.npos) break;
    const auto wrong = [&](std::string message) {
      return failure(Error{ErrorKind::bad_input, std::move(message), file.string(), line, {}});
    };
    auto session = parse_line(text.substr(parsed.complete, end - parsed.complete));
    if (!session) return wrong(session.error().message);
    if (!known.insert(identity(*session)).second)
      return wrong(fmt::format("expected each session once, found number {} a second time",
                               session->number));
    parsed.sessions.push_back(std::move(*session));
    parsed.lines.push_back(line);
    parsed.complete = end + 1;
  }
  return parsed;
}

Result<SessionFile> read_sessions(const std::filesystem::path& file) {
  TUNECHECK_TRY(const std::string text, read_text_file(file));
  TUNECHECK_TRY(SessionFile parsed, parse_sessions(text, file));
  if (parsed.sessions.empty())
    return failure(Error{ErrorKind::bad_input,
                         "expected sessions of tunecheck gate calibrate",
                         file.string(),
                         0,
                         {}});
  return parsed;
}

Result<void> check_appendable(const SessionFile& sessions, const SessionKind& kind,
                              const std::filesystem::path& file) {
  for (std::size_t i = 0; i < sessions.sessions.size(); ++i) {
    const SessionKind& found = sessions.sessions[i].kind;
    const auto check = [&](const char* key, const auto& has, const auto& asked) -> Result<void> {
      if (has == asked) return {};
      return failure(Error{ErrorKind::bad_input,
                           fmt::format("expected sessions of \"{}\", as asked for now, found "
                                       "\"{}\"; give another --out",
                                       asked, has),
                           file.string(), sessions.lines[i], key});
    };
    TUNECHECK_CHECK(check("machine", found.machine, kind.machine));
    TUNECHECK_CHECK(check("build", found.build, kind.build));
    TUNECHECK_CHECK(check("kernels", found.kernels, kind.kernels));
    TUNECHECK_CHECK(check("size", found.size, kind.size));
    TUNECHECK_CHECK(check("metrics", found.metrics, kind.metrics));
    TUNECHECK_CHECK(check("backend", found.backend, kind.backend));
    TUNECHECK_CHECK(check("whole", found.is_whole, kind.is_whole));
    TUNECHECK_CHECK(check("delta", found.delta, kind.delta));
    TUNECHECK_CHECK(check("tolerance", found.tolerance, kind.tolerance));
  }
  return {};
}

}  // namespace tunecheck::gate
