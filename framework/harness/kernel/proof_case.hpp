#pragma once
// One dtype variant of a kernel at one size: its tensors, what is expected of them, and launches of
// single configs on them.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/kernel/isolated_run.hpp"
#include "harness/kernel/oracle.hpp"
#include "harness/kernel/proof_choice.hpp"
#include "harness/kernel/runners.hpp"
#include "harness/kernel/tensor_file.hpp"

namespace tunecheck {

/// All members may be called by several threads at once, each with a `place` of its own.
class ProofCase {
 public:
  using Choice = ProofChoice;
  /// `folder` (created) takes the files; the kernel outlives the case.
  [[nodiscard]] static Result<ProofCase> make(const KernelDefinition& kernel, Choice choice,
                                              std::uint64_t seed, std::filesystem::path folder);

  /// Asks the reference for the expected content. Call it before any comparison.
  [[nodiscard]] Result<void> ask(Oracle& oracle);

  [[nodiscard]] const Choice& choice() const { return m_choice; }
  /// "bf16, size odd, strided"; without the dtype where there is one variant.
  [[nodiscard]] std::string name() const;
  [[nodiscard]] const std::vector<DType>& dtypes() const { return m_dtypes; }
  [[nodiscard]] const std::vector<TensorFile>& tensors() const { return m_tensors; }
  [[nodiscard]] const TensorContents& expected() const { return *m_expected; }

  /// The written tensors after one launch or two.
  struct Outcome {
    std::string trouble;               ///< what is wrong, "" if all is as expected
    TensorContents contents;           ///< one per tensor; empty where it did not run
    std::vector<bool> changed;         ///< one per tensor: an element has other bytes than before
    std::vector<Comparison> compared;  ///< one per tensor that is a result, in their order
  };
  struct Launches {
    int count = 1;
    bool reset = true;          ///< reset_to_zero is applied before each
    bool zero_outputs = false;  ///< tensors with access write start at zero, not at poison
  };
  /// A launch of `artifact` on fresh copies of the tensors as a request, with its files written
  /// below the case's folder; an earlier launch, where the choice has one, is part of it.
  [[nodiscard]] Result<IsolatedRun> prepare(const Artifact& artifact, const Launches& launches,
                                            std::size_t place) const;
  /// The same, launched by `runners`, and its files removed. The error is how the process or the
  /// kernel failed. Under a tool, tensors are placed so that it sees accesses past their ends.
  [[nodiscard]] Result<Outcome> launch(const Artifact& artifact, const Launches& launches,
                                       std::size_t place, Runners& runners) const;

 private:
  ProofCase(const KernelDefinition& kernel, Choice choice, std::uint64_t seed,
            std::filesystem::path folder)
      : m_kernel(&kernel),
        m_choice(std::move(choice)),
        m_seed(seed),
        m_folder(std::move(folder)),
        m_dtypes(kernel.variant(m_choice.variant)) {}
  [[nodiscard]] Result<void> make_tensors();
  void share_memory();
  [[nodiscard]] std::vector<Scalar> scalars() const;
  [[nodiscard]] Result<std::vector<RunTensor>> write_tensors(
      const std::filesystem::path& folder) const;
  [[nodiscard]] Result<Outcome> read_back(const IsolatedRun& run) const;

  const KernelDefinition* m_kernel;
  Choice m_choice;
  std::uint64_t m_seed;
  std::filesystem::path m_folder;
  std::vector<DType> m_dtypes;
  std::vector<TensorFile> m_tensors;
  std::vector<bool> m_read_only;               ///< one per tensor: nothing may change it
  std::shared_ptr<const ProofCase> m_earlier;  ///< launched before it in its process, or null
  Oracle::Answer m_expected;
};

/// The dtypes of a variant in words: those of the tensors that have several, each once.
[[nodiscard]] std::string variant_name(const KernelDefinition& kernel, std::size_t variant);

}  // namespace tunecheck
