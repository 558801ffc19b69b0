#include "proof/largest_errors.hpp"

#include <algorithm>
#include <cmath>

namespace tunecheck {
namespace {

// Whole numbers are off by whole numbers.
double allowed_error(DType dtype, const Tolerance& tolerance, double expected) {
  const double allowed = tolerance.absolute + tolerance.relative * std::abs(expected);
  return is_floating(dtype) ? allowed : std::floor(allowed);
}

}  // namespace

void LargestErrors::add(const ProofCase& at, const ProofCase::Outcome& outcome,
                        const std::string& where) {
  if (!outcome.trouble.empty()) return;
  for (std::size_t i = 0; i < m_kernel.tensors.size(); ++i)
    if (m_kernel.tensors[i].is_result())
      add_tensor(at.dtypes()[i], outcome.contents[i], at.expected()[i], where + ", " + at.name());
}

void LargestErrors::add_tensor(DType dtype, const std::vector<double>& actual,
                               const std::vector<double>& expected, const std::string& where) {
  const Tolerance& tolerance = m_kernel.tolerance.of(dtype);
  for (std::size_t at = 0; at < actual.size(); ++at) {
    const double error = std::abs(actual[at] - expected[at]);
    const double allowed = allowed_error(dtype, tolerance, expected[at]);
    if (!(allowed > 0) || !std::isfinite(error)) continue;
    take(dtype, error, allowed, where);
  }
}

void LargestErrors::take(DType dtype, double error, double allowed, const std::string& where) {
  const auto [place, is_first] = m_largest.try_emplace(dtype);
  ProofResult::LargestError& largest = place->second;
  // Without any error, the narrowest of what is allowed.
  const bool is_larger = error * largest.allowed > largest.error * allowed;
  const bool is_narrower = error == 0 && largest.error == 0 && allowed < largest.allowed;
  if (is_first || is_larger || is_narrower)
    largest = {std::string(name_of(dtype)), error, allowed, where};
}

void LargestErrors::add(const LargestErrors& others) {
  for (const auto& [dtype, largest] : others.m_largest)
    take(dtype, largest.error, largest.allowed, largest.where);
}

std::vector<ProofResult::LargestError> LargestErrors::all() const {
  std::vector<ProofResult::LargestError> all;
  for (const auto& [dtype, largest] : m_largest)
    all.push_back(largest);
  return all;
}

}  // namespace tunecheck
