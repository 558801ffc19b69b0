#pragma once
// FFTW as one adapter process drives it: what a program does that plans with FFTW_MEASURE and keeps
// the wisdom in a file.
#include <string>

#include "adapter/fftw/habits.hpp"
#include "adapter/fftw/transform.hpp"
#include "adapter/fftw/wisdom_file.hpp"
#include "adapter/protocol/messages.hpp"

namespace tunecheck {

/// answer() takes the lines of the protocol one by one, in one thread. The wisdom that a call finds
/// or adds lives as long as the process.
class FftwAdapter {
 public:
  explicit FftwAdapter(FftwHabits habits);

  /// The answer to a request, as a line without its end.
  [[nodiscard]] std::string answer(const std::string& line);
  /// True once it was asked to end.
  [[nodiscard]] bool is_asked_to_quit() const { return m_quits; }

 private:
  [[nodiscard]] static std::string hello();
  [[nodiscard]] protocol::CallAnswer call(const protocol::CallRequest& request);
  /// False where FFTW makes no plan for it.
  [[nodiscard]] bool execute(const Transform& transform, protocol::CallAnswer& answer);
  /// Null likewise.
  [[nodiscard]] Plan plan(const Transform& transform, protocol::CallAnswer& answer);
  void keep_wisdom(protocol::CallAnswer& answer) const;

  FftwHabits m_habits;
  WisdomFile m_wisdom;
  Plan m_first;  ///< where the first plan is kept for all calls
  bool m_quits = false;
};

}  // namespace tunecheck
