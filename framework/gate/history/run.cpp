#include "gate/history/run.hpp"

#include <array>
#include <cmath>
#include <ctime>
#include <regex>
#include <set>

namespace tunecheck::history {
namespace {

bool is_possible(Kind kind, double value) {
  if (!std::isfinite(value)) return false;
  return kind == Kind::time ? value > 0 : value >= 0 && value == std::floor(value);
}

int whole(const std::sub_match<std::string::const_iterator>& digits) {
  return digits.matched ? std::stoi(digits.str()) : 0;
}

}  // namespace

std::string_view to_string(Kind kind) {
  return kind == Kind::time ? "time" : "count";
}

Result<void> check(const SampleSet& set) {
  if (set.benchmark.empty())
    return failure(ErrorKind::bad_input, "expected a name of each benchmark");
  if (set.processes.empty())
    return failure(ErrorKind::bad_input, "benchmark \"{}\": expected at least one sample",
                   set.benchmark);
  for (const double value : set.processes)
    if (!is_possible(set.kind, value))
      return failure(ErrorKind::bad_input, "benchmark \"{}\": expected {}, found {}", set.benchmark,
                     set.kind == Kind::time ? "a positive time" : "a count", value);
  return {};
}

Result<void> check(const MeasuredRun& run) {
  if (run.sets.empty()) return failure(ErrorKind::bad_input, "expected at least one benchmark");
  std::set<std::string> names;
  for (const SampleSet& set : run.sets) {
    TUNECHECK_CHECK(check(set));
    if (!names.insert(set.benchmark).second)
      return failure(ErrorKind::bad_input, "benchmark \"{}\": expected once, found twice",
                     set.benchmark);
  }
  const auto started = to_utc(run.started);
  if (!started) return failure(started.error());
  if (*started != run.started)
    return failure(ErrorKind::bad_input, "expected the start in UTC, found {}", run.started);
  return {};
}

Result<std::string> to_utc(const std::string& time) {
  static const std::regex pattern(
      R"((\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|([+-])(\d\d):?(\d\d)))");
  std::smatch match;
  if (!std::regex_match(time, match, pattern))
    return failure(ErrorKind::bad_input,
                   "expected a time such as 2024-05-01T12:00:00Z, found \"{}\"", time);
  std::tm given{};
  given.tm_year = whole(match[1]) - 1900;
  given.tm_mon = whole(match[2]) - 1;
  given.tm_mday = whole(match[3]);
  given.tm_hour = whole(match[4]);
  given.tm_min = whole(match[5]);
  given.tm_sec = whole(match[6]);
  const int offset = (whole(match[8]) * 60 + whole(match[9])) * (match[7] == "-" ? -60 : 60);
  const std::time_t seconds = ::timegm(&given) - offset;
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return std::string(text.data());
}

}  // namespace tunecheck::history
