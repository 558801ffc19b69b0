// Of the family gpu, and what other checks ask of a GPU.
#include "core/device_kinds.hpp"
#include "hand_made_record.hpp"

namespace tunecheck::test {
namespace {

using enum Verdict;
using Change = std::function<void(CallRecord&)>;

void no_change(CallRecord&) {}

// The hit of "warm", captured and then run by a graph.
auto captured(Change change = no_change) {
  return [change = std::move(change)](HandMadeRecord& record) {
    CallRecord& call = record.warm();
    call.captured = call.launches;
    call.captured.front().captured = true;
    call.launches.front().graph = true;
    call.answer->capture_valid = true;
    change(call);
  };
}

// A miss of "warm" that was refused amid a capture.
auto refused(Change change = no_change) {
  return [change = std::move(change)](HandMadeRecord& record) {
    CallRecord& call = record.warm();
    call.launches.clear();
    call.answer->done = false;
    call.answer->message = "cannot tune while the stream is captured";
    call.answer->capture_valid = true;
    change(call);
  };
}

std::vector<CheckCase> capture_cases() {
  return {
      {"capture.hit_replays", "captured_and_run", pass, "one launch is captured",
       "1 captured, 1 run by a graph, 0 run otherwise; the result is right", captured(), "warm"},
      {"capture.hit_replays", "launched_at_once", fail, "", "0 captured, 0 run by a graph, 1 run",
       nothing, "warm"},
      {"capture.hit_replays", "a_trial_beside_it", fail, "", "1 run otherwise",
       captured([](auto& call) { call.launches.push_back(launch_of("step=1")); }), "warm"},
      {"capture.hit_replays", "captured_twice", fail, "", "2 captured",
       captured([](auto& call) { call.captured.push_back(call.captured.front()); }), "warm"},
      {"capture.hit_replays", "never_run", fail, "", "1 captured, 0 run by a graph",
       captured([](auto& call) { call.launches.clear(); }), "warm"},
      {"capture.hit_replays", "a_wrong_result", fail, "", "wrong",
       captured([](auto& call) { call.tensors[1].comparison = comparison_with(1); }), "warm"},
      {"capture.hit_replays", "a_broken_capture", fail, "", "could not be ended",
       captured([](auto& call) { call.answer->capture_valid = false; }), "warm"},
      {"capture.hit_replays", "a_call_that_failed", fail, "", "the call failed: no capture",
       captured([](auto& call) {
         call.answer->done = false;
         call.answer->message = "no capture";
       }),
       "warm"},
      {"capture.hit_replays", "nothing_seen", error, "", "no launch, captured or not",
       captured([](auto& call) {
         call.captured.clear();
         call.launches.clear();
       }),
       "warm"},
      {"capture.miss_refused", "refused", pass, "mentions the capture", "the capture went on",
       refused(), "warm"},
      {"capture.miss_refused", "tuned_all_the_same", fail, "", "the call succeeded", nothing,
       "warm"},
      {"capture.miss_refused", "another_error", fail, "", "out of memory",
       refused([](auto& call) { call.answer->message = "out of memory"; }), "warm"},
      {"capture.miss_refused", "a_broken_capture", fail, "", "the capture was broken",
       refused([](auto& call) { call.answer->capture_valid = false; }), "warm"},
      {"capture.miss_refused", "after_a_trial", fail, "", "1 launches",
       refused([](auto& call) { call.launches.push_back(launch_of("step=1")); }), "warm"},
      {"capture.miss_refused", "after_a_captured_trial", fail, "", "1 launches",
       refused([](auto& call) { call.captured.push_back(launch_of("step=1")); }), "warm"},
      {"capture.miss_refused", "nothing_said_of_the_capture", error, "", "does not say",
       refused([](auto& call) { call.answer->capture_valid.reset(); }), "warm"},
  };
}

// A second call of "warm" in context 2, which comes first; its launch is in context `used`.
auto second_context(int used, int pid = 0) {
  return [used, pid](HandMadeRecord& record) {
    std::vector<CallRecord>& calls = record.record.processes.at(1).calls;
    calls.at(0).launches.at(0).context = 1;
    CallRecord second = calls.at(0);
    second.number = 2;
    second.request.gpu.context = 2;
    second.launches.at(0).context = used;
    second.launches.at(0).pid = pid;
    calls.insert(calls.begin(), std::move(second));
  };
}

std::vector<CheckCase> context_cases() {
  return {
      {"context.used", "another", pass, "than number 2", "no call that asked for another context",
       second_context(2), "warm"},
      {"context.used", "the_same", fail, "",
       "call 1 asked for another context and was launched in the same one", second_context(1),
       "warm"},
      {"context.used", "another_process", error, "", "no two launches", second_context(1, 7),
       "warm"},
      {"context.used", "one_call_alone", error, "", "no two launches", nothing, "warm"},
  };
}

// The trials of "cold" are reported with 1 us.
auto measured(double cold_ns, double hot_ns) {
  return [=](HandMadeRecord& record) {
    OwnMeasurement& measurement = record.cold().measurement.emplace();
    for (const char* const config : {"step=1", "step=2"}) {
      measurement.median_ns[config] = cold_ns;
      measurement.hot_median_ns[config] = hot_ns;
    }
  };
}

auto without_measurement(const std::string& trouble) {
  return [trouble](HandMadeRecord& record) {
    record.record.backend = DeviceKind::cuda;
    record.cold().measurement.emplace().trouble = trouble;
  };
}

std::vector<CheckCase> time_cases() {
  return {
      {"timing.l2_cold", "as_with_cold_caches", pass, "cold caches", "0 of 2", measured(1100, 400)},
      {"timing.l2_cold", "as_with_hot_caches", fail, "",
       "2 of 2 configs are reported with hot-cache times: step=2 is reported as 1.0 us and takes "
       "3.0 us with cold caches, 0.9 us with hot ones",
       measured(3000, 900)},
      {"timing.l2_cold", "one_of_two", pass, "", "1 of 2",
       [](auto& record) {
         measured(3000, 900)(record);
         record.cold().answer->trials[0].median_ns = 3000;
       }},
      {"timing.l2_cold", "failed_configs_say_nothing", error, "", "can be told apart",
       [](auto& record) {
         measured(3000, 900)(record);
         for (auto& trial : record.cold().answer->trials)
           trial.failure = "trap";
       }},
      {"timing.l2_cold", "caches_that_make_no_difference", error, "", "can be told apart",
       measured(1300, 900)},
      {"timing.l2_cold", "nothing_measured", error, "", "nothing was measured", nothing},
      {"timing.l2_cold", "not_to_be_measured", error, "", "no device",
       without_measurement("no device")},
      {"timing.excludes_restore", "a_gpu_by_the_judges_own_times", fail, "", "2 of 2",
       [](auto& record) {
         measured(1000, 1000)(record);
         record.record.backend = DeviceKind::cuda;
         for (auto& trial : record.cold().answer->trials)
           trial.median_ns = 60'000;
       }},
      {"timing.excludes_restore", "a_gpu_without_a_measurement", error, "", "no reported time",
       [](auto& record) { record.record.backend = DeviceKind::cuda; }},
  };
}

// "step=1" traps, as the judge's own run says; the probe sees nothing of it.
auto trapped(bool reported) {
  return [reported](HandMadeRecord& record) {
    record.record.backend = DeviceKind::cuda;
    record.cold().measurement.emplace().failed["step=1"] = "illegal instruction";
    if (reported) record.cold().answer->trials[0].failure = "its worker died";
  };
}

std::vector<CheckCase> gpu_failure_cases() {
  return {
      {"failure.recorded", "as_the_judge_found_out", pass, "", "1 failed", trapped(true)},
      {"failure.recorded", "forgotten_on_a_gpu", fail, "", "step=1 illegal instruction",
       trapped(false)},
      {"failure.recorded", "a_gpu_that_the_judge_cannot_ask", error, "", "no device",
       without_measurement("no device")},
      {"tuning.survives", "as_the_judge_found_out", pass, "", "step=1 illegal instruction",
       trapped(true)},
      {"tuning.survives", "a_gpu_that_the_judge_cannot_ask", error, "", "no device",
       without_measurement("no device")},
  };
}

// `io` has 1 KiB.
auto with_tensors(std::optional<std::int64_t> reported) {
  return [reported](HandMadeRecord& record) {
    for (CallRecord* const call : {&record.cold(), &record.warm()}) {
      for (const char* const name : {"in", "io"})
        call->request.tensors.push_back(
            {name, "", 0, DType::f32, Layout::contiguous(std::vector<std::int64_t>{256})});
      call->answer->snapshot_bytes = reported;
    }
  };
}

auto memory(std::int64_t before, std::int64_t after, std::string trouble = "") {
  return [=](HandMadeRecord& record) {
    record.cold().device_memory = DeviceMemory{before, after, trouble};
  };
}

std::vector<CheckCase> device_memory_cases() {
  return {
      {"memory.snapshot_reported", "all_of_it", pass, "at least 1.0 KiB", "1.0 KiB reported",
       with_tensors(1024)},
      {"memory.snapshot_reported", "too_little", fail, "", "1023 B reported", with_tensors(1023)},
      {"memory.snapshot_reported", "nothing_said", fail, "", "0 B reported",
       with_tensors(std::nullopt)},
      {"memory.snapshot_reported", "a_hit", error, "", "nothing had to be restored",
       with_tensors(1024), "warm"},
      {"memory.device_flat", "freed", pass, "at most 1.0 KiB more", "1.0 KiB more",
       memory(5000, 6024), "cold", "1K"},
      {"memory.device_flat", "less_than_before", pass, "", "0 B more", memory(5000, 1000), "cold",
       "1K"},
      {"memory.device_flat", "kept", fail, "", "1.0 KiB more", memory(5000, 6024), "cold", "1023"},
      {"memory.device_flat", "not_known", error, "", "no NVML", memory(0, 0, "no NVML"), "cold",
       "1K"},
      {"memory.device_flat", "not_looked_at", error, "", "was not read", nothing, "cold", "1K"},
  };
}

}  // namespace

std::vector<CheckCase> gpu_cases() {
  std::vector<CheckCase> all;
  for (const auto& cases :
       {capture_cases(), context_cases(), time_cases(), gpu_failure_cases(), device_memory_cases()})
    all.insert(all.end(), cases.begin(), cases.end());
  return all;
}

}  // namespace tunecheck::test
