#include "proof/prove.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>

#include "backend/kernel_sources.hpp"
#include "core/files.hpp"
#include "core/in_parallel.hpp"
#include "harness/kernel/oracle.hpp"
#include "proof/conditioning.hpp"
#include "proof/device_proof.hpp"
#include "proof/further_choices.hpp"
#include "proof/proof_machine.hpp"
#include "proof/wrong_results.hpp"

namespace tunecheck {
namespace {

// The proof of one kernel. run() is called once: it plans, computes the expected results of every
// case, runs every config on every device, compiles for GPUs that are not here, and then shows that
// wrong results are rejected. The plan is not changed once the first device begins, because all
// devices refer to it. A reference that does not work ends the proof, with `error` in the result;
// an error that is returned is the judge's own, such as a full disk. All files lie in a temporary
// folder of the caller's, so that nothing is left however the proof ends.
class Prover {
 public:
  Prover(const KernelDefinition& kernel, const ProveOptions& options, const ProofMachine& machine,
         std::filesystem::path folder)
      : m_kernel(kernel), m_options(options), m_machine(machine), m_folder(std::move(folder)) {}

  Result<ProofResult> run() {
    m_result.kernel = m_kernel.name;
    m_result.size = m_options.first_size();
    TUNECHECK_CHECK(plan());
    if (const auto readable = check_sources(m_kernel); !readable) {
      m_result.error = readable.error().text();
      return std::move(m_result);
    }
    TUNECHECK_CHECK(make_cases());
    if (!m_result.error.empty()) return std::move(m_result);
    for (const ProofMachine::Device* const device : m_machine.devices_for(m_kernel))
      run_on(*device);
    if (m_proofs.empty()) m_result.nothing_ran = m_machine.why_none_for(m_kernel);
    if (m_kernel.gpu) compile_for_gpus();
    m_result.rejections = reject();
    m_result.largest_errors = largest_errors();
    // What it looks for is the same without a tool.
    if (m_options.under.empty()) find_mistakes();
    return std::move(m_result);
  }

 private:
  Result<void> plan() {
    m_result.sizes = {m_result.size};
    for (const auto& [name, sizes] : m_kernel.sizes)
      if (m_options.size.empty() && name != m_result.size && name != "full")
        m_result.sizes.push_back(name);
    for (std::size_t v = 0; v < m_kernel.variants(); ++v)
      m_result.variants.push_back(variant_name(m_kernel, v));
    m_plan.kernel = &m_kernel;
    m_plan.variants = m_result.variants;
    for (const std::string& size : m_result.sizes) {
      TUNECHECK_TRY(const auto configs,
                    m_kernel.space.enumerate(to_variables(m_kernel.sizes.at(size))));
      describe_space(size, configs);
      for (const Config& config : configs)
        if (std::find(m_plan.configs.begin(), m_plan.configs.end(), config) == m_plan.configs.end())
          m_plan.configs.push_back(config);
      m_plan.allowed[size] = configs;
    }
    return {};
  }

  void describe_space(const std::string& size, const std::vector<Config>& allowed) {
    if (!m_result.excluded.empty()) {
      if (allowed.size() != m_plan.allowed.at(m_result.size).size())
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
    std::vector<ProofChoice> choices;
    for (const std::string& size : m_result.sizes)
      for (const bool alias : {false, true})
        for (std::size_t v = 0; v < m_kernel.variants(); ++v)
          if (!alias || offers_alias) choices.push_back({size, v, alias});
    // In the cases above no tensor is aligned, so that code that moves vectors does not run.
    const std::size_t unaligned = choices.size();
    for (std::size_t i = 0; i < unaligned; ++i)
      choices.emplace_back(choices[i]).aligned = true;
    // A fast path may look at one tensor alone.
    for (std::size_t i = 0; i < m_kernel.tensors.size() && m_kernel.tensors.size() > 1; ++i)
      choices.push_back({.size = m_result.size, .aligned = true, .unaligned = i});
    // A fast path that forgets the strides shows at any size.
    for (const bool alias : {false, true})
      for (std::size_t v = 0; v < m_kernel.variants(); ++v)
        if (!alias || offers_alias)
          choices.push_back({.size = m_result.size,
                             .variant = v,
                             .alias = alias,
                             .layouts = ProofChoice::Layouts::strided});
    TUNECHECK_CHECK(make_cases(choices, oracle));
    // A large one would cost minutes, and shows nothing that a small one does not.
    if (!m_result.error.empty() || m_result.size == "full") return {};
    return make_further_cases(oracle);
  }

  Result<void> make_further_cases(Oracle& oracle) {
    const ProofCase& plain = m_plan.cases.front();
    OtherScalars scalars = other_scalars(m_kernel, plain, oracle);
    m_result.notes = std::move(scalars.notes);
    TUNECHECK_TRY(ToBroadcast broadcast,
                  tensors_to_broadcast(m_kernel, plain, m_options.seed, m_folder, oracle));
    if (!broadcast.note.empty()) m_result.notes.push_back(std::move(broadcast.note));
    const auto choices =
        further_choices(m_kernel, plain, m_result.sizes, scalars, broadcast.tensors);
    for (const ProofChoice& choice : choices)
      if (!choice.aligned)  // each is asked with aligned tensors, too
        m_result.also_asked.push_back(words_of(choice, m_kernel, m_options.seed));
    return make_cases(choices, oracle);
  }

  Result<void> make_cases(const std::vector<ProofChoice>& choices, Oracle& oracle) {
    for (const ProofChoice& choice : choices) {
      TUNECHECK_CHECK(make_case(choice, oracle));
      if (!m_result.error.empty()) return {};
    }
    return {};
  }

  Result<void> make_case(const ProofChoice& choice, Oracle& oracle) {
    TUNECHECK_TRY(ProofCase made,
                  ProofCase::make(m_kernel, choice, m_options.seed,
                                  m_folder / fmt::format("case-{}", m_plan.cases.size())));
    if (const auto asked = made.ask(oracle); !asked)
      m_result.error = fmt::format("{} ({})", asked.error().text(), made.name());
    m_plan.cases.push_back(std::move(made));
    return {};
  }

  std::vector<CompileRequest> requests(const std::string& arch, std::size_t variant) const {
    std::vector<CompileRequest> requests;
    for (const Config& config : m_plan.configs)
      requests.push_back({&m_kernel, m_kernel.variant(variant), config, arch, {}});
    return requests;
  }

  void run_on(const ProofMachine::Device& device) {
    Runners* runners = device.runners.get();
    if (!m_options.under.empty())  // a tool speaks when a process ends, so it ends with the kernel
      runners =
          m_runners.emplace_back(std::make_unique<Runners>(device.backend->kind(), m_options.under))
              .get();
    DeviceProof& proof = *m_proofs.emplace_back(std::make_unique<DeviceProof>(
        m_plan, *device.backend, device.arch, *runners, m_options.jobs));
    proof.run();
    m_result.configs.insert(m_result.configs.end(), proof.configs().begin(), proof.configs().end());
    if (!proof.complaint().empty())
      m_result.mistakes.push_back(m_options.under.front() + ": " + proof.complaint());
  }

  void compile_for_gpus() {
    for (const auto& [backend, compiler] : m_machine.gpu_compilers()) {
      if (!compiler.missing.empty()) {
        m_result.skipped.push_back({std::string(name_of(backend)), compiler.missing});
        continue;
      }
      for (const GpuTarget& target : gpu_targets())
        if (target.backend == backend && !m_machine.has(target)) compile_for(target);
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
      ProofResult::ConfigProof proof{std::string(name_of(target.backend)),
                                     target.arch,
                                     all[i].config,
                                     artifacts[i].has_value(),
                                     false,
                                     ""};
      if (!artifacts[i])
        proof.text = fmt::format("{}{}does not compile: {}", m_result.variants[variant],
                                 m_result.variants[variant].empty() ? "" : ": ",
                                 artifacts[i].error().message);
      m_result.configs.push_back(std::move(proof));
    }
  }

  // Of the first device on which one config is right in everything.
  [[nodiscard]] Result<TensorContents> launch_twice(const ProofCase& at) const {
    for (const auto& proof : m_proofs)
      if (const auto config = proof->working_config()) return proof->launch_twice(*config, at);
    if (m_proofs.empty()) return failure(ErrorKind::unsupported, "nothing was run");
    return failure("no config works");
  }

  std::vector<ProofResult::Rejection> reject() const {
    std::vector<ProofResult::Rejection> rejections;
    for (std::size_t v = 0; v < m_kernel.variants(); ++v) {
      const ProofCase& at = m_plan.cases[v];  // of the first size
      merge(rejections,
            reject_wrong_results(m_kernel, at.tensors(), at.expected(),
                                 [&] { return launch_twice(at); }),
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

  [[nodiscard]] std::vector<ProofResult::LargestError> largest_errors() const {
    LargestErrors errors(m_kernel);
    for (const auto& proof : m_proofs)
      errors.add(proof->errors());
    return errors.all();
  }

  void find_mistakes() {
    const auto add = [](std::vector<std::string>& all, const std::vector<std::string>& further) {
      for (const std::string& text : further)
        if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(text);
    };
    for (const auto& proof : m_proofs) {
      AuthorMistakes mistakes(m_kernel, m_plan.cases.front(), proof->runners());
      proof->show(mistakes);
      mistakes.find();
      add(m_result.mistakes, mistakes.mistakes());
      if (const std::string text = proof->suspicion(); !text.empty())
        add(m_result.mistakes, {text});
      add(m_result.notes, mistakes.notes());
    }
    if (const std::string text = configs_of_full_alone(); !text.empty())
      add(m_result.mistakes, {text});
  }

  // True where it ran at a size at which there is something to get wrong: no tensor is empty, and
  // one has more than an element.
  [[nodiscard]] bool has_shown(const Config& config) const {
    return std::any_of(m_result.sizes.begin(), m_result.sizes.end(), [&](const std::string& size) {
      const std::vector<Config>& allowed = m_plan.allowed.at(size);
      if (std::find(allowed.begin(), allowed.end(), config) == allowed.end()) return false;
      std::int64_t most = 0;
      for (const TensorParameter& tensor : m_kernel.tensors) {
        const auto shape = m_kernel.shape_of(tensor, m_kernel.sizes.at(size));
        const std::int64_t count = shape ? Layout::contiguous(*shape).count() : 0;
        if (count == 0) return false;
        most = std::max(most, count);
      }
      return most > 1;
    });
  }

  // "" where each config that may win at full was run at another size, or none was to be.
  [[nodiscard]] std::string configs_of_full_alone() const {
    const auto full = m_kernel.sizes.find("full");
    if (full == m_kernel.sizes.end() || !m_options.size.empty()) return {};
    const auto configs = m_kernel.space.enumerate(to_variables(full->second));
    if (!configs) return {};
    std::size_t count = 0;
    const Config* first = nullptr;
    for (const Config& config : *configs)
      if (!has_shown(config) && count++ == 0) first = &config;
    if (count == 0) return {};
    return fmt::format(
        "size full allows {} configs, and {} of them were run with one element at most, because no "
        "other size allows {} ({}{}): add a small size that does",
        configs->size(), count, count > 1 ? "them" : "it", to_string(*first),
        count > 1 ? " and others" : "");
  }

  const KernelDefinition& m_kernel;
  const ProveOptions& m_options;
  const ProofMachine& m_machine;
  std::filesystem::path m_folder;
  ProofPlan m_plan;
  std::vector<std::unique_ptr<Runners>> m_runners;  // the kernel's own, one a device
  std::vector<std::unique_ptr<DeviceProof>> m_proofs;
  ProofResult m_result;
};

Result<ProofResult> prove_on(const ProofMachine& machine, const KernelDefinition& kernel,
                             const ProveOptions& options) {
  TUNECHECK_TRY(const TemporaryFolder folder, TemporaryFolder::create("tunecheck-prove"));
  return Prover(kernel, options, machine, folder.path()).run();
}

}  // namespace

const std::vector<GpuTarget>& gpu_targets() {
  static const std::vector<GpuTarget> targets = {{DeviceKind::cuda, "sm_80", false},
                                                 {DeviceKind::cuda, "sm_90", true},
                                                 {DeviceKind::hip, "gfx90a", false}};
  return targets;
}

Result<ProofResult> prove_kernel(const KernelDefinition& kernel, const ProveOptions& options) {
  TUNECHECK_TRY(const auto machine, ProofMachine::examine(options));
  return prove_on(*machine, kernel, options);
}

Result<void> prove_kernels(std::span<const KernelDefinition* const> kernels,
                           const ProveOptions& options,
                           const std::function<void(const ProofResult&)>& ready) {
  TUNECHECK_TRY(const auto machine, ProofMachine::examine(options));
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
    auto result = prove_on(*machine, *kernels[at], each);
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
