#include "gate/rule/real_rates.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace tunecheck::gate {
namespace {

// What sessions of one row share, in the order of the table.
using RowKey = std::tuple<std::string, std::string, std::string, std::string, std::string, bool,
                          double, double, int, bool, std::size_t, double>;

RowKey key_of(const RealSession& session) {
  const SessionKind& kind = session.kind;
  return {kind.machine,   kind.metrics,   kind.kernels,
          kind.size,      kind.backend,   kind.is_whole,
          kind.delta,     kind.tolerance, static_cast<int>(surroundings(session)),
          kind.is_loaded, kind.at_once,   kind.head};
}

double middle(std::vector<double> values) {
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  return *half;
}

// A slowdown that must be found, of a head that has one.
bool must_be_found(const RealSession& session) {
  return session.kind.head > 0 && session.kind.head >= session.kind.tolerance;
}

bool is_found(const RealSession& session) {
  return session.answer == Answer::regression;
}

// It says of itself that it finds such a slowdown.
bool calls_itself_trustworthy(const RealSession& session) {
  return session.answer != Answer::invalid && session.would_find <= session.kind.head;
}

bool says_nothing(const RealSession& session) {
  return session.answer == Answer::inconclusive || session.answer == Answer::invalid;
}

bool is_idle(const RealSession& session) {
  return surroundings(session) == Surroundings::idle;
}

struct Share {
  std::size_t count = 0, of = 0;

  template <class Counts, class Counted>
  static Share among(const std::vector<RealSession>& sessions, Counts counts, Counted counted) {
    Share share;
    for (const RealSession& session : sessions) {
      if (!counted(session)) continue;
      ++share.of;
      if (counts(session)) ++share.count;
    }
    return share;
  }
  [[nodiscard]] double value() const {
    return static_cast<double>(count) / static_cast<double>(of);
  }
  [[nodiscard]] std::string text() const { return fmt::format("{} of {}", count, of); }
};

constexpr double found_share = 0.99;
constexpr double undecided_idle = 0.05, undecided_busy = 0.25;

GoalState state_of(const Share& share, bool is_kept) {
  if (share.of < sessions_for_a_rate) return GoalState::open;
  return is_kept ? GoalState::kept : GoalState::broken;
}

void add_found(const std::vector<RealSession>& sessions, double head, std::vector<Goal>& goals) {
  const auto has_head = [&](const RealSession& session) {
    return must_be_found(session) && session.kind.head == head;
  };
  const auto add = [&](const char* where, const Share& share) {
    if (share.of == 0) return;
    goals.push_back({fmt::format("+{:g} % found in at least {:g} % of the sessions {}; {}",
                                 100 * head, 100 * found_share, where, share.text()),
                     state_of(share, share.value() >= found_share)});
  };
  add("that call themselves trustworthy",
      Share::among(sessions, is_found, [&](const RealSession& session) {
        return has_head(session) && calls_itself_trustworthy(session);
      }));
  add("on an idle machine", Share::among(sessions, is_found, [&](const RealSession& session) {
        return has_head(session) && is_idle(session);
      }));
}

// A head that is slower by less than the tolerance may be undecided.
void add_undecided(const std::vector<RealSession>& sessions, bool idle, double most,
                   std::vector<Goal>& goals) {
  const Share share = Share::among(sessions, says_nothing, [&](const RealSession& session) {
    return (session.kind.head == 0 || must_be_found(session)) && is_idle(session) == idle;
  });
  if (share.of == 0) return;
  goals.push_back({fmt::format("inconclusive or invalid in less than {:g} % of the sessions on {} "
                               "machine; {}",
                               100 * most, idle ? "an idle" : "a busy", share.text()),
                   state_of(share, share.value() < most)});
}

Share false_alarms(const std::vector<RealSession>& sessions) {
  return Share::among(
      sessions, [](const RealSession& session) { return session.is_false_alarm(); },
      [](const RealSession& session) { return session.kind.head == 0; });
}

// A second alarm breaks it, however many sessions there will be.
GoalState state_of_alarms(const Share& alarms) {
  if (alarms.count > 1) return GoalState::broken;
  return alarms.of < sessions_per_false_alarm ? GoalState::open : GoalState::kept;
}

}  // namespace

Surroundings surroundings(const RealSession& session) {
  if (session.kind.at_once > 1) return Surroundings::at_once;
  if (session.kind.is_loaded) return Surroundings::loaded;
  return session.other_work > idle_work ? Surroundings::other : Surroundings::idle;
}

std::string describe_surroundings(const RealSession& session) {
  switch (surroundings(session)) {
    case Surroundings::idle:
      return "idle";
    case Surroundings::other:
      return "other work";
    case Surroundings::loaded:
      return "every core busy";
    case Surroundings::at_once:
      break;
  }
  return fmt::format("{} sessions at once{}", session.kind.at_once,
                     session.kind.is_loaded ? ", every core busy" : "");
}

std::vector<RealRow> real_rows(const std::vector<RealSession>& sessions) {
  std::map<RowKey, std::vector<const RealSession*>> groups;
  for (const RealSession& session : sessions)
    groups[key_of(session)].push_back(&session);
  std::vector<RealRow> rows;
  for (const auto& [key, group] : groups) {
    RealRow row;
    row.kind = group.front()->kind;
    row.surroundings = describe_surroundings(*group.front());
    row.sessions = group.size();
    std::size_t pairs = 0;
    std::int64_t seconds = 0, other_work = 0,
                 elsewhere = 0;  // in hundredths: sums that no order changes
    std::vector<double> would_find;
    for (const RealSession* const session : group) {
      ++row.answers.at(static_cast<std::size_t>(session->answer));
      row.benchmarks += session->benchmarks;
      row.slower += session->slower;
      row.faster += session->faster;
      pairs += session->pairs;
      seconds += std::llround(100 * session->seconds);
      other_work += std::llround(100 * session->other_work);
      elsewhere += std::llround(100 * session->elsewhere);
      would_find.push_back(session->would_find);
    }
    const auto count = static_cast<double>(group.size());
    row.pairs = static_cast<double>(pairs) / count;
    row.seconds = static_cast<double>(seconds) / 100 / count;
    row.other_work = static_cast<double>(other_work) / 100 / count;
    row.elsewhere = static_cast<double>(elsewhere) / 100 / count;
    row.would_find = middle(std::move(would_find));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Goal> real_goals(const std::vector<RealSession>& sessions) {
  std::vector<Goal> goals;
  if (const Share alarms = false_alarms(sessions); alarms.of > 0)
    goals.push_back(
        {fmt::format("at most one false alarm in all sessions of equal builds; {}", alarms.text()),
         state_of_alarms(alarms)});
  std::set<double> heads;
  for (const RealSession& session : sessions)
    if (must_be_found(session)) heads.insert(session.kind.head);
  for (const double head : heads)
    add_found(sessions, head, goals);
  add_undecided(sessions, true, undecided_idle, goals);
  add_undecided(sessions, false, undecided_busy, goals);
  return goals;
}

}  // namespace tunecheck::gate
