#include "proof/conditioning.hpp"

#include <cmath>

#include "harness/kernel/question.hpp"

namespace tunecheck {
namespace {

// What a sum of some hundreds of floats may be off by.
constexpr double change = 0x1p-21;

// Neighbours in no dimension change alike for long.
bool is_up(std::size_t element) {
  return ((static_cast<std::uint64_t>(element) * 0x9e3779b97f4a7c15U) >> 63U) != 0;
}

bool is_near(double value, double expected, const Tolerance& tolerance) {
  if (std::isnan(expected)) return std::isnan(value);
  return value == expected ||
         std::abs(value - expected) <=
             (tolerance.absolute + tolerance.relative * std::abs(expected)) / 2;
}

}  // namespace

bool is_well_conditioned(const KernelDefinition& kernel, const ProofCase& at, Oracle& oracle) {
  Oracle::Question question = make_question(kernel, at.tensors(), true, at.choice().scalars);
  for (std::size_t i = 0; i < question.contents.size(); ++i) {
    if (!is_floating(at.dtypes()[i]) || kernel.tensors[i].access == Access::write) continue;
    std::vector<double>& content = question.contents[i];
    for (std::size_t element = 0; element < content.size(); ++element)
      content[element] *= 1 + (is_up(element) ? change : -change);
  }
  const auto changed = oracle.ask(std::move(question));
  if (!changed) return false;
  for (std::size_t i = 0; i < kernel.tensors.size(); ++i) {
    if (!kernel.tensors[i].is_result()) continue;
    const Tolerance& tolerance = kernel.tolerance.of(at.dtypes()[i]);
    // A kernel that asks for equality rounds as its reference does.
    if (tolerance.absolute == 0 && tolerance.relative == 0) continue;
    for (std::size_t element = 0; element < at.expected()[i].size(); ++element)
      if (!is_near((**changed)[i][element], at.expected()[i][element], tolerance)) return false;
  }
  return true;
}

}  // namespace tunecheck
