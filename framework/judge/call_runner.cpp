#include "judge/call_runner.hpp"

#include <algorithm>

#include "core/stopwatch.hpp"
#include "judge/own_measurement.hpp"

namespace tunecheck {
namespace {

bool wants(const CallStep& step, std::string_view check) {
  return std::any_of(step.expectations.begin(), step.expectations.end(),
                     [&](const Expectation& each) { return each.check == check; });
}

std::string digest_of_zeros(const TensorView& like) {
  std::vector<std::byte> zeros(static_cast<std::size_t>(like.layout.count()) * size_of(like.dtype));
  return digest_elements({zeros.data(), like.dtype, Layout::contiguous(like.layout.dimensions())});
}

}  // namespace

CallRecord CallRunner::run(const CallStep& step, AdapterProcess& adapter) {
  CallRecord record;
  record.step = &step;
  record.number = ++m_calls;
  const auto note = [&](const Result<void>& result) {
    if (!result && record.harness_error.empty()) record.harness_error = result.error().text();
    return result.has_value();
  };
  {
    const Stopwatch watch(m_stages.prepare_ns);
    if (!note(prepare(step, record))) return record;
  }
  {
    const Stopwatch watch(m_stages.adapter_ns);
    auto answer = adapter.call(record.request);
    if (answer)
      record.answer = std::move(*answer);
    else
      record.trouble = "the adapter " + answer.error().message;
  }
  {
    const Stopwatch watch(m_stages.evidence_ns);
    if (!note(gather(record))) return record;
  }
  if (!note(compare_tensors(step, record))) return record;
  if (wants(step, "winner.regret")) {
    const Stopwatch watch(m_stages.reference_ns);
    record.measurement = measure_all_configs(m_kernel, record.request, m_files, m_context);
  }
  m_files.clear();
  return record;
}

Result<void> CallRunner::prepare(const CallStep& step, CallRecord& record) {
  TUNECHECK_TRY(const ResolvedCall resolved, resolve_call(m_kernel, step.settings));
  const std::filesystem::path folder = m_workspace.process_folder(m_process.name) / "tensors";
  for (std::size_t i = 0; i < m_kernel.tensors.size(); ++i) {
    const TensorParameter& tensor = m_kernel.tensors[i];
    const auto align = step.settings.align.find(tensor.name);
    const auto file = folder / fmt::format("{}-{}.bin", record.number, tensor.name);
    m_files.emplace_back(file, resolved.dtypes[i], resolved.layouts[i],
                         align == step.settings.align.end() ? 0 : align->second, tensor.fill,
                         m_context.seed, tensor.name);
    TUNECHECK_CHECK(m_files.back().write());
    TensorRecord& tensor_record = record.tensors.emplace_back();
    tensor_record.digest_before = digest_elements(m_files.back().initial());
    tensor_record.digest_zero = digest_of_zeros(m_files.back().initial());
  }
  request(step, resolved, record);
  TUNECHECK_TRY(record.cache_before, take_snapshot(m_workspace.cache_folder()));
  return {};
}

void CallRunner::request(const CallStep& step, const ResolvedCall& resolved,
                         CallRecord& record) const {
  protocol::CallRequest& request = record.request;
  request.kernel_folder = m_workspace.kernel_folder();
  request.kernel = m_kernel.name;
  for (std::size_t i = 0; i < m_kernel.tensors.size(); ++i)
    request.tensors.push_back({m_kernel.tensors[i].name, m_files[i].path(),
                               m_files[i].byte_offset(), resolved.dtypes[i], resolved.layouts[i]});
  if (step.settings.reverse_arguments) std::reverse(request.tensors.begin(), request.tensors.end());
  for (const ScalarParameter& scalar : m_kernel.scalars)
    request.scalars[scalar.name] = scalar.value;
  for (const auto& [name, value] : step.settings.scalars)
    request.scalars[name] = value;
  request.sizes = resolved.sizes;
  request.space = resolved.space;
  request.arch = step.settings.arch;
  request.compile_options = step.settings.compile_options;
  request.compile_jobs = m_context.compile_jobs;
}

Result<void> CallRunner::gather(CallRecord& record) {
  TUNECHECK_TRY(Evidence evidence,
                read_evidence(m_workspace.evidence_file(m_process.name), m_evidence_read));
  std::erase_if(evidence.compiles, [](const CompileEvent& event) { return event.query; });
  std::erase_if(evidence.launches,
                [&](const LaunchEvent& event) { return event.kernel != m_kernel.name; });
  record.compiles = std::move(evidence.compiles);
  record.launches = std::move(evidence.launches);
  TUNECHECK_TRY(record.cache_after, take_snapshot(m_workspace.cache_folder()));
  record.cache_listing_after = listing_digest(m_workspace.cache_folder());
  return {};
}

Result<void> CallRunner::compare_tensors(const CallStep& step, CallRecord& record) {
  std::vector<std::vector<double>> expected;
  if (record.answer && record.answer->done) {
    const Stopwatch watch(m_stages.reference_ns);
    TUNECHECK_TRY(expected, expected_contents(step, record));
  }
  const Stopwatch watch(m_stages.check_ns);
  for (std::size_t i = 0; i < m_files.size(); ++i) {
    TUNECHECK_TRY(const TensorFile::After after, m_files[i].read_back());
    TensorRecord& tensor = record.tensors[i];
    tensor.unchanged = after.unchanged;
    tensor.canary_damage = after.canary_damage;
    tensor.first_difference = after.first_difference;
    if (!expected.empty() && m_kernel.tensors[i].access != Access::read)
      tensor.comparison = compare(after.elements, expected[i], m_kernel.tolerance);
    std::error_code ignored;
    std::filesystem::remove(m_files[i].path(), ignored);
  }
  return {};
}

Result<std::vector<std::vector<double>>> CallRunner::expected_contents(const CallStep& step,
                                                                       const CallRecord& record) {
  const ResetPolicy policy = m_context.adapter->reset_policy;
  const bool zeroed =
      policy == ResetPolicy::every_call || (policy == ResetPolicy::tuned_call && record.tuned());
  Oracle::Question question;
  question.kernel = &m_kernel;
  for (std::size_t i = 0; i < m_files.size(); ++i) {
    const TensorView initial = m_files[i].initial();
    question.shapes.emplace_back(initial.layout.dimensions().begin(),
                                 initial.layout.dimensions().end());
    question.contents.push_back(to_doubles(initial));
    if (zeroed && m_kernel.resets(m_kernel.tensors[i].name))
      std::fill(question.contents.back().begin(), question.contents.back().end(), 0.0);
  }
  for (const ScalarParameter& scalar : m_kernel.scalars) {
    const auto chosen = step.settings.scalars.find(scalar.name);
    const double value = chosen == step.settings.scalars.end() ? scalar.value : chosen->second;
    // A kernel gets the scalar in its dtype; the reference must work with the same number.
    std::byte rounded[8];
    store_element(scalar.dtype, rounded, value);
    question.scalars.push_back(load_element(scalar.dtype, rounded));
  }
  return m_context.oracle->ask(question);
}

}  // namespace tunecheck
