#include "judge/prove.hpp"

#include <algorithm>

#include "backend/compile_all.hpp"
#include "backend/cpu/cpu_backend.hpp"
#include "core/files.hpp"
#include "judge/isolated_run.hpp"
#include "judge/oracle.hpp"
#include "judge/tensor_file.hpp"
#include "judge/wrong_results.hpp"

namespace tunecheck {
namespace {

class Prover {
 public:
  Prover(const KernelDefinition& kernel, const ProveOptions& options, std::filesystem::path folder)
      : m_kernel(kernel),
        m_options(options),
        m_folder(std::move(folder)),
        m_sizes(kernel.sizes.at(options.size)) {}

  Result<ProofResult> run() {
    m_result.kernel = m_kernel.name;
    m_result.size = m_options.size;
    TUNECHECK_TRY(m_result.arch, m_backend.resolve_arch(m_options.arch));
    TUNECHECK_TRY(m_configs, m_kernel.space.enumerate(to_variables(m_sizes)));
    describe_space();
    TUNECHECK_CHECK(make_tensors());
    if (const auto expected = ask_reference(); !expected) {
      m_result.error = expected.error().text();
      return std::move(m_result);
    }
    prove_configs();
    m_result.rejections =
        reject_wrong_results(m_kernel, m_tensors, m_expected, [&] { return twice_applied(); });
    return std::move(m_result);
  }

 private:
  void describe_space() {
    std::size_t combinations = 1;
    for (const auto& parameter : m_kernel.space.parameters)
      combinations *= parameter.values.size();
    m_result.excluded = fmt::format("{} combinations, {} excluded, {} configs", combinations,
                                    combinations - m_configs.size(), m_configs.size());
  }

  Result<void> make_tensors() {
    for (const TensorParameter& tensor : m_kernel.tensors) {
      TUNECHECK_TRY(const auto shape, m_kernel.shape_of(tensor, m_sizes));
      // An element before the tensor's own boundary, so that nothing is aligned by luck.
      m_tensors.emplace_back(m_folder / (tensor.name + ".bin"), tensor.dtypes.front(),
                             Layout::contiguous(shape),
                             static_cast<std::int64_t>(size_of(tensor.dtypes.front())), tensor.fill,
                             m_options.seed, tensor.name);
    }
    return {};
  }

  Result<void> ask_reference() {
    Oracle oracle(m_folder / "oracle");
    Oracle::Question question;
    question.kernel = &m_kernel;
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
      const TensorView initial = m_tensors[i].initial();
      question.shapes.emplace_back(initial.layout.dimensions().begin(),
                                   initial.layout.dimensions().end());
      question.contents.push_back(to_doubles(initial));
      if (m_kernel.resets(m_kernel.tensors[i].name))
        std::fill(question.contents.back().begin(), question.contents.back().end(), 0.0);
    }
    for (const ScalarParameter& scalar : m_kernel.scalars) {
      std::byte rounded[8];
      store_element(scalar.dtype, rounded, scalar.value);
      question.scalars.push_back(load_element(scalar.dtype, rounded));
    }
    TUNECHECK_TRY(m_expected, oracle.ask(question));
    return {};
  }

  // Launches `artifact` on fresh tensors; the error says how the process or the kernel failed.
  Result<void> launch(const Artifact& artifact, int launches, bool reset) const {
    IsolatedRun run;
    run.module = m_folder / "module.so";
    run.launches = launches;
    TUNECHECK_CHECK(write_file(run.module, artifact.bytes));
    for (const ScalarParameter& scalar : m_kernel.scalars)
      run.scalars.push_back({scalar.dtype, scalar.value});
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
      TUNECHECK_CHECK(m_tensors[i].write());
      const TensorView initial = m_tensors[i].initial();
      run.tensors.push_back(
          {m_tensors[i].path(), m_tensors[i].byte_offset(), initial.dtype, initial.layout});
      if (reset && m_kernel.resets(m_kernel.tensors[i].name)) run.zeroed.push_back(i);
    }
    TUNECHECK_TRY(const IsolatedResult result, run_isolated(run, m_folder));
    if (result.status != 0) return failure("returned status {}", result.status);
    return {};
  }

  // "" where every tensor is as it should be.
  Result<std::string> compare_all() const {
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
      const TensorParameter& tensor = m_kernel.tensors[i];
      TUNECHECK_TRY(const TensorFile::After after, m_tensors[i].read_back());
      if (!after.canary_damage.empty())
        return fmt::format("writes outside \"{}\": {}", tensor.name, after.canary_damage);
      if (tensor.access == Access::read && !after.unchanged)
        return fmt::format("writes \"{}\", which it may only read: {}", tensor.name,
                           after.first_difference);
      if (tensor.access == Access::read) continue;
      const Comparison comparison = compare(after.elements, m_expected[i], m_kernel.tolerance);
      if (!comparison.equal()) return fmt::format("\"{}\": {}", tensor.name, comparison.text());
    }
    return std::string();
  }

  void prove_configs() {
    std::vector<CompileRequest> requests;
    for (const Config& config : m_configs) {
      CompileRequest& request = requests.emplace_back();
      request.kernel = &m_kernel;
      for (const TensorParameter& tensor : m_kernel.tensors)
        request.dtypes.push_back(tensor.dtypes.front());
      request.config = config;
      request.arch = m_result.arch;
    }
    const auto artifacts = compile_all(m_backend, requests, m_options.jobs);
    for (std::size_t c = 0; c < m_configs.size(); ++c) {
      ProofResult::ConfigProof proof{std::string(m_backend.name()), m_configs[c], false, ""};
      if (!artifacts[c]) {
        proof.text = "does not compile: " + artifacts[c].error().message;
      } else if (const auto launched = launch(*artifacts[c], 1, true); !launched) {
        proof.text = launched.error().message;
      } else {
        const auto compared = compare_all();
        proof.text = compared ? *compared : compared.error().text();
        if (proof.text.empty() && m_working.bytes.empty()) m_working = *artifacts[c];
      }
      proof.right = proof.text.empty();
      m_result.configs.push_back(std::move(proof));
    }
  }

  // The written tensors after two launches without restore or reset in between.
  Result<TensorContents> twice_applied() const {
    if (m_working.bytes.empty()) return failure("no config works");
    TUNECHECK_CHECK(launch(m_working, 2, false));
    TensorContents contents;
    for (const TensorFile& tensor : m_tensors) {
      TUNECHECK_TRY(const TensorFile::After after, tensor.read_back());
      contents.push_back(to_doubles(after.elements));
    }
    return contents;
  }

  const KernelDefinition& m_kernel;
  const ProveOptions& m_options;
  std::filesystem::path m_folder;
  Sizes m_sizes;
  CpuBackend m_backend;
  std::vector<Config> m_configs;
  std::vector<TensorFile> m_tensors;
  TensorContents m_expected;
  Artifact m_working;  ///< of the first config that is right
  ProofResult m_result;
};

}  // namespace

bool ProofResult::proved() const {
  const bool all_right = std::all_of(configs.begin(), configs.end(),
                                     [](const ConfigProof& proof) { return proof.right; });
  const bool all_rejected = std::all_of(
      rejections.begin(), rejections.end(),
      [](const Rejection& rejection) { return rejection.rejected || !rejection.applicable; });
  const bool any_rejected =
      std::any_of(rejections.begin(), rejections.end(),
                  [](const Rejection& rejection) { return rejection.rejected; });
  return error.empty() && !configs.empty() && all_right && all_rejected && any_rejected;
}

Result<ProofResult> prove_kernel(const KernelDefinition& kernel, const ProveOptions& options) {
  TUNECHECK_TRY(const TemporaryFolder folder, TemporaryFolder::create("tunecheck-prove"));
  return Prover(kernel, options, folder.path()).run();
}

}  // namespace tunecheck
