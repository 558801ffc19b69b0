#include "proof/suspect_reference.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace tunecheck {
namespace {

// The first result that is there as a whole and is not as expected.
std::optional<std::size_t> wrong_result(const KernelDefinition& kernel,
                                        const ProofCase::Outcome& outcome) {
  std::size_t compared = 0;
  for (std::size_t i = 0; i < kernel.tensors.size(); ++i) {
    if (!kernel.tensors[i].is_result()) continue;
    if (compared >= outcome.compared.size()) return std::nullopt;  // it wrote elsewhere
    const Comparison& comparison = outcome.compared[compared++];
    if (comparison.unwritten > 0) return std::nullopt;
    if (!comparison.equal() && outcome.changed[i]) return i;
  }
  return std::nullopt;
}

// Each may be off by the tolerance.
bool agree(const std::vector<double>& a, const std::vector<double>& b, const Tolerance& tolerance) {
  const Tolerance twice = tolerance.doubled();
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](double x, double y) {
    return std::abs(x - y) <= twice.absolute + twice.relative * std::abs(x) || x == y;
  });
}

}  // namespace

std::string suspect_reference(const KernelDefinition& kernel, const ProofCase& at,
                              std::span<const ProofCase::Outcome* const> outcomes) {
  if (outcomes.size() < 2 || !at.choice().concerns_reference()) return {};
  const std::optional<std::size_t> wrong = wrong_result(kernel, *outcomes.front());
  if (!wrong) return {};
  const std::vector<double>& first = outcomes.front()->contents[*wrong];
  const Tolerance& tolerance = kernel.tolerance.of(at.dtypes()[*wrong]);
  for (const ProofCase::Outcome* const outcome : outcomes)
    if (wrong_result(kernel, *outcome) != wrong ||
        !agree(first, outcome->contents[*wrong], tolerance))
      return {};
  return fmt::format(
      "all {} configs agree on \"{}\", and the reference gives another result ({}): look at the "
      "reference first, and then at what all configs have in common",
      outcomes.size(), kernel.tensors[*wrong].name, at.name());
}

}  // namespace tunecheck
