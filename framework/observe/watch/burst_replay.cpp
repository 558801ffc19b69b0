// The winner of a burst, launched again on what the caller gave.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "observe/watch/burst.hpp"
#include "observe/watch/bursts.hpp"

namespace tunecheck::watch {
namespace {

thread_local bool replaying = false;

struct Replaying {
  Replaying() { replaying = true; }
  Replaying(const Replaying&) = delete;
  Replaying& operator=(const Replaying&) = delete;
  ~Replaying() { replaying = false; }
};

}  // namespace

bool Bursts::is_replaying() {
  return replaying;
}

std::string Bursts::Burst::result() const {
  if (event.replay == Replay::same && !settled.empty()) return text_of(right[0], has_rest);
  return left.empty() ? "" : text_of(left.front(), has_rest);
}

Result<Bursts::Digests> Bursts::replay(Burst& burst, const Copy& on) {
  const Replaying marked;
  TUNECHECK_CHECK(burst.relaunch(on.regions()));
  return m_memory.digests(on.regions());
}

// Launches the winner twice on what the first launch found. Done as soon as something else is seen,
// and not only at the end of the burst: the process may end without a warning, and its device
// before it.
void Bursts::settle(Burst& burst) {
  follow(burst);
  BurstEvent& event = burst.event;
  if (event.codes.size() < 2 || event.winner.empty() || event.winner == burst.settled ||
      !event.why_not.empty() || burst.pristine == nullptr || burst.running > 0)
    return;
  if (!burst.relaunch) {
    event.why_not = "its code has been unloaded";
    return;
  }
  burst.right.clear();
  burst.right_content.reset();
  for (int i = 0; i < 2; ++i) {
    auto copy = m_memory.copy(burst.pristine->regions());
    auto left = copy ? replay(burst, **copy) : Result<Digests>(failure(copy.error()));
    if (!left) {
      event.why_not = "the replay failed: " + left.error().message;
      return;
    }
    burst.right.push_back(std::move(*left));
    if (i == 0) burst.right_content = m_memory.put_aside(std::move(*copy));
  }
  burst.settled = event.winner;
  if (burst.right[0] == burst.right[1] && burst.right_content != nullptr) find_what_is_read(burst);
}

void Bursts::settle_if(const std::function<bool(const Burst&)>& condition) {
  for (Burst& burst : m_open)
    if (burst.event.codes.size() > 1 && condition(burst)) settle(burst);
}

// Compares what the winner's replays left with what the program was left with.
void Bursts::compare(Burst& burst) {
  settle(burst);
  BurstEvent& event = burst.event;
  for (std::size_t i = 0; i < burst.tensors.size(); ++i)
    event.arguments[i].spoilt = burst.spoilt[burst.tensors[i].region];
  if (burst.settled.empty()) {
    if (event.winner.empty()) event.why_not = "its last launch failed";
    return;
  }
  const bool is_right = std::any_of(burst.right.begin(), burst.right.end(), [&](const auto& right) {
    return std::find(burst.left.begin(), burst.left.end(), right) != burst.left.end();
  });
  const bool is_steady = burst.right[0] == burst.right[1];
  event.replay = is_right ? Replay::same : is_steady ? Replay::differs : Replay::not_steady;
  if (event.replay != Replay::differs) return;
  if (burst.left_content == nullptr || burst.right_content == nullptr) {
    event.why_not = "there was no room to keep both results";
    return;
  }
  for (std::size_t i = 0; i < burst.tensors.size(); ++i) {
    const std::size_t region = burst.tensors[i].region;
    const auto difference = m_memory.difference(burst.right_content->regions()[region],
                                                burst.left_content->regions()[region],
                                                burst.pristine->regions()[region]);
    if (!difference) continue;
    event.arguments[i].differing = difference->bytes;
    event.arguments[i].written = difference->changed;
  }
}

// Does the winner read the arguments that it writes? For each, it is launched once more, on the
// first content except in that argument, which holds what the winner leaves there: where it does
// not write, that is the first content again.
void Bursts::find_what_is_read(Burst& burst) {
  for (std::size_t i = 0; i < burst.regions.size(); ++i) {
    if (burst.right[0][i] == burst.found_first[i]) continue;
    auto copy = m_memory.copy(burst.pristine->regions());
    if (!copy || !m_memory.write((*copy)->regions()[i], burst.right_content->regions()[i]))
      continue;
    const auto result = replay(burst, **copy);
    if (!result || *result == burst.right[0]) continue;
    for (std::size_t k = 0; k < burst.tensors.size(); ++k)
      if (burst.tensors[k].region == i) burst.event.arguments[k].is_read = true;
  }
}

}  // namespace tunecheck::watch
