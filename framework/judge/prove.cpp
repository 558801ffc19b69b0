#include "judge/prove.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>

#include "backend/compile_all.hpp"
#include "backend/cpu/cpu_backend.hpp"
#include "backend/gpu/gpu_compiler.hpp"
#include "core/files.hpp"
#include "core/in_parallel.hpp"
#include "judge/author_mistakes.hpp"
#include "judge/oracle.hpp"
#include "judge/proof_case.hpp"
#include "judge/wrong_results.hpp"

namespace tunecheck {
namespace {

class Prover {
 public:
  Prover(const KernelDefinition& kernel, const ProveOptions& options, std::filesystem::path folder)
      : m_kernel(kernel), m_options(options), m_folder(std::move(folder)) {}

  Result<ProofResult> run() {
    m_result.kernel = m_kernel.name;
    m_result.size = m_options.size;
    TUNECHECK_TRY(m_arch, m_cpu.resolve_arch(m_options.arch));
    TUNECHECK_CHECK(plan());
    TUNECHECK_CHECK(make_cases());
    if (!m_result.error.empty()) return std::move(m_result);
    compile();
    TUNECHECK_CHECK(launch_all());
    if (m_options.gpu && m_kernel.gpu) compile_for_gpus();
    m_result.rejections = reject();
    find_mistakes();
    return std::move(m_result);
  }

 private:
  // One launch of a config on a case.
  struct Launch {
    std::size_t config = 0;
    std::size_t at = 0;  ///< index of the case
    std::optional<Result<ProofCase::Outcome>> outcome;
  };

  Result<void> plan() {
    m_result.sizes = {m_options.size};
    for (const auto& [name, sizes] : m_kernel.sizes)
      if (m_options.size == "smoke" && name != "smoke" && name != "full")
        m_result.sizes.push_back(name);
    for (std::size_t v = 0; v < m_kernel.variants(); ++v)
      m_result.variants.push_back(variant_name(m_kernel, v));
    for (const std::string& size : m_result.sizes) {
      TUNECHECK_TRY(const auto configs,
                    m_kernel.space.enumerate(to_variables(m_kernel.sizes.at(size))));
      describe_space(size, configs);
      for (const Config& config : configs)
        if (std::find(m_configs.begin(), m_configs.end(), config) == m_configs.end())
          m_configs.push_back(config);
      m_allowed[size] = configs;
    }
    return {};
  }

  void describe_space(const std::string& size, const std::vector<Config>& allowed) {
    if (!m_result.excluded.empty()) {
      if (allowed.size() != m_allowed.at(m_options.size).size())
        m_result.excluded += fmt::format("; {} at size {}", allowed.size(), size);
      return;
    }
    SpaceDefinition whole = m_kernel.space;
    whole.where.clear();
    const auto all = whole.enumerate({}).value_or(std::vector<Config>());
    m_result.excluded = fmt::format("{} combinations, {} excluded, {} configs", all.size(),
                                    all.size() - allowed.size(), allowed.size());
    if (all.size() == allowed.size()) return;
    m_result.excluded += fmt::format("; \"{}\" excludes ", m_kernel.space.where);
    constexpr std::size_t shown = 6;
    std::size_t count = 0;
    for (const Config& config : all)
      if (std::find(allowed.begin(), allowed.end(), config) == allowed.end() && count++ < shown)
        m_result.excluded += (count > 1 ? " and " : "") + to_string(config);
    if (count > shown) m_result.excluded += fmt::format(" and {} more", count - shown);
  }

  Result<void> make_cases() {
    Oracle oracle(m_folder / "oracle");
    const bool offers_alias =
        std::any_of(m_kernel.tensors.begin(), m_kernel.tensors.end(),
                    [](const TensorParameter& tensor) { return !tensor.may_alias.empty(); });
    std::vector<ProofCase::Choice> choices;
    for (const std::string& size : m_result.sizes)
      for (const bool alias : {false, true})
        for (std::size_t v = 0; v < m_kernel.variants(); ++v)
          if (!alias || offers_alias) choices.push_back({size, v, alias, false});
    // A fast path that forgets the strides shows at any size; the first dtypes will do.
    choices.push_back({m_options.size, 0, false, true});
    for (const ProofCase::Choice& choice : choices) {
      TUNECHECK_CHECK(make_case(choice, oracle));
      if (!m_result.error.empty()) return {};
    }
    return {};
  }

  Result<void> make_case(const ProofCase::Choice& choice, Oracle& oracle) {
    TUNECHECK_TRY(ProofCase made,
                  ProofCase::make(m_kernel, choice, m_options.seed,
                                  m_folder / fmt::format("case-{}", m_cases.size())));
    if (const auto asked = made.ask(oracle); !asked)
      m_result.error = fmt::format("{} ({})", asked.error().text(), made.name());
    m_cases.push_back(std::move(made));
    return {};
  }

  std::vector<CompileRequest> requests(const std::string& arch, std::size_t variant) const {
    std::vector<CompileRequest> requests;
    for (const Config& config : m_configs)
      requests.push_back({&m_kernel, m_kernel.variant(variant), config, arch, {}});
    return requests;
  }

  void compile() {
    std::vector<CompileRequest> all;
    for (std::size_t v = 0; v < m_kernel.variants(); ++v) {
      const auto some = requests(m_arch, v);
      all.insert(all.end(), some.begin(), some.end());
    }
    m_artifacts = compile_all(m_cpu, all, m_options.jobs);
  }

  const Result<Artifact>& artifact(std::size_t config, std::size_t variant) const {
    return m_artifacts[variant * m_configs.size() + config];
  }

  bool is_allowed(std::size_t config, const ProofCase& at) const {
    const auto& allowed = m_allowed.at(at.choice().size);
    return std::find(allowed.begin(), allowed.end(), m_configs[config]) != allowed.end();
  }

  Result<void> launch_all() {
    for (std::size_t c = 0; c < m_configs.size(); ++c)
      for (std::size_t at = 0; at < m_cases.size(); ++at)
        if (is_allowed(c, m_cases[at]) && artifact(c, m_cases[at].choice().variant))
          m_launches.push_back({c, at, std::nullopt});
    in_parallel(m_launches.size(), worker_count(m_options.jobs), [&](std::size_t place) {
      Launch& launch = m_launches[place];
      const ProofCase& at = m_cases[launch.at];
      launch.outcome = at.launch(*artifact(launch.config, at.choice().variant), {}, place);
    });
    for (std::size_t c = 0; c < m_configs.size(); ++c)
      m_result.configs.push_back(proof_of(c));
    return {};
  }

  ProofResult::ConfigProof proof_of(std::size_t config) const {
    ProofResult::ConfigProof proof{
        std::string(m_cpu.name()), m_arch, m_configs[config], true, true, ""};
    const auto wrong = [&](const std::string& where, const std::string& what) {
      if (proof.right) proof.text = where + ": " + what;
      proof.right = false;
    };
    for (std::size_t v = 0; v < m_kernel.variants(); ++v)
      if (!artifact(config, v))
        wrong(m_result.variants[v].empty() ? "every dtype" : m_result.variants[v],
              "does not compile: " + artifact(config, v).error().message);
    for (const Launch& launch : m_launches) {
      if (launch.config != config) continue;
      const auto& outcome = *launch.outcome;
      if (!outcome)
        wrong(m_cases[launch.at].name(), outcome.error().text());
      else if (!outcome->trouble.empty())
        wrong(m_cases[launch.at].name(), outcome->trouble);
    }
    return proof;
  }

  void compile_for_gpus() {
    std::map<std::string, GpuCompilerState> states;
    for (const GpuTarget& target : gpu_targets()) {
      const bool is_new = !states.contains(target.backend);
      if (is_new) states[target.backend] = examine_gpu_compiler(target.backend);
      if (const std::string& missing = states[target.backend].missing; !missing.empty()) {
        if (is_new) m_result.skipped.push_back({target.backend, missing});
        continue;
      }
      compile_for(target);
    }
  }

  // In the first dtypes every config or the two ends of the space; in the others the first one.
  void compile_for(const GpuTarget& target) {
    std::vector<CompileRequest> all = requests(target.arch, 0);
    const bool ends_only = !m_options.every_gpu_config && !target.is_main;
    if (ends_only && all.size() > 2) all = {all.front(), all.back()};
    const std::size_t first_dtypes = all.size();
    for (std::size_t v = 1; v < m_kernel.variants(); ++v)
      all.push_back(requests(target.arch, v).front());
    const auto artifacts = compile_gpu_all(target.backend, all, m_options.jobs);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::size_t variant = i < first_dtypes ? 0 : i - first_dtypes + 1;
      if (variant > 0 && artifacts[i]) continue;
      ProofResult::ConfigProof proof{target.backend,           target.arch, all[i].config,
                                     artifacts[i].has_value(), false,       ""};
      if (!artifacts[i])
        proof.text = fmt::format("{}{}does not compile: {}", m_result.variants[variant],
                                 m_result.variants[variant].empty() ? "" : ": ",
                                 artifacts[i].error().message);
      m_result.configs.push_back(std::move(proof));
    }
  }

  // The first config that is right in everything; none if there is none.
  std::optional<std::size_t> working_config() const {
    for (std::size_t c = 0; c < m_configs.size(); ++c)
      if (m_result.configs[c].right && is_allowed(c, m_cases.front())) return c;
    return std::nullopt;
  }

  std::vector<ProofResult::Rejection> reject() const {
    std::vector<ProofResult::Rejection> rejections;
    for (std::size_t v = 0; v < m_kernel.variants(); ++v) {
      const ProofCase& at = m_cases[v];  // of the first size
      const auto twice = [&]() -> Result<TensorContents> {
        const auto working = working_config();
        if (!working) return failure("no config works");
        TUNECHECK_TRY(
            const ProofCase::Outcome outcome,
            at.launch(*artifact(*working, v), {.count = 2, .reset = false}, m_launches.size() + v));
        return outcome.contents;
      };
      merge(rejections, reject_wrong_results(m_kernel, at.tensors(), at.expected(), twice),
            m_result.variants[v]);
    }
    return rejections;
  }

  // A wrong result must be rejected in every variant; the first one's words are shown.
  static void merge(std::vector<ProofResult::Rejection>& all,
                    std::vector<ProofResult::Rejection> further, const std::string& variant) {
    if (all.empty()) {
      all = std::move(further);
      return;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool is_accepted = further[i].applicable && !further[i].rejected;
      if (!is_accepted || (all[i].applicable && !all[i].rejected)) continue;
      all[i] = std::move(further[i]);
      all[i].text = variant + ": " + all[i].text;
    }
  }

  void find_mistakes() {
    AuthorMistakes mistakes(m_kernel, m_cases.front());
    for (std::size_t c = 0; c < m_configs.size(); ++c)
      if (artifact(c, 0)) mistakes.add_artifact(m_configs[c], *artifact(c, 0));
    for (const Launch& launch : m_launches)
      if (launch.at == 0 && launch.outcome->has_value())
        mistakes.add_outcome(m_configs[launch.config], **launch.outcome);
    mistakes.find();
    m_result.mistakes = mistakes.mistakes();
    m_result.notes = mistakes.notes();
  }

  const KernelDefinition& m_kernel;
  const ProveOptions& m_options;
  std::filesystem::path m_folder;
  CpuBackend m_cpu;
  std::string m_arch;
  std::vector<Config> m_configs;                         ///< of all sizes, those of the first first
  std::map<std::string, std::vector<Config>> m_allowed;  ///< by size
  std::vector<ProofCase> m_cases;                        ///< by size, then variant
  std::vector<Result<Artifact>> m_artifacts;             ///< by variant, then config
  std::vector<Launch> m_launches;
  ProofResult m_result;
};

}  // namespace

const std::vector<GpuTarget>& gpu_targets() {
  static const std::vector<GpuTarget> targets = {
      {"cuda", "sm_80", false}, {"cuda", "sm_90", true}, {"hip", "gfx90a", false}};
  return targets;
}

bool ProofResult::proved() const {
  const bool all_right = std::all_of(configs.begin(), configs.end(),
                                     [](const ConfigProof& proof) { return proof.right; });
  const bool all_rejected = std::all_of(
      rejections.begin(), rejections.end(),
      [](const Rejection& rejection) { return rejection.rejected || !rejection.applicable; });
  const bool any_rejected =
      std::any_of(rejections.begin(), rejections.end(),
                  [](const Rejection& rejection) { return rejection.rejected; });
  return error.empty() && mistakes.empty() && !configs.empty() && all_right && all_rejected &&
         any_rejected;
}

Result<ProofResult> prove_kernel(const KernelDefinition& kernel, const ProveOptions& options) {
  TUNECHECK_TRY(const TemporaryFolder folder, TemporaryFolder::create("tunecheck-prove"));
  return Prover(kernel, options, folder.path()).run();
}

Result<void> prove_kernels(std::span<const KernelDefinition* const> kernels,
                           const ProveOptions& options,
                           const std::function<void(const ProofResult&)>& ready) {
  const std::size_t workers = worker_count(options.jobs);
  const std::size_t at_once = std::max<std::size_t>(1, std::min(workers, kernels.size()));
  ProveOptions each = options;
  each.jobs = static_cast<int>(std::max<std::size_t>(1, workers / at_once));
  std::vector<std::optional<Result<ProofResult>>> results(kernels.size());
  std::mutex mutex;
  std::size_t handed_on = 0;
  bool stopped = false;
  in_parallel(kernels.size(), at_once, [&](std::size_t at) {
    {
      const std::lock_guard lock(mutex);
      if (stopped) return;
    }
    auto result = prove_kernel(*kernels[at], each);
    const std::lock_guard lock(mutex);
    results[at] = std::move(result);
    for (; !stopped && handed_on < results.size() && results[handed_on]; ++handed_on) {
      stopped = !results[handed_on]->has_value();
      if (!stopped) ready(**results[handed_on]);
    }
  });
  if (stopped) return failure(results[handed_on - 1]->error());
  return {};
}

}  // namespace tunecheck
