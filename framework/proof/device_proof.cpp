#include "proof/device_proof.hpp"

#include <algorithm>

#include "core/device_kinds.hpp"
#include "core/in_parallel.hpp"
#include "proof/suspect_reference.hpp"

namespace tunecheck {

bool ProofPlan::is_allowed(std::size_t config, const ProofCase& at) const {
  const auto allows = [&](const std::string& size) {
    const auto& of_size = allowed.at(size);
    return std::find(of_size.begin(), of_size.end(), configs[config]) != of_size.end();
  };
  const auto& earlier = at.choice().earlier;
  return allows(at.choice().size) && (earlier == nullptr || allows(earlier->size));
}

void DeviceProof::run() {
  compile();
  launch_all();
  if (!m_runners.under().empty()) find_who_is_blamed();
  for (std::size_t c = 0; c < m_plan.configs.size(); ++c)
    m_configs.push_back(proof_of(c));
}

// A GPU's artifact says how many blocks are launched, and so it is one size's own.
DeviceProof::Purpose DeviceProof::purpose_of(const ProofCase& at) const {
  return {at.choice().variant,
          m_backend.kind() == DeviceKind::cpu ? std::string() : at.choice().size};
}

void DeviceProof::compile() {
  std::vector<CompileRequest> requests;
  for (const ProofCase& at : m_plan.cases) {
    if (!m_first_artifacts.emplace(purpose_of(at), requests.size()).second) continue;
    for (const Config& config : m_plan.configs)
      requests.push_back({m_plan.kernel,
                          at.dtypes(),
                          config,
                          m_arch,
                          {},
                          m_plan.kernel->sizes.at(at.choice().size)});
  }
  m_artifacts = m_backend.compile_all(requests, m_jobs);
}

const Result<Artifact>& DeviceProof::artifact(std::size_t config, const ProofCase& at) const {
  return m_artifacts[m_first_artifacts.at(purpose_of(at)) + config];
}

// In a second launch at another size, the first one would need another artifact on a GPU.
bool DeviceProof::can_run(std::size_t config, const ProofCase& at) const {
  const auto& earlier = at.choice().earlier;
  const bool is_one_artifact = earlier == nullptr || m_backend.kind() == DeviceKind::cpu ||
                               earlier->size == at.choice().size;
  return is_one_artifact && m_plan.is_allowed(config, at) && artifact(config, at);
}

void DeviceProof::launch_all() {
  for (std::size_t c = 0; c < m_plan.configs.size(); ++c)
    for (std::size_t at = 0; at < m_plan.cases.size(); ++at)
      if (can_run(c, m_plan.cases[at])) m_launches.push_back({c, at, std::nullopt});
  in_parallel(m_launches.size(), worker_count(m_jobs), [&](std::size_t place) {
    keep(m_launches[place], launch(m_launches[place], place));
  });
}

// What is right is of no further use, but for the first case. Starting a process takes the longer
// the more memory this one has.
void DeviceProof::keep(Launch& launch, Result<ProofCase::Outcome> outcome) {
  if (outcome) {
    const std::lock_guard lock(m_mutex);
    m_errors.add(
        m_plan.cases[launch.at], *outcome,
        fmt::format("{} {}", name_of(m_backend.kind()), to_string(m_plan.configs[launch.config])));
  }
  if (outcome && outcome->trouble.empty() && launch.at != 0) outcome->contents.clear();
  launch.outcome = std::move(outcome);
}

Result<ProofCase::Outcome> DeviceProof::launch(const Launch& launch, std::size_t place) const {
  const ProofCase& at = m_plan.cases[launch.at];
  return at.launch(*artifact(launch.config, at), {}, place, m_runners);
}

// A tool says at the end of a process that something was wrong: with which of all the configs, only
// processes of their own can tell.
void DeviceProof::find_who_is_blamed() {
  const std::string complaint = m_runners.finish();
  if (complaint.empty()) return;
  for (std::size_t c = 0; c < m_plan.configs.size(); ++c) {
    for (const Launch& each : m_launches)
      if (each.config == c) (void)launch(each, 0);
    if (const std::string own = m_runners.finish(); !own.empty()) m_complaints[c] = own;
  }
  if (m_complaints.empty()) m_complaint = complaint;
}

ProofResult::ConfigProof DeviceProof::proof_of(std::size_t config) const {
  ProofResult::ConfigProof proof{
      std::string(name_of(m_backend.kind())), m_arch, m_plan.configs[config], true, true, ""};
  const auto wrong = [&](const std::string& where, const std::string& what) {
    if (proof.right) proof.text = where + ": " + what;
    proof.right = false;
  };
  for (const ProofCase& at : m_plan.cases) {
    if (!m_plan.is_allowed(config, at) || artifact(config, at)) continue;
    const std::string& variant = m_plan.variants[at.choice().variant];
    wrong(variant.empty() ? "every dtype" : variant,
          "does not compile: " + artifact(config, at).error().message);
  }
  for (const Launch& launch : m_launches) {
    if (launch.config != config) continue;
    const auto& outcome = *launch.outcome;
    if (!outcome)
      wrong(m_plan.cases[launch.at].name(), outcome.error().text());
    else if (!outcome->trouble.empty())
      wrong(m_plan.cases[launch.at].name(), outcome->trouble);
  }
  if (const auto complaint = m_complaints.find(config); complaint != m_complaints.end())
    wrong(m_runners.under().front(), complaint->second);
  return proof;
}

std::optional<std::size_t> DeviceProof::working_config() const {
  for (std::size_t c = 0; c < m_configs.size(); ++c)
    if (m_configs[c].right && m_plan.is_allowed(c, m_plan.cases.front())) return c;
  return std::nullopt;
}

// A result that both launches add to is not zeroed in between, for that is what shows; scratch is,
// without which a second launch would be none.
Result<TensorContents> DeviceProof::launch_twice(std::size_t config, const ProofCase& at) const {
  const auto& tensors = m_plan.kernel->tensors;
  const bool reset = std::none_of(tensors.begin(), tensors.end(), [&](const auto& tensor) {
    return tensor.is_result() && m_plan.kernel->resets(tensor.name);
  });
  TUNECHECK_TRY(
      ProofCase::Outcome outcome,
      at.launch(*artifact(config, at), {.count = 2, .reset = reset}, m_launches.size(), m_runners));
  return std::move(outcome.contents);
}

void DeviceProof::show(AuthorMistakes& mistakes) const {
  const ProofCase& first = m_plan.cases.front();
  for (std::size_t c = 0; c < m_plan.configs.size(); ++c)
    if (artifact(c, first)) mistakes.add_artifact(m_plan.configs[c], *artifact(c, first));
  for (const Launch& launch : m_launches)
    if (launch.at == 0 && launch.outcome->has_value())
      mistakes.add_outcome(m_plan.configs[launch.config], **launch.outcome);
}

std::string DeviceProof::suspicion() const {
  for (std::size_t at = 0; at < m_plan.cases.size(); ++at) {
    std::vector<const ProofCase::Outcome*> outcomes;
    bool all = true;
    for (const Launch& launch : m_launches) {
      if (launch.at != at) continue;
      all = all && launch.outcome->has_value();
      if (all) outcomes.push_back(&**launch.outcome);
    }
    if (!all) continue;
    if (std::string text = suspect_reference(*m_plan.kernel, m_plan.cases[at], outcomes);
        !text.empty())
      return text;
  }
  return {};
}

}  // namespace tunecheck
