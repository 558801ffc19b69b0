// Trials must not be seen by the caller: bugs in what its own arguments hold, before and after the
// launch that counts.
#include <cstring>
#include <memory>

#include "mutants/decorators.hpp"
#include "mutants/families.hpp"

namespace tunecheck::mutants {
namespace {

class ResetBeforeSnapshot : public TrialArguments {
 public:
  using TrialArguments::TrialArguments;
  Result<void> take_snapshot() override {
    for (std::size_t i = 0; i < call().launch.tensors.size(); ++i)
      if (call().roles[i].resets) call_memory().fill_zero(call().launch.tensors[i]);
    return TrialArguments::take_snapshot();
  }
};

// The object goes when the call is over, its launch included: the output is right all the same.
class PoisonsReadOnly : public TrialArguments {
 public:
  using TrialArguments::TrialArguments;
  ~PoisonsReadOnly() override {
    for (std::size_t i = 0; i < call().launch.tensors.size(); ++i)
      if (must_not_change(i)) call_memory().fill_poison(call().launch.tensors[i]);
  }
};

// As if the last trial had run on the caller's memory, and nobody had put it back.
class CallerNotRestored : public TrialArguments {
 public:
  using TrialArguments::TrialArguments;
  void before_trial() override {
    m_has_run = true;
    TrialArguments::before_trial();
  }
  void undo() override {
    for (std::size_t i = 0; m_has_run && i < twins().size(); ++i)
      if (call().roles[i].is_written())
        call_memory().copy_elements(twins()[i], call().launch.tensors[i]);
  }

 private:
  bool m_has_run = false;
};

template <CallKind skipped>
class ResetOnOtherCalls : public RealCall {
 public:
  void prepare(std::span<const TensorRole> roles, const LaunchArguments& arguments,
               CallKind kind) const override {
    if (kind != skipped) RealCall::prepare(roles, arguments, kind);
  }
};

template <CallKind skipped>
void skip_reset_on(ReferenceAdapterSetup& setup) {
  setup.parts.real_call = std::make_shared<ResetOnOtherCalls<skipped>>();
}

// Copies whole vectors of 16 bytes, and one more where the tensor ends at the end of a vector.
class RestorePastEnd : public RealCall {
 public:
  void prepare(std::span<const TensorRole> roles, const LaunchArguments& arguments,
               CallKind kind) const override {
    constexpr std::size_t vector_bytes = 16;
    for (std::size_t i = 0; i < roles.size(); ++i) {
      if (kind != CallKind::tuned || !roles[i].restores) continue;
      const ByteRange range = byte_range(arguments.tensors[i]);
      const std::size_t past = vector_bytes - range.size() % vector_bytes;
      arguments.where().fill_bytes(range.end, past, std::byte{0});
    }
    RealCall::prepare(roles, arguments, kind);
  }
};

}  // namespace

std::vector<Mutant> caller_mutants() {
  return {
      {"reset_before_snapshot",
       "zeroes the caller's reset_to_zero arguments before they are copied (triton#6547)",
       use_arguments<ResetBeforeSnapshot>},
      {"reset_not_on_final_call",
       "does not zero reset_to_zero arguments for the real call after tuning (triton#7181)",
       skip_reset_on<CallKind::tuned>},
      {"reset_not_on_hit", "does not zero reset_to_zero arguments for calls whose winner is known",
       skip_reset_on<CallKind::hit>},
      {"restore_past_end",
       "restores the caller's arguments in whole vectors after tuning, and so writes past their "
       "end",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.real_call = std::make_shared<RestorePastEnd>();
       }},
      {"poisons_read_only", "poisons those of the caller's arguments that the kernel only reads",
       use_arguments<PoisonsReadOnly>},
      {"caller_not_restored_after_failure",
       "when a tuning fails, leaves what the last trial wrote in the caller's arguments",
       use_arguments<CallerNotRestored>},
  };
}

}  // namespace tunecheck::mutants
