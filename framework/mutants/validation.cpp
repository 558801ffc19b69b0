// What a config left behind must be looked at as a whole: bugs in what is looked at, and in what it
// is compared with.
#include <algorithm>

#include <fmt/format.h>

#include "mutants/decorators.hpp"
#include "mutants/families.hpp"
#include "tuner/trial/trial_memory.hpp"

namespace tunecheck::mutants {
namespace {

// Compares some of the results alone. All else is looked at.
class ComparesSome : public Validation {
 public:
  std::string check(const TrialArguments& arguments, const std::optional<ExpectedResults>& expected,
                    const Tolerances& tolerances) const override {
    if (!arguments.guard_intact()) return "wrote past its tensors";
    if (arguments.changed_read_only()) return "changed a read-only argument";
    const auto tensors = arguments.trial_launch().tensors;
    const auto roles = arguments.call().roles;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (!roles[i].is_result() || !looks_at(roles, i)) continue;
      const bool right =
          expected ? expected->compare(arguments, i, tolerances.of(tensors[i].dtype)).equal()
                   : unwritten_elements(arguments, i) == 0;
      if (!right) return fmt::format("wrong result in {}", roles[i].name);
    }
    return {};
  }

 protected:
  [[nodiscard]] virtual bool looks_at(std::span<const TensorRole> roles,
                                      std::size_t tensor) const = 0;
};

class FirstOutputOnly : public ComparesSome {
  bool looks_at(std::span<const TensorRole> roles, std::size_t tensor) const override {
    return std::none_of(roles.begin(), roles.begin() + static_cast<std::ptrdiff_t>(tensor),
                        [](const TensorRole& role) { return role.is_result(); });
  }
};

class PureOutputsOnly : public ComparesSome {
  bool looks_at(std::span<const TensorRole> roles, std::size_t tensor) const override {
    return roles[tensor].access == Access::write;
  }
};

// Whether a byte was written cannot be seen from the byte.
template <bool counts_as_written>
class JudgesBytes : public Validation {
 public:
  std::string check(const TrialArguments& arguments, const std::optional<ExpectedResults>& expected,
                    const Tolerances& tolerances) const override {
    if (expected) return Validation::check(arguments, expected, tolerances);
    if (!arguments.guard_intact()) return "wrote past its tensors";
    const auto tensors = arguments.trial_launch().tensors;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (!arguments.call().roles[i].is_result()) continue;
      const bool unwritten = tensors[i].dtype != DType::u8
                                 ? unwritten_elements(arguments, i) > 0
                                 : !counts_as_written && is_as_before(tensors[i]);
      if (unwritten) return fmt::format("{} was not written", arguments.call().roles[i].name);
    }
    return {};
  }

 private:
  static bool is_as_before(const TensorView& view) {
    bool found = false;
    for_each_element(view.layout, [&](std::int64_t, std::int64_t offset) {
      found = found || view.data[offset] == poison_pattern(DType::u8)[0];
    });
    return found;
  }
};

// There is nothing in front of the lowest tensor that could be overwritten.
class NoGuardInFront : public TrialArguments {
 public:
  using TrialArguments::TrialArguments;
  bool guard_intact() const override {
    std::byte* lowest = nullptr;
    for (const TensorView& twin : twins())
      if (lowest == nullptr || byte_range(twin).first < lowest) lowest = byte_range(twin).first;
    if (lowest != nullptr)
      trial_memory().fill_bytes(lowest - canary_bytes, canary_bytes, canary_byte);
    (void)trial_memory().wait();
    return TrialArguments::guard_intact();
  }
};

// Compares one element too few of what a config may only read.
class InputEndUnchecked : public TrialArguments {
 public:
  using TrialArguments::TrialArguments;
  std::optional<std::size_t> changed_read_only() const override {
    for (std::size_t i = 0; i < twins().size(); ++i)
      if (must_not_change(i) &&
          !call_memory().same_elements(without_last(twins()[i]), without_last(snapshot(i))))
        return i;
    return std::nullopt;
  }

 private:
  static TensorView without_last(TensorView view) {
    if (view.layout.rank > 0 && view.layout.shape[0] > 0) --view.layout.shape[0];
    return view;
  }
};

template <class Part>
void validate_with(ReferenceAdapterSetup& setup) {
  setup.parts.validation = std::make_shared<Part>();
}

}  // namespace

std::vector<Mutant> validation_mutants() {
  return {
      {"first_output_only", "compares the first output of a config and no other",
       validate_with<FirstOutputOnly>},
      {"bytes_count_as_unwritten",
       "takes a byte that a config wrote for one that it left out, if it looks like one",
       validate_with<JudgesBytes<false>>},
      {"bytes_count_as_written",
       "takes all bytes of an output for written, also where a config left some out (triton#9230)",
       validate_with<JudgesBytes<true>>},
      {"pure_outputs_only",
       "does not compare outputs in place, so that a config that leaves them as they were may win",
       validate_with<PureOutputsOnly>},
      {"no_guard_in_front",
       "notices what a config writes behind its tensors, and not what it writes in front of them",
       use_arguments<NoGuardInFront>},
      {"input_end_unchecked",
       "compares all of a read-only argument but its end, so that a config may overwrite that",
       use_arguments<InputEndUnchecked>},
      {"first_config_is_right",
       "takes what the first config of the list computes for the truth, whatever the others "
       "compute",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.choose_truth = [](std::span<const std::size_t>) { return std::size_t{0}; };
       }},
  };
}

}  // namespace tunecheck::mutants
