// Of the family growth, and what else is asked of bursts.
#include "hand_made_record.hpp"

namespace tunecheck::test {
namespace {

using enum Verdict;

// 1000 calls of 10 us each, of which the kernel takes 4, and of processor time 8.
BurstRecord thousand_hits() {
  BurstRecord burst;
  burst.calls = 1000;
  burst.counts.launches = burst.counts.ended = 1000;
  burst.counts.elapsed_ns = 4'000'000;
  burst.wall_ns = 10'000'000;
  burst.before = {.cpu_ns = 50'000'000, .resident_kib = 20'000, .waited_ns = 0};
  burst.after = {.cpu_ns = 58'000'000, .resident_kib = 20'100, .waited_ns = 0};
  return burst;
}

// Both calls are bursts of hits; `change` spoils the one of "warm".
auto bursts(std::function<void(BurstRecord&)> change = [](BurstRecord&) {}) {
  return [change = std::move(change)](HandMadeRecord& record) {
    for (CallRecord* const call : {&record.cold(), &record.warm()}) {
      call->burst = thousand_hits();
      call->launches.clear();
      call->compiles.clear();
      call->answer->cache = protocol::CacheState::hit;
      call->answer->compiles = 0;
    }
    change(*record.warm().burst);
  };
}

void too_few(BurstRecord& burst) {
  burst.counts.launches = 999;
}

std::vector<CheckCase> bounded_cases() {
  return {
      {"cache.bounded", "below", pass, "at most 1.0 KiB", "2 files, 110 B in all", nothing, "cold",
       "1K"},
      {"cache.bounded", "at_the_limit", pass, "", "110 B", nothing, "warm", "110"},
      {"cache.bounded", "above", fail, "at most 109 B", "2 files, 110 B in all", nothing, "warm",
       "109"},
      {"cache.bounded", "without_the_artifact_in_use", fail, "including the entry in use",
       "is not among them",
       [](auto& record) {
         record.warm().cache_after.files.erase(record.warm().cache_after.files.begin());
       },
       "warm", "1K"},
      {"cache.bounded", "without_what_the_call_wrote", fail, "", "nothing that this call wrote",
       [](auto& record) { record.cold().cache_before = record.cold().cache_after; }, "cold", "1K"},
      {"cache.bounded", "healed_in_its_place", pass, "", "",
       [](auto& record) {
         record.cold().cache_before = record.cold().cache_after;
         record.cold().cache_before.files[1].digest = "a damaged entry";
       },
       "cold", "1K"},
      {"cache.bounded", "nothing_launched", error, "", "could not read the artifact",
       [](auto& record) { record.warm().launches.clear(); }, "warm", "1K"},
      {"cache.bounded", "after_a_burst", pass, "", "110 B", bursts(), "warm", "1K"},
      {"cache.bounded", "an_empty_folder_after_a_burst", fail, "", "0 files",
       [](auto& record) {
         bursts()(record);
         record.warm().cache_after.files.clear();
       },
       "warm", "1K"},
      {"cache.bounded", "a_burst_that_did_not_happen", error, "", "too few launches",
       bursts(too_few), "warm", "1K"},
  };
}

std::vector<CheckCase> lookup_cases() {
  return {
      {"lookup.flat", "the_same", pass, "at most 3 times the processor time",
       "8.0 us per call, 8.0 us in process \"cold\"", bursts(), "warm", "cold"},
      {"lookup.flat", "within_the_slack", pass, "", "44.0 us per call",
       bursts([](auto& burst) { burst.after.cpu_ns += 36'000'000; }), "warm", "cold"},
      {"lookup.flat", "many_times", fail, "of process \"cold\"", "48.0 us per call",
       bursts([](auto& burst) { burst.after.cpu_ns += 40'000'000; }), "warm", "cold"},
      {"lookup.flat", "time_on_the_wall_does_not_count", pass, "", "8.0 us per call",
       bursts([](auto& burst) { burst.wall_ns *= 100; }), "warm", "cold"},
      {"lookup.flat", "no_burst", error, "", "no burst to compare", nothing, "warm", "cold"},
      {"lookup.flat", "no_base", error, "", "no burst to compare", bursts(), "warm", "never"},
      {"lookup.flat", "a_burst_that_did_not_happen", error, "", "fewer launches than calls",
       bursts(too_few), "warm", "cold"},
  };
}

std::vector<CheckCase> memory_and_dispatch_cases() {
  return {
      {"memory.flat", "a_little_more", pass, "at most 1.0 MiB more",
       "20000 KiB before 1000 calls, 20100 KiB after them", bursts(), "warm", "1M"},
      {"memory.flat", "less_than_before", pass, "", "",
       bursts([](auto& burst) { burst.after.resident_kib = 10'000; }), "warm", "0"},
      {"memory.flat", "too_much", fail, "at most 1.0 MiB more", "21025 KiB after them",
       bursts([](auto& burst) { burst.after.resident_kib = 21'025; }), "warm", "1M"},
      {"memory.flat", "no_burst", error, "", "there was no burst", nothing, "warm", "1M"},
      {"memory.flat", "a_burst_that_did_not_happen", error, "", "fewer launches than calls",
       bursts(too_few), "warm", "1M"},

      {"dispatch.overhead", "at_the_limit", pass, "at most 6 us per call",
       "10.00 us per call, of which 4.00 us in the kernel and 0.00 us without a processor",
       bursts(), "warm", "6"},
      {"dispatch.overhead", "above", fail, "at most 5.9 us per call", "10.00 us per call", bursts(),
       "warm", "5.9"},
      {"dispatch.overhead", "waiting_for_a_processor_does_not_count", pass, "",
       "100.00 us per call, of which 4.00 us in the kernel and 90.00 us without a processor",
       bursts([](auto& burst) {
         burst.wall_ns = 100'000'000;
         burst.before.waited_ns = 1'000'000;
         burst.after.waited_ns = 91'000'000;
       }),
       "warm", "6"},
      {"dispatch.overhead", "sleeping_counts", fail, "", "0.00 us without a processor",
       bursts([](auto& burst) { burst.wall_ns = 100'000'000; }), "warm", "6"},
      {"dispatch.overhead", "threads_of_its_own_that_keep_each_other_waiting_count", fail, "",
       "100.00 us per call, of which 4.00 us in the kernel and 0.00 us without a processor",
       bursts([](auto& burst) {
         burst.wall_ns = 100'000'000;
         burst.after.cpu_ns = burst.before.cpu_ns + 200'000'000;
         burst.after.waited_ns = 90'000'000;
       }),
       "warm", "6"},
      {"dispatch.overhead", "processes_of_its_own_that_keep_it_waiting_count", fail, "",
       "0.00 us without a processor", bursts([](auto& burst) {
         burst.wall_ns = 100'000'000;
         burst.after.waited_ns = 90'000'000;
         burst.had_children = true;
       }),
       "warm", "6"},
      {"dispatch.overhead", "no_burst", error, "", "there was no burst", nothing, "warm", "6"},
      {"dispatch.overhead", "a_burst_that_tuned", error, "", "its calls are not hits",
       bursts([](auto& burst) { burst.counts.trial_launches = 1; }), "warm", "6"},
      {"dispatch.overhead", "a_burst_that_did_not_happen", error, "", "fewer launches than calls",
       bursts(too_few), "warm", "6"},
  };
}

std::vector<CheckCase> burst_cases() {
  return {
      {"key.must_hit", "a_burst_of_hits", pass, "", "0 compiles and 0 trial launches", bursts(),
       "warm"},
      {"key.must_hit", "a_burst_with_a_trial", fail, "", "1 trial launch",
       bursts([](auto& burst) { burst.counts.trial_launches = 1; }), "warm"},
      {"key.must_hit", "a_burst_that_launches_more_often_than_it_calls", fail, "",
       "2 trial launches", bursts([](auto& burst) { burst.counts.launches = 1002; }), "warm"},
      {"key.must_hit", "a_burst_of_nothing", error, "", "neither a compile nor a launch",
       bursts([](auto& burst) { burst.counts = {}; }), "warm"},
      {"key.must_miss", "a_burst_with_a_trial", pass, "", "1 trial launch",
       bursts([](auto& burst) { burst.counts.trial_launches = 1; }), "warm"},
      {"report.agrees", "a_burst_of_hits", pass, "", "hit, winner of many calls", bursts(), "warm"},
      {"report.agrees", "a_burst_that_tuned_and_says_hit", fail, "", "it reports hit",
       bursts([](auto& burst) { burst.counts.trial_launches = 3; }), "warm"},
      {"report.agrees", "a_burst_that_left_out_a_call", fail, "",
       "it reports 1000 calls as done, but only 999 were launched", bursts(too_few), "warm"},
      {"report.agrees", "a_burst_of_nothing", error, "", "no launch was counted",
       bursts([](auto& burst) { burst.counts = {}; }), "warm"},
  };
}

}  // namespace

std::vector<CheckCase> growth_cases() {
  std::vector<CheckCase> all;
  for (const auto& cases :
       {bounded_cases(), lookup_cases(), memory_and_dispatch_cases(), burst_cases()})
    all.insert(all.end(), cases.begin(), cases.end());
  return all;
}

}  // namespace tunecheck::test
