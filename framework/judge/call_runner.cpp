#include "judge/call_runner.hpp"

#include <algorithm>

#include "core/stopwatch.hpp"
#include "judge/own_measurement.hpp"
#include "judge/question.hpp"
#include "judge/simulated_costs.hpp"

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
  if (!note(compare_tensors(record))) return record;
  if (wants(step, "winner.regret") || wants(step, "winner.stable")) {
    const Stopwatch watch(m_stages.reference_ns);
    record.measurement = m_scenario.backend == "sim"
                             ? simulated_costs(m_kernel, record.request, m_context)
                             : measure_all_configs(m_kernel, record.request, m_files, m_context);
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
    TUNECHECK_TRY(const Fill fill, m_kernel.fill_of(tensor, resolved.sizes));
    m_files.emplace_back(file, resolved.dtypes[i], resolved.layouts[i],
                         align == step.settings.align.end() ? 0 : align->second, fill,
                         m_context.seed, tensor.name);
  }
  for (std::size_t i = 0; i < m_files.size(); ++i) {
    // The same file: an adapter maps it once.
    if (resolved.storage[i] != i) m_files[i] = TensorFile(m_files[resolved.storage[i]]);
    TUNECHECK_CHECK(m_files[i].write());
    TensorRecord& tensor_record = record.tensors.emplace_back();
    tensor_record.is_read_only = true;
    for (std::size_t j = 0; j < m_files.size(); ++j)
      if (resolved.storage[i] == resolved.storage[j] && m_kernel.tensors[j].access != Access::read)
        tensor_record.is_read_only = false;
    tensor_record.digest_before = digest_elements(m_files[i].initial());
    tensor_record.digest_zero = digest_of_zeros(m_files[i].initial());
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
  request.search = step.settings.search;
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

Result<void> CallRunner::compare_tensors(CallRecord& record) {
  std::vector<std::vector<double>> expected;
  if (record.answer && record.answer->done) {
    const Stopwatch watch(m_stages.reference_ns);
    TUNECHECK_TRY(expected, expected_contents(record));
  }
  const Stopwatch watch(m_stages.check_ns);
  for (std::size_t i = 0; i < m_files.size(); ++i) {
    TUNECHECK_TRY(const TensorFile::After after, m_files[i].read_back());
    TensorRecord& tensor = record.tensors[i];
    tensor.unchanged = after.unchanged;
    tensor.canary_damage = after.canary_damage;
    tensor.first_difference = after.first_difference;
    if (!expected.empty() && m_kernel.tensors[i].is_result())
      tensor.comparison =
          compare(after.elements, expected[i], m_kernel.tolerance.of(after.elements.dtype));
  }
  for (const TensorFile& file : m_files) {
    std::error_code ignored;
    std::filesystem::remove(file.path(), ignored);
  }
  return {};
}

Result<std::vector<std::vector<double>>> CallRunner::expected_contents(const CallRecord& record) {
  const ResetPolicy policy = m_context.adapter->reset_policy;
  const bool zeroed =
      policy == ResetPolicy::every_call || (policy == ResetPolicy::tuned_call && record.tuned());
  return m_context.oracle->ask(make_question(m_kernel, m_files, zeroed, record.request.scalars));
}

}  // namespace tunecheck
