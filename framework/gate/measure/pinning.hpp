#pragma once
// Processes on one CPU: what moves from core to core finds its caches cold.
#include <sched.h>
#include <string>

namespace tunecheck::gate {

/// While it lives, processes that this thread starts are pinned to one CPU, where that can be done:
/// the last of those that the thread may use, since the first ones serve most interrupts. The
/// thread itself is back where it was when it ends; processes that were started stay.
class Pinning {
 public:
  Pinning();
  Pinning(const Pinning&) = delete;
  Pinning& operator=(const Pinning&) = delete;
  ~Pinning();

  /// One sentence for the report: to which CPU, or why to none.
  [[nodiscard]] const std::string& text() const { return m_text; }

 private:
  cpu_set_t m_before{};
  bool m_is_pinned = false;
  std::string m_text;
};

}  // namespace tunecheck::gate
