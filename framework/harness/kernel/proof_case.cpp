#include "harness/kernel/proof_case.hpp"

#include <algorithm>

#include "core/files.hpp"
#include "harness/kernel/proof_fills.hpp"
#include "harness/kernel/question.hpp"

namespace tunecheck {

namespace {

// A tool that watches every access makes a launch last thousands of times as long.
constexpr auto time_limit_under_a_tool = std::chrono::minutes(10);

}  // namespace

std::string variant_name(const KernelDefinition& kernel, std::size_t variant) {
  const std::vector<DType> dtypes = kernel.variant(variant);
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < dtypes.size(); ++i) {
    if (kernel.tensors[i].dtypes.size() < 2) continue;
    const std::string_view name = name_of(dtypes[i]);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  std::string text;
  for (const std::string_view name : names)
    text += (text.empty() ? "" : "/") + std::string(name);
  return text;
}

Result<ProofCase> ProofCase::make(const KernelDefinition& kernel, Choice choice, std::uint64_t seed,
                                  std::filesystem::path folder) {
  ProofCase made(kernel, std::move(choice), seed, std::move(folder));
  TUNECHECK_CHECK(create_folders(made.m_folder));
  TUNECHECK_CHECK(made.make_tensors());
  if (made.m_choice.alias) made.share_memory();
  if (made.m_choice.earlier != nullptr) {
    TUNECHECK_TRY(ProofCase earlier,
                  make(kernel, *made.m_choice.earlier, seed, made.m_folder / "earlier"));
    made.m_earlier = std::make_shared<const ProofCase>(std::move(earlier));
  }
  return made;
}

Result<void> ProofCase::make_tensors() {
  const Sizes& sizes = m_kernel->sizes.at(m_choice.size);
  TUNECHECK_TRY(const std::vector<Fill> fills, fills_for(m_choice, *m_kernel));
  for (std::size_t i = 0; i < m_kernel->tensors.size(); ++i) {
    const TensorParameter& tensor = m_kernel->tensors[i];
    const DType dtype = m_dtypes[i];
    TUNECHECK_TRY(const auto shape, m_kernel->shape_of(tensor, sizes));
    Layout layout = layout_for(m_choice.layouts, m_choice.aligned, shape, i);
    const auto& broadcast = m_choice.broadcast;
    if (std::find(broadcast.begin(), broadcast.end(), i) != broadcast.end()) layout.strides[0] = 0;
    const bool is_aligned = m_choice.aligned && m_choice.unaligned != i;
    const auto past_boundary = is_aligned ? 0 : static_cast<std::int64_t>(size_of(dtype));
    m_tensors.emplace_back(m_folder / (tensor.name + ".bin"), dtype, layout, past_boundary,
                           fills[i], m_seed + m_choice.seed_step, tensor.name);
    m_read_only.push_back(tensor.access == Access::read);
  }
  return {};
}

void ProofCase::share_memory() {
  for (std::size_t i = 0; i < m_tensors.size(); ++i) {
    const TensorParameter* const other = m_kernel->tensor(m_kernel->tensors[i].may_alias);
    if (other == nullptr) continue;
    const auto index = static_cast<std::size_t>(other - m_kernel->tensors.data());
    m_tensors[i] = TensorFile(m_tensors[index]);
    m_read_only[index] = m_read_only[i] = m_read_only[index] && m_read_only[i];
  }
}

Result<void> ProofCase::ask(Oracle& oracle) {
  TUNECHECK_TRY(m_expected,
                oracle.ask(make_question(*m_kernel, m_tensors, true, m_choice.scalars)));
  return {};
}

std::string ProofCase::name() const {
  const std::string dtypes = variant_name(*m_kernel, m_choice.variant);
  std::string text = dtypes + (dtypes.empty() ? "" : ", ") + "size " + m_choice.size;
  const std::string words = words_of(m_choice, *m_kernel, m_seed);
  return text + (words.empty() ? "" : ", ") + words;
}

std::vector<Scalar> ProofCase::scalars() const {
  std::vector<Scalar> scalars;
  for (const ScalarParameter& scalar : m_kernel->scalars) {
    const auto chosen = m_choice.scalars.find(scalar.name);
    scalars.push_back(
        {scalar.dtype, chosen == m_choice.scalars.end() ? scalar.value : chosen->second});
  }
  return scalars;
}

Result<std::vector<RunTensor>> ProofCase::write_tensors(const std::filesystem::path& folder) const {
  TUNECHECK_CHECK(create_folders(folder));
  std::vector<RunTensor> written;
  for (std::size_t i = 0; i < m_tensors.size(); ++i) {
    const std::filesystem::path file = folder / m_tensors[i].path().filename();
    TUNECHECK_CHECK(m_tensors[i].write_copy(file));
    written.push_back(
        {file, m_tensors[i].byte_offset(), m_dtypes[i], m_tensors[i].initial().layout});
  }
  return written;
}

Result<IsolatedRun> ProofCase::prepare(const Artifact& artifact, const Launches& launches,
                                       std::size_t place) const {
  const std::filesystem::path folder = m_folder / std::to_string(place);
  IsolatedRun run;
  TUNECHECK_TRY(run.tensors, write_tensors(folder));
  run.module = folder / "module";
  run.launches = launches.count;
  TUNECHECK_CHECK(write_file(run.module, artifact.bytes));
  run.scalars = scalars();
  if (m_earlier != nullptr) {
    TUNECHECK_TRY(run.earlier.tensors, m_earlier->write_tensors(folder / "earlier"));
    run.earlier.scalars = m_earlier->scalars();
  }
  for (std::size_t i = 0; i < m_tensors.size(); ++i) {
    const TensorParameter& tensor = m_kernel->tensors[i];
    if ((launches.reset && m_kernel->resets(tensor.name)) ||
        (launches.zero_outputs && tensor.access == Access::write))
      run.zeroed.push_back(i);
  }
  return run;
}

Result<ProofCase::Outcome> ProofCase::launch(const Artifact& artifact, const Launches& launches,
                                             std::size_t place, Runners& runners) const {
  TUNECHECK_TRY(IsolatedRun run, prepare(artifact, launches, place));
  if (!runners.under().empty()) {
    run.tight = true;
    run.time_limit = time_limit_under_a_tool;
  }
  const std::filesystem::path folder = run.module.parent_path();
  const auto result = runners.run(run, folder);
  auto outcome = result && result->status == 0 ? read_back(run) : Result<Outcome>(Outcome());
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  if (!result) return failure(result.error());
  if (result->status != 0) return failure("returned {}", result->status_text);
  return outcome;
}

Result<ProofCase::Outcome> ProofCase::read_back(const IsolatedRun& run) const {
  Outcome outcome;
  for (std::size_t i = 0; i < m_tensors.size(); ++i) {
    const TensorParameter& tensor = m_kernel->tensors[i];
    TUNECHECK_TRY(const TensorFile::After after, m_tensors[i].read_back(run.tensors[i].file));
    outcome.contents.push_back(to_doubles(after.elements));
    outcome.changed.push_back(!after.unchanged);
    std::string trouble;
    if (!after.canary_damage.empty()) {
      trouble = fmt::format("writes outside \"{}\": {}", tensor.name, after.canary_damage);
    } else if (m_read_only[i] && !after.unchanged) {
      trouble = fmt::format("writes \"{}\", which it may only read: {}", tensor.name,
                            after.first_difference);
    } else if (tensor.is_result()) {
      outcome.compared.push_back(
          compare(after.elements, expected()[i], m_kernel->tolerance.of(m_dtypes[i])));
      if (!outcome.compared.back().equal())
        trouble = fmt::format("\"{}\": {}", tensor.name, outcome.compared.back().text());
    }
    if (outcome.trouble.empty()) outcome.trouble = trouble;
  }
  return outcome;
}

}  // namespace tunecheck
