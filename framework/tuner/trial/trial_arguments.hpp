#pragma once
// What the trials of one tuning run on, and how the caller's arguments survive them.
#include <optional>
#include <span>
#include <vector>

#include "tuner/call_arguments.hpp"
#include "tuner/trial/trial_memory.hpp"

namespace tunecheck {

/// Made once a tuning; a trial must be seen neither by the next trial nor by the caller. Seam:
/// every virtual member may be overridden on its own. One thread at a time; before_trial() runs in
/// the tuner's process, before_rep() in the trial's, which sees a copy of this object and shares
/// trial_launch()'s memory.
class TrialArguments {
 public:
  /// All that `call` points to outlives this object; its trial_memory only until end_trials().
  explicit TrialArguments(const CallArguments& call);
  virtual ~TrialArguments();
  TrialArguments(const TrialArguments&) = delete;
  TrialArguments& operator=(const TrialArguments&) = delete;

  /// Once, before anything runs: copies the content of every tensor and makes the memory for
  /// trials. A tensor in both restore_value and reset_to_zero is copied before it is zeroed
  /// (triton#6547).
  [[nodiscard]] virtual Result<void> take_snapshot();

  /// What trials run on: never the caller's memory.
  [[nodiscard]] virtual LaunchArguments trial_launch() const;

  /// Everything back to the snapshot, pure outputs poisoned (triton#9230), canaries fresh.
  virtual void before_trial();

  /// restore_value tensors back to the snapshot, then reset_to_zero tensors zeroed; outside of the
  /// timed region.
  virtual void before_rep();

  /// The caller's hook on what the rep gets, after all that before_rep() asked for is done.
  void run_hook() const;

  /// Gives back what only trials need.
  void end_trials();

  /// Puts the caller's tensors back to the snapshot, after a failure.
  virtual void undo();

  /// What the snapshot and the trials' memory take at this moment.
  [[nodiscard]] std::size_t bytes_held() const;

  /// True where trials wrote nothing outside of their tensors.
  [[nodiscard]] virtual bool guard_intact() const;

  /// The first tensor that the kernel may only read and that no longer holds its content; none if
  /// all do.
  [[nodiscard]] virtual std::optional<std::size_t> changed_read_only() const;

  [[nodiscard]] const CallArguments& call() const { return m_call; }
  /// The content of tensor `index` when the snapshot was taken: contiguous, this object's own.
  [[nodiscard]] TensorView snapshot(std::size_t index) const;
  /// True where the launch must find the tensor's content: in restore_value, or read and sharing
  /// memory with a tensor that is written.
  [[nodiscard]] bool needs_restore(std::size_t index) const { return m_needs_restore[index]; }
  /// True for a pure output. Where another tensor needs what lies there, before_rep() puts it back.
  [[nodiscard]] bool may_be_poisoned(std::size_t index) const {
    return m_call.roles[index].is_pure_output();
  }
  /// True where the kernel may only read the tensor, through any of its arguments.
  [[nodiscard]] bool must_not_change(std::size_t index) const { return m_must_not_change[index]; }

  /// The memory as trials see it, and as the caller does.
  [[nodiscard]] const TensorMemory& trial_memory() const;
  [[nodiscard]] const TensorMemory& call_memory() const { return m_call.launch.where(); }

 protected:
  /// The twins in the trials' memory.
  [[nodiscard]] std::span<const TensorView> twins() const { return m_memory->views(); }

 private:
  void classify();

  const CallArguments m_call;
  std::vector<MemoryBlock> m_content;  // packed, one a tensor
  std::optional<TrialMemory> m_memory;
  std::vector<bool> m_needs_restore, m_must_not_change;
};

}  // namespace tunecheck
