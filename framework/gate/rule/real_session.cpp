#include "gate/rule/real_session.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <type_traits>

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

template <class T>
constexpr const char* expected_of = "a number";
template <>
constexpr const char* expected_of<std::string> = "a text";
template <>
constexpr const char* expected_of<bool> = "true or false";
template <>
constexpr const char* expected_of<std::size_t> = "a whole number of at least 0";

template <class T>
bool is_a(const OrderedJson& value) {
  if constexpr (std::is_same_v<T, std::string>)
    return value.is_string();
  else if constexpr (std::is_same_v<T, bool>)
    return value.is_boolean();
  else if constexpr (std::is_same_v<T, double>)
    return value.is_number();
  else
    return value.is_number_unsigned();
}

template <class T>
Result<T> field(const OrderedJson& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end())
    return failure(ErrorKind::bad_input, "{}: expected {}, found nothing", key, expected_of<T>);
  if (!is_a<T>(*found))
    return failure(ErrorKind::bad_input, "{}: expected {}, found {:.40}", key, expected_of<T>,
                   found->dump(-1, ' ', false, OrderedJson::error_handler_t::replace));
  return found->get<T>();
}

Result<double> number_or(const OrderedJson& json, const char* key, double otherwise) {
  const auto found = json.find(key);
  if (found != json.end() && found->is_null()) return otherwise;
  return field<double>(json, key);
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
  constexpr double longest_s = 1e7;
  const auto check = [](bool holds, const char* what) -> Result<void> {
    if (holds) return {};
    return failure(ErrorKind::bad_input, "{}", what);
  };
  const SessionKind& kind = session.kind;
  TUNECHECK_CHECK(check(session.number > 0, "number: expected at least 1"));
  TUNECHECK_CHECK(check(kind.at_once > 0, "at_once: expected at least 1"));
  TUNECHECK_CHECK(check(kind.head >= 0 && std::isfinite(kind.head), "head: expected at least 0"));
  TUNECHECK_CHECK(check(session.seconds >= 0 && session.seconds <= longest_s,
                        "seconds: expected a number from 0 to 10000000"));
  TUNECHECK_CHECK(check(session.other_work >= 0 && std::isfinite(session.other_work),
                        "other_work: expected at least 0"));
  TUNECHECK_CHECK(check(session.elsewhere >= 0 && std::isfinite(session.elsewhere),
                        "elsewhere: expected at least 0"));
  TUNECHECK_CHECK(check(session.would_find >= 0, "would_find: expected at least 0, or null"));
  return check(session.slower + session.faster + session.undecided <= session.benchmarks,
               "benchmarks: expected at least as many as slower, faster and undecided together");
}

Result<void> take_kind(const OrderedJson& json, SessionKind& kind) {
  TUNECHECK_TRY(kind.head, field<double>(json, "head"));
  TUNECHECK_TRY(const std::string load, field<std::string>(json, "load"));
  TUNECHECK_TRY(kind.is_loaded, parse_load(load));
  TUNECHECK_TRY(kind.at_once, field<std::size_t>(json, "at_once"));
  TUNECHECK_TRY(kind.machine, field<std::string>(json, "machine"));
  TUNECHECK_TRY(kind.build, field<std::string>(json, "build"));
  TUNECHECK_TRY(kind.kernels, field<std::string>(json, "kernels"));
  TUNECHECK_TRY(kind.size, field<std::string>(json, "size"));
  TUNECHECK_TRY(kind.metrics, field<std::string>(json, "metrics"));
  TUNECHECK_TRY(kind.backend, field<std::string>(json, "backend"));
  TUNECHECK_TRY(kind.is_whole, field<bool>(json, "whole"));
  TUNECHECK_TRY(kind.delta, field<double>(json, "delta"));
  TUNECHECK_TRY(kind.tolerance, field<double>(json, "tolerance"));
  return {};
}

Result<void> take_part(const OrderedJson& json, SessionKind& kind) {
  const auto found = json.find("part");
  if (found == json.end()) return {};
  if (!found->is_object())
    return failure(ErrorKind::bad_input, "part: expected an object, found {:.40}",
                   found->dump(-1, ' ', false, OrderedJson::error_handler_t::replace));
  SessionPart part;
  TUNECHECK_TRY(part.number, field<std::size_t>(*found, "number"));
  TUNECHECK_TRY(part.count, field<std::size_t>(*found, "count"));
  TUNECHECK_TRY(part.sessions, field<std::size_t>(*found, "sessions"));
  if (part.number < 1 || part.number > part.count || part.count > part.sessions)
    return failure(ErrorKind::bad_input,
                   "part: expected number <= count <= sessions, from 1, found {}, {} and {}",
                   part.number, part.count, part.sessions);
  kind.part = part;
  return {};
}

Result<RealSession> session_from(const OrderedJson& json) {
  if (!json.is_object()) return failure(ErrorKind::bad_input, "expected an object");
  RealSession session;
  TUNECHECK_CHECK(take_kind(json, session.kind));
  TUNECHECK_CHECK(take_part(json, session.kind));
  TUNECHECK_TRY(session.number, field<std::size_t>(json, "number"));
  TUNECHECK_TRY(session.seed, field<std::uint64_t>(json, "seed"));
  TUNECHECK_TRY(session.started, field<std::string>(json, "started"));
  TUNECHECK_TRY(session.other_work, field<double>(json, "other_work"));
  // Older sessions could use every CPU of their machine.
  if (json.contains("elsewhere")) {
    TUNECHECK_TRY(session.elsewhere, field<double>(json, "elsewhere"));
  }
  TUNECHECK_TRY(const std::string answer, field<std::string>(json, "answer"));
  TUNECHECK_TRY(session.answer, parse_answer(answer));
  TUNECHECK_TRY(session.reason, field<std::string>(json, "reason"));
  TUNECHECK_TRY(session.benchmarks, field<std::size_t>(json, "benchmarks"));
  TUNECHECK_TRY(session.slower, field<std::size_t>(json, "slower"));
  TUNECHECK_TRY(session.faster, field<std::size_t>(json, "faster"));
  TUNECHECK_TRY(session.undecided, field<std::size_t>(json, "undecided"));
  TUNECHECK_TRY(session.pairs, field<std::size_t>(json, "pairs"));
  TUNECHECK_TRY(session.seconds, field<double>(json, "seconds"));
  TUNECHECK_TRY(session.would_find,
                number_or(json, "would_find", std::numeric_limits<double>::infinity()));
  TUNECHECK_TRY(session.change,
                number_or(json, "change", std::numeric_limits<double>::quiet_NaN()));
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

}  // namespace

std::string text_of(const std::optional<SessionPart>& part) {
  return part ? fmt::format("part {} of {}, of {} sessions", part->number, part->count,
                            part->sessions)
              : "no part";
}

std::string identity(const RealSession& session) {
  const SessionKind& kind = session.kind;
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", kind.machine, kind.build,
                     kind.kernels, kind.size, kind.metrics, kind.backend, kind.is_whole, kind.delta,
                     kind.tolerance, kind.head, kind.is_loaded, kind.at_once, session.number);
}

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
  OrderedJson json = {
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
      {"elsewhere", std::round(session.elsewhere * 100) / 100},
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
  if (const auto& part = kind.part)
    json["part"] = {{"number", part->number}, {"count", part->count}, {"sessions", part->sessions}};
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
  parsed.cut_bytes = text.size() - parsed.complete;
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
    TUNECHECK_CHECK(check("part", text_of(found.part), text_of(kind.part)));
  }
  return {};
}

}  // namespace tunecheck::gate
