#include "judge/run/call_runner.hpp"

#include <algorithm>

#include "core/stopwatch.hpp"
#include "harness/kernel/question.hpp"
#include "harness/process/call_request.hpp"
#include "harness/process/device_memory.hpp"
#include "judge/run/own_measurement.hpp"
#include "judge/run/simulated_costs.hpp"
#include "judge/scenario/named_checks.hpp"

namespace tunecheck {
namespace {

std::string digest_of_zeros(const TensorView& like) {
  std::vector<std::byte> zeros(static_cast<std::size_t>(like.layout.count()) * size_of(like.dtype));
  return digest_elements({zeros.data(), like.dtype, Layout::contiguous(like.layout.dimensions())});
}

void remove_files(const std::vector<TensorFile>& files) {
  for (const TensorFile& file : files) {
    std::error_code ignored;
    std::filesystem::remove(file.path(), ignored);
  }
}

void note(CallRecord& record, const Result<void>& result) {
  if (!result && record.harness_error.empty()) record.harness_error = result.error().text();
}

}  // namespace

CallRecord CallRunner::run(const CallStep& step, WatchedProcess& process) {
  Asked asked = prepare(step);
  CallRecord& record = asked.record;
  if (!record.harness_error.empty()) return std::move(record);
  ready_to_ask();
  if (record.number > 1) note(record, process.note_late());
  {
    const Stopwatch watch(m_stages.adapter_ns);
    const bool looks = needs(step, ExtraEvidence::device_memory, m_context.backend);
    const bool looks_at_process = needs(step, ExtraEvidence::process_state, m_context.backend);
    if (looks) look_at_memory(record, &DeviceMemory::before);
    if (looks_at_process) look_at_process(record, &ProcessStates::before, process);
    note(record, process.ask(record));
    if (looks_at_process) look_at_process(record, &ProcessStates::after, process);
    if (looks) look_at_memory(record, &DeviceMemory::after);
  }
  if (record.harness_error.empty()) gather({&record}, process);
  finish(asked);
  return std::move(record);
}

std::vector<CallRecord> CallRunner::run_together(const CallGroup& group, WatchedProcess& process) {
  std::vector<Asked> asked;
  for (const CallStep& step : group.calls)
    asked.push_back(prepare(step));
  std::vector<CallRecord*> records;
  bool ready = true;
  for (Asked& each : asked) {
    each.record.group = &group;
    records.push_back(&each.record);
    ready = ready && each.record.harness_error.empty();
  }
  if (ready) {
    ready_to_ask();
    if (records.front()->number > 1) note(*records.front(), process.note_late());
    {
      const Stopwatch watch(m_stages.adapter_ns);
      process.ask_together({records.begin(), records.end()});
    }
    gather(records, process);
    for (Asked& each : asked)
      finish(each);
  }
  std::vector<CallRecord> done;
  for (Asked& each : asked)
    done.push_back(std::move(each.record));
  return done;
}

void CallRunner::ready_to_ask() {
  if (m_before_asking) std::exchange(m_before_asking, nullptr)();
}

CallRunner::Asked CallRunner::prepare(const CallStep& step) {
  const Stopwatch watch(m_stages.prepare_ns);
  Asked asked;
  asked.record.step = &step;
  asked.record.number = ++m_calls;
  note(asked.record, prepare_tensors(step, asked));
  return asked;
}

void CallRunner::finish(Asked& asked) {
  if (!asked.record.harness_error.empty()) return;
  note(asked.record, compare_tensors(asked));
  if (!asked.record.harness_error.empty()) return;
  if (!needs_own_measurement(*asked.record.step)) return;
  const Stopwatch watch(m_stages.reference_ns);
  asked.record.measurement =
      m_context.backend == DeviceKind::sim
          ? simulated_costs(m_kernel, asked.record.request, m_context)
          : measure_all_configs(m_context.backend, m_kernel, asked.record.request, asked.files);
}

// What is asked of the judge's own runs on GPUs alone is what observers see elsewhere. What an
// adapter launches by Vulkan they do not see either: neither its config nor how it ended.
bool CallRunner::needs_own_measurement(const CallStep& step) const {
  const AdapterInfo& adapter = *m_context.adapter;
  return std::any_of(step.expectations.begin(), step.expectations.end(),
                     [&](const Expectation& expectation) {
                       const Check& check = *expectation.check;
                       if (check.needs.evidence != ExtraEvidence::own_measurement) return false;
                       if (adapter.unseen.contains(std::string(check.name))) return false;
                       return includes(check.needs.on, m_context.backend) ||
                              (adapter.is_observed_by(vulkan_observer) &&
                               includes(check.needs.on, gpu_kinds.front()));
                     });
}

void CallRunner::look_at_memory(CallRecord& record, std::int64_t DeviceMemory::*when) const {
  if (!record.device_memory) record.device_memory.emplace();
  const auto used = device_memory_in_use(m_context.backend);
  if (used)
    (*record.device_memory).*when = *used;
  else
    record.device_memory->trouble = used.error().text();
}

void CallRunner::look_at_process(CallRecord& record, ProcessState ProcessStates::*when,
                                 const WatchedProcess& process) {
  if (!record.process_states) record.process_states.emplace();
  auto state = process.state();
  if (state)
    (*record.process_states).*when = std::move(*state);
  else
    record.process_states->trouble = state.error().text();
}

// The judge holds a tensor several times over, and what one scenario asks for is no reason to end
// the others.
Result<void> CallRunner::check_size(const ResolvedCall& resolved) {
  constexpr double most_bytes = 4.0 * (1U << 30);
  double bytes = 0;
  for (std::size_t i = 0; i < resolved.layouts.size(); ++i) {
    const Extent extent = extent_of(resolved.layouts[i]);
    bytes += static_cast<double>(size_of(resolved.dtypes[i])) *
             (static_cast<double>(extent.end) - static_cast<double>(extent.first));
  }
  if (bytes <= most_bytes) return {};
  return failure(ErrorKind::bad_input,
                 "the call's tensors take {:.1f} GiB; expected at most {:.0f} GiB",
                 bytes / (1U << 30), most_bytes / (1U << 30));
}

Result<void> CallRunner::prepare_tensors(const CallStep& step, Asked& asked) {
  CallRecord& record = asked.record;
  std::vector<TensorFile>& files = asked.files;
  TUNECHECK_TRY(const ResolvedCall resolved, resolve_call(m_kernel, step.settings));
  TUNECHECK_CHECK(check_size(resolved));
  const std::filesystem::path folder = m_workspace.tensors_folder(m_process.name);
  for (std::size_t i = 0; i < m_kernel.tensors.size(); ++i) {
    const TensorParameter& tensor = m_kernel.tensors[i];
    const auto align = step.settings.align.find(tensor.name);
    const auto file = folder / fmt::format("{}-{}.bin", record.number, tensor.name);
    TUNECHECK_TRY(const Fill fill, m_kernel.fill_of(tensor, resolved.sizes));
    files.emplace_back(file, resolved.dtypes[i], resolved.layouts[i],
                       align == step.settings.align.end() ? 0 : align->second, fill, m_context.seed,
                       tensor.name);
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    // The same file: an adapter maps it once.
    if (resolved.storage[i] != i) files[i] = TensorFile(files[resolved.storage[i]]);
    TUNECHECK_CHECK(files[i].write());
    TensorRecord& tensor_record = record.tensors.emplace_back();
    tensor_record.is_read_only = true;
    for (std::size_t j = 0; j < files.size(); ++j)
      if (resolved.storage[i] == resolved.storage[j] && m_kernel.tensors[j].access != Access::read)
        tensor_record.is_read_only = false;
    tensor_record.digest_before = digest_elements(files[i].initial());
    tensor_record.digest_zero = digest_of_zeros(files[i].initial());
  }
  TUNECHECK_CHECK(request(step, resolved, asked));
  TUNECHECK_TRY(record.cache_before, m_workspace.cache_snapshot(m_process.cache_folder));
  return {};
}

Result<void> CallRunner::request(const CallStep& step, const ResolvedCall& resolved,
                                 Asked& asked) const {
  protocol::CallRequest& request = asked.record.request;
  request = make_request(m_kernel, m_workspace, m_process.name, asked.files, resolved.sizes);
  if (step.settings.reverse_arguments) std::reverse(request.tensors.begin(), request.tensors.end());
  for (const auto& [name, value] : step.settings.scalars)
    request.scalars[name] = value;
  request.space = resolved.space;
  request.arch = step.settings.arch;
  request.compile_options = step.settings.compile_options;
  // Slow compilers at once would be as slow as one.
  request.compile_jobs =
      m_process.settings.compiler == CompilerMode::slow ? 1 : m_context.compile_jobs;
  if (step.settings.compile_jobs > 0) request.compile_jobs = step.settings.compile_jobs;
  request.hook_zeroes = step.settings.hook_zeroes;
  request.burst = step.settings.burst;
  request.search = step.settings.search;
  if (!step.settings.config.empty()) request.config = step.settings.config;
  request.wait = step.settings.wait;
  request.gpu = step.settings.gpu;
  request.environment = variables_of(step);
  return complete(request, m_kernel, m_context.backend);
}

// Those that not all calls of the process find as it was started with them.
std::map<std::string, std::optional<std::string>> CallRunner::variables_of(
    const CallStep& step) const {
  std::map<std::string, std::optional<std::string>> variables;
  const auto& at_start = m_process.settings.environment;
  for (const CallStep* const call : m_process.calls())
    for (const auto& [name, value] : call->settings.environment) {
      const auto before = at_start.find(name);
      if (before == at_start.end() || before->second != value) variables[name];
    }
  for (auto& [name, value] : variables)
    if (const auto now = step.settings.environment.find(name);
        now != step.settings.environment.end())
      value = now->second;
  return variables;
}

void CallRunner::gather(const std::vector<CallRecord*>& records, WatchedProcess& process) {
  const Stopwatch watch(m_stages.evidence_ns);
  CallRecord& first = *records.front();
  note(first, process.gather({records.begin(), records.end()}));
  if (!first.harness_error.empty()) return;
  const auto cache = m_workspace.cache_snapshot(m_process.cache_folder);
  if (!cache) return note(first, failure(cache.error()));
  const std::filesystem::path folder = m_workspace.cache_folder(m_process.cache_folder);
  const std::string listing = listing_digest(folder, m_context.adapter->cache_file_globs());
  for (CallRecord* const record : records) {
    record->cache_is_small = m_workspace.cache_is_small() && m_process.cache_folder.empty();
    record->cache_has_room = record->cache_is_small && process.leaves_room_in(folder);
    record->cache_after = *cache;
    record->cache_listing_after = listing;
  }
}

Result<void> CallRunner::compare_tensors(Asked& asked) {
  CallRecord& record = asked.record;
  // First of all: what a tuner left is evidence, also where nobody can say what is right.
  std::vector<TensorFile::After> after;
  for (std::size_t i = 0; i < asked.files.size(); ++i) {
    const Stopwatch watch(m_stages.check_ns);
    TUNECHECK_TRY(TensorFile::After read, asked.files[i].read_back());
    TensorRecord& tensor = record.tensors[i];
    tensor.digest_after = digest_elements(read.elements);
    tensor.unchanged = read.unchanged;
    tensor.canary_damage = read.canary_damage;
    tensor.first_difference = read.first_difference;
    after.push_back(std::move(read));
  }
  Oracle::Answer expected;
  if (record.answer && record.answer->done) {
    const Stopwatch watch(m_stages.reference_ns);
    TUNECHECK_TRY(expected, expected_contents(asked));
  }
  const Stopwatch watch(m_stages.check_ns);
  for (std::size_t i = 0; expected && i < after.size(); ++i)
    if (m_kernel.tensors[i].is_result())
      record.tensors[i].comparison = compare(after[i].elements, (*expected)[i],
                                             m_kernel.tolerance.of(after[i].elements.dtype));
  // The tuner may still have them: a search goes on.
  if (!record.request.wait || needs(*record.step, ExtraEvidence::tensors_later, m_context.backend))
    m_kept.push_back({record.number, std::move(asked.files)});
  else
    remove_files(asked.files);
  return {};
}

Result<void> CallRunner::look_again(std::vector<CallRecord>& records) {
  for (const Kept& kept : m_kept)
    for (CallRecord& record : records)
      if (record.number == kept.call) TUNECHECK_CHECK(compare_later(kept.files, record));
  for (const Kept& kept : m_kept)
    remove_files(kept.files);
  m_kept.clear();
  return {};
}

Result<void> CallRunner::compare_later(const std::vector<TensorFile>& files, CallRecord& record) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    TensorRecord& tensor = record.tensors[i];
    TUNECHECK_TRY(const TensorFile::After now, files[i].read_back());
    std::string& changed = tensor.changed_later.emplace();
    if (digest_elements(now.elements) != tensor.digest_after)
      changed = "its elements are others";
    else if (now.canary_damage != tensor.canary_damage)
      changed = "around it, a canary was overwritten: " + now.canary_damage;
  }
  return {};
}

Result<Oracle::Answer> CallRunner::expected_contents(const Asked& asked) {
  const bool zeroed = m_context.adapter->zeroes_arguments(asked.record.tuned());
  const protocol::CallRequest& request = asked.record.request;
  std::map<std::string, double> scalars = request.scalars;
  if (request.burst)  // the last call counts
    scalars[request.burst->scalar] +=
        static_cast<double>((request.burst->calls - 1) % request.burst->keys);
  Oracle::Question question = make_question(m_kernel, asked.files, zeroed, scalars);
  for (std::size_t i = 0; i < m_kernel.tensors.size(); ++i)
    if (asked.record.step->settings.hook_would_zero(m_kernel.tensors[i].name))
      std::fill(question.contents[i].begin(), question.contents[i].end(), 0.0);
  return m_context.oracle->ask(std::move(question));
}

}  // namespace tunecheck
