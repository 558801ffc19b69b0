#include "gate/rule/joined_sessions.hpp"

#include <algorithm>
#include <map>
#include <string>

#include <fmt/ranges.h>

namespace tunecheck::gate {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> refusal(const fs::path& file, int line, std::string message) {
  return failure(Error{ErrorKind::untrusted, std::move(message), file.string(), line, {}});
}

// Session number n has the seed of session 0, plus n.
std::uint64_t first_seed(const RealSession& session) {
  return session.seed - session.number;
}

std::string share_text(double share) {
  return fmt::format("{:g} %", 100 * share);
}

// Both must be sessions of one command that was divided.
Result<void> check_alike(const RealSession& first, const RealSession& other, const fs::path& file,
                         int line) {
  const SessionKind &a = first.kind, &b = other.kind;
  const std::tuple<const char*, std::string, std::string> facts[] = {
      {"machine", a.machine, b.machine},
      {"build", a.build, b.build},
      {"kernels", a.kernels, b.kernels},
      {"sizes", a.size, b.size},
      {"metrics", a.metrics, b.metrics},
      {"backend", a.backend, b.backend},
      {"sort of sessions", a.is_whole ? "whole" : "short", b.is_whole ? "whole" : "short"},
      {"delta", share_text(a.delta), share_text(b.delta)},
      {"tolerance", share_text(a.tolerance), share_text(b.tolerance)},
      {"slowdown", share_text(a.head), share_text(b.head)},
      {"load", a.is_loaded ? "busy" : "idle", b.is_loaded ? "busy" : "idle"},
      {"number at once", std::to_string(a.at_once), std::to_string(b.at_once)},
      {"seed", std::to_string(first_seed(first)), std::to_string(first_seed(other))},
      {"number of parts", std::to_string(a.part->count), std::to_string(b.part->count)},
      {"number of sessions", std::to_string(a.part->sessions), std::to_string(b.part->sessions)}};
  for (const auto& [what, expected, found] : facts)
    if (expected != found)
      return refusal(
          file, line,
          fmt::format("expected the {} {} of the first part, found {}", what, expected, found));
  if (!b.part->has(other.number))
    return refusal(
        file, line,
        fmt::format("expected no session number {} in {}", other.number, text_of(b.part)));
  return {};
}

// Takes sessions one after the other, and refuses those that do not belong to the first.
class Joining {
 public:
  Result<void> add(const fs::path& file) {
    const auto read = read_sessions(file);
    if (!read) return failure(read.error());
    for (std::size_t i = 0; i < read->sessions.size(); ++i)
      TUNECHECK_CHECK(add(read->sessions[i], file, read->lines[i]));
    return {};
  }

  Result<std::vector<RealSession>> whole() && {
    const SessionPart& part = *m_sessions.begin()->second.kind.part;
    TUNECHECK_CHECK(check_parts(part));
    std::vector<std::size_t> missing;
    for (std::size_t number = 1; number <= part.sessions; ++number)
      if (!m_sessions.contains(number)) missing.push_back(number);
    if (!missing.empty())
      return failure(ErrorKind::untrusted, "{} {} of {} {} missing",
                     missing.size() == 1 ? "session" : "sessions",
                     fmt::join(missing.begin(),
                               missing.begin() + static_cast<std::ptrdiff_t>(
                                                     std::min<std::size_t>(missing.size(), 20)),
                               ", "),
                     part.sessions, missing.size() == 1 ? "is" : "are");
    std::vector<RealSession> all;
    for (auto& [number, session] : m_sessions) {
      session.kind.part.reset();
      all.push_back(std::move(session));
    }
    return all;
  }

 private:
  Result<void> add(const RealSession& session, const fs::path& file, int line) {
    if (!session.kind.part)
      return refusal(file, line,
                     "expected a part of sessions (gate calibrate --real --shard), found a whole");
    TUNECHECK_CHECK(check_alike(m_sessions.empty() ? session : m_sessions.begin()->second, session,
                                file, line));
    const auto [known, is_first] = m_files.try_emplace(session.kind.part->number, file);
    if (!is_first && known->second != file)
      return refusal(
          file, 0,
          fmt::format("part {} of {} is there twice, also in {}", session.kind.part->number,
                      session.kind.part->count, known->second.string()));
    if (!m_sessions.emplace(session.number, session).second)
      return refusal(file, line, fmt::format("session {} is there twice", session.number));
    return {};
  }

  Result<void> check_parts(const SessionPart& part) const {
    std::vector<std::size_t> missing;
    for (std::size_t number = 1; number <= part.count; ++number)
      if (!m_files.contains(number)) missing.push_back(number);
    if (missing.empty()) return {};
    return failure(ErrorKind::untrusted, "{} {} of {} {} missing",
                   missing.size() == 1 ? "part" : "parts", fmt::join(missing, ", "), part.count,
                   missing.size() == 1 ? "is" : "are");
  }

  std::map<std::size_t, RealSession> m_sessions;  // by number
  std::map<std::size_t, fs::path> m_files;        // of each part
};

}  // namespace

Result<std::vector<RealSession>> join_sessions(const std::vector<fs::path>& files) {
  if (files.empty()) return failure(ErrorKind::bad_input, "expected parts of sessions, found none");
  Joining joining;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (std::find(files.begin(), files.begin() + static_cast<std::ptrdiff_t>(i), files[i]) !=
        files.begin() + static_cast<std::ptrdiff_t>(i))
      return refusal(files[i], 0, "this part is there twice");
    TUNECHECK_CHECK(joining.add(files[i]));
  }
  return std::move(joining).whole();
}

}  // namespace tunecheck::gate
