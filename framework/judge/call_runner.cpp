#include "judge/call_runner.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "core/stopwatch.hpp"
#include "judge/device_memory.hpp"
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

// As observers stamp their events.
std::int64_t clock_ns() {
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

void note(CallRecord& record, const Result<void>& result) {
  if (!result && record.harness_error.empty()) record.harness_error = result.error().text();
}

// See run_together().
void share_evidence(std::vector<CallRecord*> calls, Evidence evidence, int adapter) {
  std::erase_if(calls, [](const CallRecord* call) { return !call->answer; });
  if (calls.empty()) return;
  std::vector<LaunchEvent>& launches = evidence.launches;
  std::size_t own = launches.size();
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
    if (!(*call)->answer->done) continue;
    while (own > 0 && launches[own - 1].pid != adapter)
      --own;
    if (own == 0) break;
    --own;
    (*call)->launches.push_back(std::move(launches[own]));
    launches.erase(launches.begin() + static_cast<std::ptrdiff_t>(own));
  }
  const auto says_tuned = [](const CallRecord* call) {
    return call->answer->cache != protocol::CacheState::hit;
  };
  const auto found = std::find_if(calls.begin(), calls.end(), says_tuned);
  CallRecord& tuned = **(found == calls.end() ? calls.begin() : found);
  tuned.compiles = std::move(evidence.compiles);
  tuned.launches.insert(tuned.launches.begin(), std::make_move_iterator(launches.begin()),
                        std::make_move_iterator(launches.end()));
}

}  // namespace

CallRecord CallRunner::run(const CallStep& step, AdapterProcess& adapter) {
  Asked asked = prepare(step);
  CallRecord& record = asked.record;
  if (!record.harness_error.empty()) return std::move(record);
  ready_to_ask();
  {
    const Stopwatch watch(m_stages.adapter_ns);
    note(record, begin_burst(record, adapter));
    if (!record.harness_error.empty()) return std::move(record);
    if (wants(step, "memory.device_flat")) look_at_memory(record, &DeviceMemory::before);
    record.asked_ns = clock_ns();
    auto answer = [&] {
      const Stopwatch asking(record.wall_ns);
      return adapter.call(record.request);
    }();
    if (record.device_memory) look_at_memory(record, &DeviceMemory::after);
    note(record, end_burst(record, adapter, record.wall_ns, answer.has_value()));
    if (!record.harness_error.empty()) return std::move(record);
    if (answer)
      record.answer = std::move(*answer);
    else
      record.trouble = "the adapter " + answer.error().message;
  }
  auto evidence = gather(record);
  if (!evidence) {
    record.harness_error = evidence.error().text();
    return std::move(record);
  }
  record.compiles = std::move(evidence->compiles);
  for (LaunchEvent& launch : evidence->launches)
    (launch.captured ? record.captured : record.launches).push_back(std::move(launch));
  finish(asked);
  return std::move(record);
}

std::vector<CallRecord> CallRunner::run_together(const CallGroup& group, AdapterProcess& adapter) {
  std::vector<Asked> asked;
  for (const CallStep& step : group.calls)
    asked.push_back(prepare(step));
  std::vector<protocol::CallRequest> requests;
  std::vector<CallRecord*> records;
  bool ready = true;
  for (Asked& each : asked) {
    each.record.group = &group;
    requests.push_back(each.record.request);
    records.push_back(&each.record);
    ready = ready && each.record.harness_error.empty();
  }
  if (ready) {
    ready_to_ask();
    {
      const Stopwatch watch(m_stages.adapter_ns);
      const std::int64_t asked_ns = clock_ns();
      std::int64_t wall_ns = 0;
      auto answers = [&] {
        const Stopwatch asking(wall_ns);
        return adapter.call_together(requests);
      }();
      for (CallRecord* const record : records) {
        record->asked_ns = asked_ns;
        record->wall_ns = wall_ns;
      }
      for (std::size_t i = 0; i < records.size(); ++i)
        if (answers)
          records[i]->answer = std::move((*answers)[i]);
        else
          records[i]->trouble = "the adapter " + answers.error().message;
    }
    auto evidence = gather(*records.front());
    note(*records.front(), evidence.map([](const Evidence&) {}));
    for (CallRecord* const record : records) {
      record->cache_after = records.front()->cache_after;
      record->cache_listing_after = records.front()->cache_listing_after;
    }
    if (evidence) share_evidence(records, std::move(*evidence), adapter.id());
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
  asked.record.keeps_artifacts = m_context.adapter->has("artifact");
  note(asked.record, prepare_tensors(step, asked));
  return asked;
}

void CallRunner::finish(Asked& asked) {
  if (!asked.record.harness_error.empty()) return;
  note(asked.record, compare_tensors(asked));
  if (!asked.record.harness_error.empty()) return;
  if (!needs_measurement(*asked.record.step)) return;
  const Stopwatch watch(m_stages.reference_ns);
  asked.record.measurement =
      m_context.backend == "sim"
          ? simulated_costs(m_kernel, asked.record.request, m_context)
          : measure_all_configs(m_context.backend, m_kernel, asked.record.request, asked.files);
}

// On a GPU no observer sees how long a launch takes, or whether it comes to its end: the judge runs
// each config itself.
bool CallRunner::needs_measurement(const CallStep& step) const {
  constexpr std::array<std::string_view, 2> always = {"winner.regret", "winner.stable"};
  constexpr std::array<std::string_view, 4> on_a_gpu = {"timing.l2_cold", "timing.excludes_restore",
                                                        "tuning.survives", "failure.recorded"};
  const auto asked = [&](std::string_view check) { return wants(step, check); };
  return std::any_of(always.begin(), always.end(), asked) ||
         (is_gpu(m_context.backend) && std::any_of(on_a_gpu.begin(), on_a_gpu.end(), asked));
}

void CallRunner::look_at_memory(CallRecord& record, std::int64_t DeviceMemory::*when) const {
  if (!record.device_memory) record.device_memory.emplace();
  const auto used = device_memory_in_use(m_context.backend);
  if (used)
    (*record.device_memory).*when = *used;
  else
    record.device_memory->trouble = used.error().text();
}

Result<void> CallRunner::prepare_tensors(const CallStep& step, Asked& asked) {
  CallRecord& record = asked.record;
  std::vector<TensorFile>& files = asked.files;
  TUNECHECK_TRY(const ResolvedCall resolved, resolve_call(m_kernel, step.settings));
  const std::filesystem::path folder = m_workspace.process_folder(m_process.name) / "tensors";
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
  request(step, resolved, asked);
  TUNECHECK_TRY(record.cache_before, take_snapshot(m_workspace.cache_folder()));
  return {};
}

Result<void> CallRunner::begin_burst(CallRecord& record, const AdapterProcess& adapter) const {
  if (!record.request.burst) return {};
  BurstRecord& burst = record.burst.emplace();
  burst.calls = record.request.burst->calls;
  TUNECHECK_CHECK(start_counting(m_workspace.counts_file(m_process.name), adapter.id()));
  TUNECHECK_TRY(burst.before, process_use(adapter.id()));
  return {};
}

Result<void> CallRunner::end_burst(CallRecord& record, const AdapterProcess& adapter,
                                   std::int64_t wall_ns, bool answered) const {
  if (!record.burst) return {};
  record.burst->wall_ns = wall_ns;
  TUNECHECK_TRY(record.burst->counts, stop_counting(m_workspace.counts_file(m_process.name)));
  // A process that has died uses nothing; that it has is another check's business.
  if (answered) {
    TUNECHECK_TRY(record.burst->after, process_use(adapter.id()));
  }
  return {};
}

void CallRunner::request(const CallStep& step, const ResolvedCall& resolved, Asked& asked) const {
  protocol::CallRequest& request = asked.record.request;
  request.kernel_folder = m_workspace.kernel_folder();
  request.kernel = m_kernel.name;
  for (std::size_t i = 0; i < m_kernel.tensors.size(); ++i)
    request.tensors.push_back({m_kernel.tensors[i].name, asked.files[i].path(),
                               asked.files[i].byte_offset(), resolved.dtypes[i],
                               resolved.layouts[i]});
  if (step.settings.reverse_arguments) std::reverse(request.tensors.begin(), request.tensors.end());
  for (const ScalarParameter& scalar : m_kernel.scalars)
    request.scalars[scalar.name] = scalar.value;
  for (const auto& [name, value] : step.settings.scalars)
    request.scalars[name] = value;
  request.sizes = resolved.sizes;
  request.space = resolved.space;
  request.arch = step.settings.arch;
  request.compile_options = step.settings.compile_options;
  // Slow compilers at once would be as slow as one.
  request.compile_jobs =
      m_process.settings.compiler == CompilerMode::slow ? 1 : m_context.compile_jobs;
  request.hook_zeroes = step.settings.hook_zeroes;
  request.burst = step.settings.burst;
  request.search = step.settings.search;
  request.gpu = step.settings.gpu;
}

Result<Evidence> CallRunner::gather(CallRecord& record) {
  const Stopwatch watch(m_stages.evidence_ns);
  TUNECHECK_TRY(Evidence evidence,
                read_evidence(m_workspace.evidence_file(m_process.name), m_evidence_read));
  // Of a kernel that ends its context, too, a digest may fail. A probe that sees nothing says why.
  if (evidence.launches.empty() && !evidence.troubles.empty())
    return failure("the GPU probe sees no launch: {}", evidence.troubles.front().what);
  std::erase_if(evidence.compiles, [](const CompileEvent& event) { return event.query; });
  std::erase_if(evidence.launches,
                [&](const LaunchEvent& event) { return event.kernel != m_kernel.name; });
  record.faults = std::move(evidence.faults);
  record.cache_is_small = m_workspace.cache_is_small();
  TUNECHECK_TRY(record.cache_after, take_snapshot(m_workspace.cache_folder()));
  record.cache_listing_after = listing_digest(m_workspace.cache_folder());
  return evidence;
}

Result<void> CallRunner::compare_tensors(Asked& asked) {
  CallRecord& record = asked.record;
  Oracle::Answer expected;
  if (record.answer && record.answer->done) {
    const Stopwatch watch(m_stages.reference_ns);
    TUNECHECK_TRY(expected, expected_contents(asked));
  }
  const Stopwatch watch(m_stages.check_ns);
  for (std::size_t i = 0; i < asked.files.size(); ++i) {
    TUNECHECK_TRY(const TensorFile::After after, asked.files[i].read_back());
    TensorRecord& tensor = record.tensors[i];
    tensor.unchanged = after.unchanged;
    tensor.canary_damage = after.canary_damage;
    tensor.first_difference = after.first_difference;
    if (expected && m_kernel.tensors[i].is_result())
      tensor.comparison =
          compare(after.elements, (*expected)[i], m_kernel.tolerance.of(after.elements.dtype));
  }
  for (const TensorFile& file : asked.files) {
    std::error_code ignored;
    std::filesystem::remove(file.path(), ignored);
  }
  return {};
}

Result<Oracle::Answer> CallRunner::expected_contents(const Asked& asked) {
  const ResetPolicy policy = m_context.adapter->reset_policy;
  const bool zeroed = policy == ResetPolicy::every_call ||
                      (policy == ResetPolicy::tuned_call && asked.record.tuned());
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
