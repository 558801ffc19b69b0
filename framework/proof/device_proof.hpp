#pragma once
// All configs of a kernel on one device: compiled, run on every case, compared with the reference.
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "harness/kernel/proof_case.hpp"
#include "proof/author_mistakes.hpp"
#include "proof/largest_errors.hpp"
#include "result/proof_result.hpp"

namespace tunecheck {

/// What is shown of a kernel, whatever the device.
struct ProofPlan {
  const KernelDefinition* kernel = nullptr;
  std::vector<std::string> variants;                   ///< of dtypes, in words
  std::vector<Config> configs;                         ///< of all sizes, those of the first first
  std::map<std::string, std::vector<Config>> allowed;  ///< by size
  std::vector<ProofCase> cases;  ///< the first ones are all variants at the first size

  /// At the size of the case, and at that of its earlier launch where it has one.
  [[nodiscard]] bool is_allowed(std::size_t config, const ProofCase& at) const;
};

/// One thread at a time; uses as many as it has jobs.
class DeviceProof {
 public:
  /// All but `arch` outlive this object.
  DeviceProof(const ProofPlan& plan, const Backend& backend, std::string arch, Runners& runners,
              int jobs)
      : m_plan(plan),
        m_backend(backend),
        m_arch(std::move(arch)),
        m_runners(runners),
        m_jobs(jobs),
        m_errors(*plan.kernel) {}

  /// Compiles and launches. Call it once, before all others.
  void run();

  /// One a config, in the plan's order.
  [[nodiscard]] const std::vector<ProofResult::ConfigProof>& configs() const { return m_configs; }
  /// What a tool complained of that no config alone is to blame for, "" if nothing.
  [[nodiscard]] const std::string& complaint() const { return m_complaint; }
  /// The first config that is right in everything; none if there is none.
  [[nodiscard]] std::optional<std::size_t> working_config() const;
  /// What two launches of a config leave in a case.
  [[nodiscard]] Result<TensorContents> launch_twice(std::size_t config, const ProofCase& at) const;
  /// Shows all that was made of the first case.
  void show(AuthorMistakes& mistakes) const;
  /// Of every outcome.
  [[nodiscard]] const LargestErrors& errors() const { return m_errors; }
  /// The first case on which all configs agree against the reference, in words; "" for none.
  [[nodiscard]] std::string suspicion() const;
  [[nodiscard]] Runners& runners() const { return m_runners; }

 private:
  // One launch of a config on a case.
  struct Launch {
    std::size_t config = 0;
    std::size_t at = 0;  ///< index of the case
    std::optional<Result<ProofCase::Outcome>> outcome;
  };
  // What an artifact is for beside its config.
  using Purpose = std::pair<std::size_t, std::string>;

  void compile();
  [[nodiscard]] bool can_run(std::size_t config, const ProofCase& at) const;
  void launch_all();
  void keep(Launch& launch, Result<ProofCase::Outcome> outcome);
  void find_who_is_blamed();
  [[nodiscard]] Result<ProofCase::Outcome> launch(const Launch& launch, std::size_t place) const;
  [[nodiscard]] ProofResult::ConfigProof proof_of(std::size_t config) const;
  [[nodiscard]] Purpose purpose_of(const ProofCase& at) const;
  [[nodiscard]] const Result<Artifact>& artifact(std::size_t config, const ProofCase& at) const;

  const ProofPlan& m_plan;
  const Backend& m_backend;
  const std::string m_arch;
  Runners& m_runners;
  const int m_jobs;
  std::vector<Result<Artifact>> m_artifacts;
  std::map<Purpose, std::size_t> m_first_artifacts;  ///< where those of all configs begin
  std::vector<Launch> m_launches;
  std::mutex m_mutex;  ///< for m_errors, while launches go on
  LargestErrors m_errors;
  std::map<std::size_t, std::string> m_complaints;  ///< a tool's, by config
  std::string m_complaint;
  std::vector<ProofResult::ConfigProof> m_configs;
};

}  // namespace tunecheck
