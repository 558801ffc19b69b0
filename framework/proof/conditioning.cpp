#include "proof/conditioning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/ranges.h>

#include "harness/kernel/question.hpp"

namespace tunecheck {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// What a sum of some hundreds of numbers may be off by. Narrower dtypes are computed in float.
double change_of(DType dtype) {
  return dtype == DType::f64 ? 0x1p-50 : 0x1p-21;
}

// Neighbours in no dimension change alike for long.
bool is_up(std::size_t element) {
  return ((static_cast<std::uint64_t>(element) * 0x9e3779b97f4a7c15U) >> 63U) != 0;
}

// How far a value is from the expected one, in tolerances.
double distance(double value, double expected, const Tolerance& tolerance) {
  if (value == expected || (std::isnan(value) && std::isnan(expected))) return 0;
  const double allowed = tolerance.absolute + tolerance.relative * std::abs(expected);
  const double tolerances = std::abs(value - expected) / allowed;
  return std::isnan(tolerances) ? infinite : tolerances;
}

// Looks at the tensors of one kernel.
class Conditioning {
 public:
  Conditioning(const KernelDefinition& kernel, const ProofCase& plain, std::uint64_t seed,
               std::filesystem::path folder, Oracle& oracle)
      : m_kernel(kernel),
        m_plain(plain),
        m_seed(seed),
        m_folder(std::move(folder)),
        m_oracle(oracle),
        m_most(std::max(0.5, 4 * sensitivity(plain))) {}

  // Each for itself, and then together with those before it.
  Result<ToBroadcast> choose() {
    ToBroadcast chosen;
    std::vector<std::size_t> left_out;
    for (std::size_t i = 0; i < m_kernel.tensors.size(); ++i) {
      if (!is_data(m_kernel.tensors[i])) continue;
      chosen.tensors.push_back(i);
      TUNECHECK_TRY(bool bears, bears_all_of({i}));
      if (bears && chosen.tensors.size() > 1) {
        TUNECHECK_TRY(bears, bears_all_of(chosen.tensors));
      }
      if (bears) continue;
      chosen.tensors.pop_back();
      left_out.push_back(i);
    }
    if (left_out.empty()) return chosen;
    ProofChoice not_asked = m_plain.choice();
    not_asked.broadcast = left_out;
    chosen.note = fmt::format("not asked, because the results would depend on the last digits: {}",
                              words_of(not_asked, m_kernel, m_seed));
    return chosen;
  }

 private:
  static bool is_data(const TensorParameter& tensor) {
    return tensor.access == Access::read && tensor.fill.kind == Fill::Kind::normal &&
           !tensor.shape.empty();
  }

  Result<bool> bears_all_of(const std::vector<std::size_t>& tensors) {
    ProofChoice choice = m_plain.choice();
    choice.broadcast = tensors;
    TUNECHECK_TRY(ProofCase at, ProofCase::make(m_kernel, choice, m_seed,
                                                m_folder / fmt::format("conditioning-{}",
                                                                       fmt::join(tensors, "-"))));
    return at.ask(m_oracle) && sensitivity(at) <= m_most;
  }

  // How far the reference's results move, in tolerances; infinite where it fails.
  [[nodiscard]] double sensitivity(const ProofCase& at) const {
    Oracle::Question question = make_question(m_kernel, at.tensors(), true, at.choice().scalars);
    for (std::size_t i = 0; i < question.contents.size(); ++i) {
      if (!is_floating(at.dtypes()[i]) || m_kernel.tensors[i].access == Access::write) continue;
      const double change = change_of(at.dtypes()[i]);
      std::vector<double>& content = question.contents[i];
      for (std::size_t element = 0; element < content.size(); ++element)
        content[element] *= 1 + (is_up(element) ? change : -change);
    }
    const auto changed = m_oracle.ask(std::move(question));
    if (!changed) return infinite;
    double farthest = 0;
    for (std::size_t i = 0; i < m_kernel.tensors.size(); ++i) {
      if (!m_kernel.tensors[i].is_result()) continue;
      const Tolerance& tolerance = m_kernel.tolerance.of(at.dtypes()[i]);
      for (std::size_t element = 0; element < at.expected()[i].size(); ++element)
        farthest = std::max(
            farthest, distance((**changed)[i][element], at.expected()[i][element], tolerance));
    }
    return farthest;
  }

  const KernelDefinition& m_kernel;
  const ProofCase& m_plain;
  const std::uint64_t m_seed;
  const std::filesystem::path m_folder;
  Oracle& m_oracle;
  const double m_most;
};

}  // namespace

Result<ToBroadcast> tensors_to_broadcast(const KernelDefinition& kernel, const ProofCase& plain,
                                         std::uint64_t seed, const std::filesystem::path& folder,
                                         Oracle& oracle) {
  return Conditioning(kernel, plain, seed, folder, oracle).choose();
}

}  // namespace tunecheck
