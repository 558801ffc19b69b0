#include "tuner/trial/validation.hpp"

#include <algorithm>
#include <cstring>

namespace tunecheck {
namespace {

// Consecutive bytes of the poison pattern that are no accident in a u8 tensor, where one in 256
// right values looks like it.
constexpr std::int64_t u8_run = 16;

TensorView packed_like(const TensorView& view, std::byte* data) {
  return {data, view.dtype, Layout::contiguous(view.layout.dimensions())};
}

}  // namespace

std::int64_t Validation::unwritten_elements(const TrialArguments& arguments, std::size_t index) {
  if (!arguments.may_be_poisoned(index)) return 0;
  const auto content =
      arguments.call().launch.where().on_host(arguments.trial_launch().tensors[index]);
  if (!content) return 1;
  const TensorView& view = content->view;
  const auto poison = poison_pattern(view.dtype);
  const auto size = static_cast<std::int64_t>(poison.size());
  std::int64_t found = 0;
  std::int64_t run = 0;
  std::int64_t longest_run = 0;
  for_each_element(view.layout, [&](std::int64_t, std::int64_t offset) {
    const bool poisoned = std::memcmp(view.data + offset * size, poison.data(), poison.size()) == 0;
    run = poisoned ? run + 1 : 0;
    found += poisoned ? 1 : 0;
    longest_run = std::max(longest_run, run);
  });
  const bool by_accident =
      view.dtype == DType::u8 && longest_run < std::min(u8_run, view.layout.count());
  return by_accident ? 0 : found;
}

std::string Validation::check(const TrialArguments& arguments,
                              const std::optional<ExpectedResults>& expected,
                              const Tolerances& tolerances) const {
  if (!arguments.guard_intact()) return "wrote past its tensors";
  const auto roles = arguments.call().roles;
  const auto tensors = arguments.trial_launch().tensors;
  if (const auto changed = arguments.changed_read_only())
    return fmt::format("changed read-only argument {}", roles[*changed].name);
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (!roles[i].is_result()) continue;
    if (expected) {
      const Comparison comparison =
          expected->compare(arguments, i, tolerances.of(tensors[i].dtype));
      if (!comparison.equal())
        return fmt::format("wrong result in {}: {}", roles[i].name, comparison.text());
    } else if (const std::int64_t unwritten = unwritten_elements(arguments, i); unwritten > 0) {
      return fmt::format("wrong result in {}: {} of {} elements never written", roles[i].name,
                         unwritten, tensors[i].layout.count());
    }
  }
  return {};
}

std::size_t most_votes(std::span<const std::size_t> votes) {
  return static_cast<std::size_t>(std::max_element(votes.begin(), votes.end()) - votes.begin());
}

Result<ExpectedResults> Validation::result_of(const TrialArguments& arguments) const {
  return ExpectedResults::of_results(arguments);
}

Result<ExpectedResults> ExpectedResults::of_results(const TrialArguments& arguments) {
  ExpectedResults expected;
  const CallArguments& call = arguments.call();
  const TensorMemory& memory = call.launch.where();
  const auto tensors = arguments.trial_launch().tensors;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    MemoryBlock& kept = expected.m_results.emplace_back();
    if (!call.roles[i].is_result()) continue;
    TUNECHECK_TRY(kept, memory.allocate(static_cast<std::size_t>(tensors[i].layout.count()) *
                                        size_of(tensors[i].dtype)));
    memory.copy_elements(tensors[i], packed_like(tensors[i], kept.data()));
  }
  TUNECHECK_CHECK(memory.wait());
  return expected;
}

Comparison ExpectedResults::compare(const TrialArguments& arguments, std::size_t index,
                                    const Tolerance& tolerance) const {
  const TensorMemory& memory = arguments.call().launch.where();
  const TensorView actual = arguments.trial_launch().tensors[index];
  if (m_values.empty())
    return memory.compare_elements(actual, packed_like(actual, m_results[index].data()), tolerance);
  const auto content = memory.on_host(actual);
  if (!content) return Comparison::unreadable(actual.layout.count());
  return tunecheck::compare(content->view, m_values[index], tolerance);
}

}  // namespace tunecheck
