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
