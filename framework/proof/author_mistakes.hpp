#pragma once
// Mistakes of a kernel's author that no single result shows: found by looking at all configs.
#include <map>
#include <string>
#include <vector>

#include "harness/kernel/proof_case.hpp"

namespace tunecheck {

/// Collects artifacts and outcomes of one case and says what they have in common that they should
/// not. Launches configs again where it must. One thread at a time.
class AuthorMistakes {
 public:
  /// All outlive this object.
  AuthorMistakes(const KernelDefinition& kernel, const ProofCase& at, Runners& runners)
      : m_kernel(kernel), m_case(at), m_runners(runners) {}

  void add_artifact(const Config& config, const Artifact& artifact);
  void add_outcome(const Config& config, const ProofCase::Outcome& outcome);

  /// Call it once, after the last add.
  void find();

  /// What must be mended, each with how.
  [[nodiscard]] const std::vector<std::string>& mistakes() const { return m_mistakes; }
  /// What is allowed and perhaps not meant.
  [[nodiscard]] const std::vector<std::string>& notes() const { return m_notes; }

 private:
  void find_ignored_config();
  void find_ignored_parameters();
  void find_unchanged_tensors();
  void find_accumulating_outputs();
  void find_nondeterminism();
  /// "cpu" or "gpu", as the kernel file calls the source.
  [[nodiscard]] std::string_view source() const;
  [[nodiscard]] const std::string& nondeterministic() const;
  [[nodiscard]] std::string difference(const ProofCase::Outcome& a,
                                       const ProofCase::Outcome& b) const;

  const KernelDefinition& m_kernel;
  const ProofCase& m_case;
  Runners& m_runners;
  std::map<Config, Artifact> m_artifacts;
  std::map<Config, ProofCase::Outcome> m_outcomes;
  std::vector<std::string> m_mistakes, m_notes;
};

/// The artifact's bytes with the text of its config blanked: equal where two configs compile to the
/// same code.
[[nodiscard]] std::vector<std::byte> without_config_text(const Artifact& artifact,
                                                         const Config& config);

}  // namespace tunecheck
