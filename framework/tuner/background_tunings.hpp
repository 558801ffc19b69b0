#pragma once
// Tunings that nobody waits for: callers get another config meanwhile.
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <thread>

#include "core/result.hpp"
#include "tuner/call_arguments.hpp"
#include "tuner/meanwhile.hpp"
#include "tuner/trial/trial_memory.hpp"

namespace tunecheck::detail {

/// One thread that does one piece of work after the other, and is not there before the first of
/// them: trials of one process run one at a time anyway. All members may be called by several
/// threads at once; the destructor ends the work at hand, as soon as that looks at its token, and
/// drops the rest.
class BackgroundTunings {
 public:
  /// Must not throw.
  using Work = std::function<void(const std::stop_token&)>;

  /// False where the work of this key has begun or waits, now or before: then this one is dropped.
  bool begin(const std::string& key, Work work);
  [[nodiscard]] bool has_begun(const std::string& key) const;

 private:
  void run(const std::stop_token& stop);

  mutable std::mutex m_mutex;
  std::condition_variable_any m_changed;
  std::set<std::string> m_begun;
  std::deque<Work> m_waiting;
  std::jthread m_thread;  // dies first
};

/// A call's arguments in memory of their own, laid out as the caller's: tensors that overlap there
/// overlap here.
class OwnArguments : public HeldArguments {
 public:
  /// Copies every element. `call` may end after that; `roles`, and what `order` points to, must
  /// outlive this object.
  [[nodiscard]] static Result<OwnArguments> copy(const CallArguments& call);

  /// Points into this object, which must not be moved any more.
  [[nodiscard]] CallArguments call() const override;

 private:
  OwnArguments(TrialMemory memory, const CallArguments& call);

  TrialMemory m_memory;
  std::vector<Scalar> m_scalars;
  std::vector<int> m_order;
  std::span<const TensorRole> m_roles;
  const LaunchHook* m_before_launch;
  const TensorMemory* m_where;
};

}  // namespace tunecheck::detail
