#include "played_sessions.hpp"

namespace tunecheck::test {

gate::RealSession played_session() {
  gate::RealSession session;
  session.kind = {"CPU, 2 cores", "0123456789ab", "rmsnorm", "smoke", "winner_time", "cpu",
                  false,          0.02,           0.05,      0,       false,         1};
  session.number = 1;
  session.seed = 2;
  session.started = "2026-11-25T20:00:00Z";
  session.other_work = 0.02;
  session.elsewhere = 1.5;
  session.answer = gate::Answer::pass;
  session.benchmarks = 1;
  session.pairs = 10;
  session.seconds = 1.25;
  session.would_find = 0.031;
  session.change = 0.001;
  return session;
}

std::vector<gate::RealSession> played_sessions(gate::RealSession session, std::size_t count) {
  std::vector<gate::RealSession> sessions;
  for (std::size_t i = 0; i < count; ++i) {
    sessions.push_back(session);
    ++session.number;
  }
  return sessions;
}

std::vector<gate::RealSession> both(std::vector<gate::RealSession> first,
                                    const std::vector<gate::RealSession>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace tunecheck::test
