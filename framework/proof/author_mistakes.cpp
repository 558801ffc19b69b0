#include "proof/author_mistakes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/device_kinds.hpp"
#include "core/text.hpp"

namespace tunecheck {
namespace {

// Places of `from..` in the launches' numbering that nobody else uses.
constexpr std::size_t own_places = 1U << 20U;

// Launches compared with the first one of each config: what is undefined shows sooner or later.
constexpr int further_launches = 2;

std::string macros_of(const SpaceDefinition& space) {
  std::string text;
  for (const auto& parameter : space.parameters)
    text += (text.empty() ? "" : ", ") + upper_case(parameter.name);
  return text;
}

bool same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace

std::vector<std::byte> without_config_text(const Artifact& artifact, const Config& config) {
  std::vector<std::byte> bytes = artifact.bytes;
  const std::string text = to_string(config);
  const auto matches = [](std::byte byte, char letter) {
    return byte == static_cast<std::byte>(letter);
  };
  for (auto at = bytes.begin();;) {
    at = std::search(at, bytes.end(), text.begin(), text.end(), matches);
    if (at == bytes.end()) return bytes;
    std::fill_n(at, text.size(), std::byte{0});
  }
}

void AuthorMistakes::add_artifact(const Config& config, const Artifact& artifact) {
  m_artifacts[config] = artifact;
}

void AuthorMistakes::add_outcome(const Config& config, const ProofCase::Outcome& outcome) {
  m_outcomes[config] = outcome;
}

void AuthorMistakes::find() {
  find_ignored_config();
  find_unchanged_tensors();
  find_accumulating_outputs();
  find_nondeterminism();
}

void AuthorMistakes::find_ignored_config() {
  if (m_artifacts.size() < 2) return;
  const auto& [first, artifact] = *m_artifacts.begin();
  const auto code = without_config_text(artifact, first);
  const bool all_same = std::all_of(m_artifacts.begin(), m_artifacts.end(), [&](const auto& each) {
    return without_config_text(each.second, each.first) == code;
  });
  if (all_same)
    m_mistakes.push_back(
        fmt::format("the {} source ignores its config: the artifacts of all {} configs are "
                    "identical; use the macros {} in it, or take parameters out of the space",
                    source(), m_artifacts.size(), macros_of(m_kernel.space)));
  else
    find_ignored_parameters();
}

void AuthorMistakes::find_ignored_parameters() {
  for (const auto& parameter : m_kernel.space.parameters) {
    // Configs that differ in this parameter alone must differ somewhere.
    std::map<Config, std::vector<std::byte>> codes;
    bool compared = false, differs = false;
    for (const auto& [config, artifact] : m_artifacts) {
      Config others = config;
      others.erase(parameter.name);
      const auto code = without_config_text(artifact, config);
      const auto [place, added] = codes.emplace(others, code);
      compared = compared || !added;
      differs = differs || (!added && place->second != code);
    }
    if (compared && !differs)
      m_notes.push_back(
          fmt::format("parameter \"{}\" changes no artifact: the {} source makes the "
                      "same of every {}",
                      parameter.name, source(), upper_case(parameter.name)));
  }
}

// An argument that is said to be overwritten and that neither the kernel nor the reference changes.
void AuthorMistakes::find_unchanged_tensors() {
  if (m_outcomes.empty()) return;
  for (std::size_t i = 0; i < m_kernel.tensors.size(); ++i) {
    const TensorParameter& tensor = m_kernel.tensors[i];
    if (tensor.access != Access::in_place || m_case.expected()[i].empty()) continue;
    const bool kernel_changes =
        std::any_of(m_outcomes.begin(), m_outcomes.end(),
                    [&](const auto& each) { return each.second.changed[i]; });
    const bool reference_changes =
        m_case.expected()[i] != to_doubles(m_case.tensors()[i].initial());
    if (kernel_changes || reference_changes) continue;
    m_mistakes.push_back(fmt::format(
        "\"{0}\" is declared in_place and no launch changes it: if it is only read, give it access "
        "read and take it out of {1}",
        tensor.name, m_kernel.restores(tensor.name) ? "restore_value" : "reset_to_zero"));
  }
}

// A kernel that adds to an output which is declared as only written: wrong on poison, right on
// zeros.
void AuthorMistakes::find_accumulating_outputs() {
  const bool any =
      std::any_of(m_kernel.tensors.begin(), m_kernel.tensors.end(),
                  [](const TensorParameter& tensor) { return tensor.access == Access::write; });
  if (!any) return;  // a config that is right the second time alone is not deterministic
  for (const auto& [config, outcome] : m_outcomes) {
    if (outcome.trouble.empty()) continue;
    const auto again =
        m_case.launch(m_artifacts.at(config), {.zero_outputs = true}, own_places, m_runners);
    if (!again || !again->trouble.empty()) continue;
    std::string names;
    for (const TensorParameter& tensor : m_kernel.tensors)
      if (tensor.access == Access::write)
        names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", tensor.name);
    m_mistakes.push_back(
        fmt::format("config {} is right only if {} holds zeros before the launch: if the kernel "
                    "adds to it, give it access in_place and name it in reset_to_zero; if not, the "
                    "kernel must write every element",
                    to_string(config), names));
    return;
  }
}

void AuthorMistakes::find_nondeterminism() {
  std::string found;
  for (const auto& [config, outcome] : m_outcomes) {
    if (outcome.contents.empty()) continue;
    for (int i = 0; i < further_launches && found.empty(); ++i) {
      const auto again = m_case.launch(m_artifacts.at(config), {}, own_places, m_runners);
      if (!again || again->contents.empty()) continue;
      if (const std::string text = difference(outcome, *again); !text.empty())
        found = fmt::format("two launches of config {} on the same arguments differ{}: {}",
                            to_string(config),
                            m_runners.backend() == DeviceKind::cpu
                                ? ""
                                : fmt::format(" on {}", name_of(m_runners.backend())),
                            text);
    }
  }
  if (found.empty()) return;
  if (nondeterministic().empty())
    m_mistakes.push_back(
        found +
        "; expected the same bits: take out what depends on time, on threads or "
        "on memory that was never written, or say why it must be in nondeterministic");
  else
    m_notes.push_back(found + " (" + nondeterministic() + ")");
}

std::string_view AuthorMistakes::source() const {
  return is_gpu(m_runners.backend()) ? "gpu" : name_of(m_runners.backend());
}

// A GPU's blocks end in any order, also where the loops of the CPU source do not.
const std::string& AuthorMistakes::nondeterministic() const {
  const bool on_gpu = is_gpu(m_runners.backend()) && !m_kernel.gpu->nondeterministic.empty();
  return on_gpu ? m_kernel.gpu->nondeterministic : m_kernel.nondeterministic;
}

std::string AuthorMistakes::difference(const ProofCase::Outcome& a,
                                       const ProofCase::Outcome& b) const {
  for (std::size_t i = 0; i < m_kernel.tensors.size(); ++i) {
    if (!m_kernel.tensors[i].is_result()) continue;
    std::size_t different = 0;
    double largest = 0;
    std::uint64_t ulp = 0;
    for (std::size_t at = 0; at < a.contents[i].size(); ++at) {
      const double x = a.contents[i][at], y = b.contents[i][at];
      if (same_bits(x, y)) continue;
      ++different;
      largest = std::max(largest, std::abs(x - y));
      ulp = std::max(ulp, ulp_distance(m_case.dtypes()[i], x, y));
    }
    if (different > 0)
      return fmt::format("{} of {} elements of \"{}\", by up to {:.3g} ({} ulp)", different,
                         a.contents[i].size(), m_kernel.tensors[i].name, largest, ulp);
  }
  return {};
}

}  // namespace tunecheck
