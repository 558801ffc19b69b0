// A trial must not be seen by the next one: bugs in what a rep finds in its arguments.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "mutants/decorators.hpp"
#include "mutants/families.hpp"

namespace tunecheck::mutants {
namespace {

void zero_resets(const TrialArguments& arguments) {
  const auto tensors = arguments.trial_launch().tensors;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (arguments.call().roles[i].resets) arguments.trial_memory().fill_zero(tensors[i]);
}

void restore_values(const TrialArguments& arguments) {
  const auto tensors = arguments.trial_launch().tensors;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (arguments.needs_restore(i))
      arguments.trial_memory().copy_elements(arguments.snapshot(i), tensors[i]);
}

class NoRestore : public TrialArguments {
 public:
  using TrialArguments::TrialArguments;
  LaunchArguments trial_launch() const override { return call().launch; }
  void before_rep() override { zero_resets(*this); }
  void undo() override {}
};

class RestoreOncePerConfig : public TrialArguments {
 public:
  using TrialArguments::TrialArguments;
  void before_rep() override { zero_resets(*this); }
};

// What would be the snapshot is the caller's memory itself, so that restoring changes nothing.
class RestoreToSharedStorage : public TrialArguments {
 public:
  using TrialArguments::TrialArguments;
  LaunchArguments trial_launch() const override { return call().launch; }
  void before_trial() override {
    TrialArguments::before_trial();
    for (std::size_t i = 0; i < call().launch.tensors.size(); ++i)
      if (may_be_poisoned(i)) trial_memory().fill_poison(call().launch.tensors[i]);
  }
  void before_rep() override { zero_resets(*this); }
  void undo() override {}
};

class RestoreIgnoresStrides : public TrialArguments {
 public:
  using TrialArguments::TrialArguments;

  void before_rep() override {
    for (std::size_t i = 0; i < twins().size(); ++i) {
      if (!needs_restore(i)) continue;
      const ByteRange range = byte_range(twins()[i]);
      const auto bytes =
          static_cast<std::int64_t>(std::min(range.size(), byte_range(snapshot(i)).size()));
      const Layout plain = Layout::contiguous(std::span(&bytes, 1));
      trial_memory().copy_elements({snapshot(i).data, DType::u8, plain},
                                   {range.first, DType::u8, plain});
    }
    zero_resets(*this);
  }

  // Where the restore itself writes the padding between strides, no trial is to blame for it.
  bool guard_intact() const override {
    for (std::size_t i = 0; i < twins().size(); ++i)
      if (needs_restore(i) && !(snapshot(i).layout == twins()[i].layout)) return true;
    return TrialArguments::guard_intact();
  }
};

class ResetOnlyFirstTrial : public TrialArguments {
 public:
  using TrialArguments::TrialArguments;
  void before_trial() override {
    ++m_trials;
    TrialArguments::before_trial();
  }
  void before_rep() override {
    restore_values(*this);
    if (m_trials == 1) zero_resets(*this);
  }

 private:
  int m_trials = 0;
};

// The hook of the caller's stands where the tuner's own preparation was.
class HookReplacesRestore : public TrialArguments {
 public:
  using TrialArguments::TrialArguments;
  void before_rep() override {
    const LaunchHook* const hook = call().before_launch;
    if (hook == nullptr || !*hook) TrialArguments::before_rep();
  }
};

// Nobody fills the trials' buffers, fresh memory as they are; nor what validation compares with.
class TrialsWithoutContent : public TrialArguments {
 public:
  using TrialArguments::TrialArguments;
  Result<void> take_snapshot() override {
    TUNECHECK_CHECK(TrialArguments::take_snapshot());
    for (std::size_t i = 0; i < call().launch.tensors.size(); ++i)
      call_memory().fill_zero(snapshot(i));
    return call_memory().wait();
  }
  void undo() override {}  // trials never write the caller's memory
};

// Trials on copies that lie in memory otherwise than the caller's tensors.
class TrialsOnCopies : public TrialArguments {
 public:
  using TrialArguments::TrialArguments;

  Result<void> take_snapshot() override {
    TUNECHECK_CHECK(TrialArguments::take_snapshot());
    for (const TensorView& original : call().launch.tensors) {
      const Layout layout = layout_of_copy(original);
      const Extent extent = extent_of(layout);
      const auto size = static_cast<std::int64_t>(size_of(original.dtype));
      TUNECHECK_TRY(MemoryBlock block, call_memory().allocate(static_cast<std::size_t>(
                                           (extent.end - extent.first) * size + 2 * alignment)));
      std::byte* const first = block.data() - extent.first * size;
      const std::int64_t ahead =
          (place_of_copy(original) - place_of(first) + alignment) % alignment;
      m_copies.push_back({first + ahead, original.dtype, layout});
      m_blocks.push_back(std::move(block));
    }
    return {};
  }
  LaunchArguments trial_launch() const override {
    return {m_copies, call().launch.scalars, nullptr, &trial_memory()};
  }
  void before_trial() override {
    for (std::size_t i = 0; i < m_copies.size(); ++i)
      trial_memory().copy_elements(snapshot(i), m_copies[i]);
    for (std::size_t i = 0; i < m_copies.size(); ++i)
      if (may_be_poisoned(i)) trial_memory().fill_poison(m_copies[i]);
  }
  void before_rep() override {
    restore_values(*this);
    zero_resets(*this);
  }
  bool guard_intact() const override { return true; }

 protected:
  static constexpr std::int64_t alignment = 64;
  [[nodiscard]] static std::int64_t place_of(const std::byte* data) {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(data) % alignment);
  }

 private:
  [[nodiscard]] virtual Layout layout_of_copy(const TensorView& original) const = 0;
  /// Of its first element, modulo 64.
  [[nodiscard]] virtual std::int64_t place_of_copy(const TensorView& original) const = 0;

  std::vector<MemoryBlock> m_blocks;
  std::vector<TensorView> m_copies;
};

class TrialsOnDenseCopies : public TrialsOnCopies {
  using TrialsOnCopies::TrialsOnCopies;
  Layout layout_of_copy(const TensorView& original) const override {
    return Layout::contiguous(original.layout.dimensions());
  }
  std::int64_t place_of_copy(const TensorView& original) const override {
    return place_of(original.data);
  }
};

class TrialsOnAlignedCopies : public TrialsOnCopies {
  using TrialsOnCopies::TrialsOnCopies;
  Layout layout_of_copy(const TensorView& original) const override { return original.layout; }
  std::int64_t place_of_copy(const TensorView& /*original*/) const override { return 0; }
};

class RestoreInsideTiming : public Measurement {
 public:
  TimedLaunch run_rep(const Module& module, TrialArguments& arguments) const override {
    const auto started = std::chrono::steady_clock::now();
    arguments.before_rep();
    (void)arguments.trial_memory().wait();  // a device may restore later than it is asked
    const std::chrono::nanoseconds restoring = std::chrono::steady_clock::now() - started;
    TimedLaunch rep = module.timed_launch(arguments.trial_launch());
    rep.elapsed_ns += restoring.count();
    return rep;
  }
};

}  // namespace

std::vector<Mutant> restore_mutants() {
  return {
      {"no_restore",
       "runs trials on the caller's own memory and never restores anything (triton#54)",
       use_arguments<NoRestore>},
      {"restore_once_per_config",
       "restores arguments before each trial but not before each rep, so that they drift while a "
       "config is timed (Helion, from source)",
       use_arguments<RestoreOncePerConfig>},
      {"restore_to_shared_storage",
       "takes a snapshot that shares its storage with the caller, so that trials write to the "
       "caller's buffers and the real call finds what the last rep left (CubeCL PR 170, from "
       "source)",
       use_arguments<RestoreToSharedStorage>},
      {"restore_ignores_strides", "restores strided arguments as if they were contiguous",
       use_arguments<RestoreIgnoresStrides>},
      {"reset_only_first_trial", "zeroes reset_to_zero arguments in the first trial only",
       use_arguments<ResetOnlyFirstTrial>},
      {"hook_replaces_restore",
       "does not restore arguments before a rep if the caller brings its own hook "
       "(apple/ml-cross-entropy#36)",
       use_arguments<HookReplacesRestore>},
      {"trials_without_content",
       "tries configs on buffers that were never filled, so that an index in them may point "
       "anywhere "
       "(hashcat#2876)",
       use_arguments<TrialsWithoutContent>},
      {"trials_on_dense_copies",
       "tries configs on contiguous copies of strided arguments, so that the winner is the fastest "
       "on another layout",
       use_arguments<TrialsOnDenseCopies>},
      {"trials_on_aligned_copies",
       "tries configs on fresh buffers, which are aligned better than the caller's views",
       use_arguments<TrialsOnAlignedCopies>},
      {"restore_inside_timing",
       "charges the cost of restoring to the config that is timed "
       "(facebookexperimental/triton#1679)",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.measurement = std::make_shared<RestoreInsideTiming>();
       }},
  };
}

}  // namespace tunecheck::mutants
