#pragma once
// A process that is really slower: stopped for a share of the time, again and again. This is how
// the slowdown of a canary is planted in any program that works alone, without its help. Processes
// that it starts are not slowed down.
#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "core/files.hpp"
#include "core/result.hpp"

namespace tunecheck::gate {

class Throttle {
 public:
  /// 0.1 makes what takes 1 s take 1.1 s, counted from now on.
  [[nodiscard]] static Result<std::unique_ptr<Throttle>> create(double slowdown);
  Throttle(const Throttle&) = delete;
  Throttle& operator=(const Throttle&) = delete;
  /// Ends it. The process runs on.
  ~Throttle();

  /// To be called in the child between fork and exec: says which process it is.
  [[nodiscard]] std::function<void()> in_child() const;

 private:
  explicit Throttle(double slowdown) : m_slowdown(slowdown) {}
  void work() const;

  double m_slowdown;
  int* m_process = nullptr;  // shared with the child; 0 until it has begun
  std::atomic<bool> m_ended{false};
  std::thread m_thread;
};

}  // namespace tunecheck::gate
