#pragma once
// How far right results are off, next to what the tolerance allows them.
#include <map>
#include <string>
#include <vector>

#include "harness/kernel/proof_case.hpp"
#include "result/proof_result.hpp"

namespace tunecheck {

/// Collects the outcomes of all configs on all cases, and keeps nothing of them but the largest
/// error of each dtype. One thread at a time.
class LargestErrors {
 public:
  explicit LargestErrors(const KernelDefinition& kernel) : m_kernel(kernel) {}

  /// `where` names the device and the config. What is wrong is left out: nobody asks by how little.
  void add(const ProofCase& at, const ProofCase::Outcome& outcome, const std::string& where);

  /// Those of another device.
  void add(const LargestErrors& others);

  /// One for each dtype of a result for which the tolerance allows any error at all.
  [[nodiscard]] std::vector<ProofResult::LargestError> all() const;

 private:
  void add_tensor(DType dtype, const std::vector<double>& actual,
                  const std::vector<double>& expected, const std::string& where);
  void take(DType dtype, double error, double allowed, const std::string& where);

  const KernelDefinition& m_kernel;
  std::map<DType, ProofResult::LargestError> m_largest;
};

}  // namespace tunecheck
