#include "hand_made_watch.hpp"

namespace tunecheck::test {
namespace {

using Launched = WatchResult::LaunchKind;

WatchResult::Finding watch_finding(WatchWord word, const std::string& kernel,
                                   const std::string& text) {
  WatchResult::Finding made;
  made.word = word;
  made.kernel = kernel;
  made.shapes = kernel.empty() ? "" : "f32[4096] f32[4096]";
  made.run = "cold";
  made.text = text;
  if (!kernel.empty()) made.place = {"train.py", 53, "step"};
  return made;
}

WatchResult::Call watch_call(std::int64_t run, std::vector<WatchResult::Span> spans) {
  WatchResult::Call made;
  made.run = run;
  made.process = 4711 + run;
  made.numbers = "0.5";
  made.spans = std::move(spans);
  return made;
}

WatchResult::Timeline watch_timeline() {
  WatchResult::Timeline made;
  made.kernel = "sgd";
  made.shapes = "f32[4096] f32[4096]";
  made.place = {"train.py", 53, "step"};
  made.definition = {"train.py", 9, "sgd"};
  made.codes = {"block=1", "block=4", "block=16"};
  WatchResult::Call tuning =
      watch_call(0, {{Launched::trial, 0, 810'000'000, 812'000'000, 3},
                     {Launched::trial, 1, 930'000'000, 932'000'000, 3},
                     {Launched::trial, 2, 1'040'000'000, 1'042'000'000, 3},
                     {Launched::winner, 1, 1'050'000'000, 1'050'400'000, 1}});
  tuning.replayed = WatchResult::Replayed::differs;
  tuning.measured = 9;
  tuning.spoilt = 9;
  made.calls = {tuning, watch_call(0, {{Launched::launch, 1, 1'060'000'000, 1'900'000'000, 2}}),
                watch_call(1, {{Launched::launch, 1, 120'000'000, 420'000'000, 3}}),
                watch_call(2, {{Launched::counted, 2, 130'000'000, 400'000'000, 900}})};
  made.calls[1].repeated = 2;
  return made;
}

}  // namespace

WatchResult mixed_watch() {
  WatchResult watch;
  watch.tunecheck = "0.1.0";
  watch.started = "2024-05-01T12:00:00Z";
  watch.command = {"python3", "train.py"};
  watch.folder = "/work/out/watch";
  watch.runs = {{"cold", "exit status 0", true, 2'000'000'000, 1, 3, 14, 9},
                {"warm 1", "exit status 0", true, 500'000'000, 1, 1, 5, 0},
                {"warm 2", "signal 11 (Segmentation fault)", false, 510'000'000, 2, 0, 905, 0}};
  WatchResult::Finding wrong =
      watch_finding(WatchWord::wrong, "sgd", "the tuning changed what the program computes");
  wrong.definition = {"train.py", 9, "sgd"};
  wrong.details = {"12 launches in 3 codes; the winner is block=4",
                   "argument 0 (16384 bytes): 4096 of them differ"};
  WatchResult::Finding again =
      watch_finding(WatchWord::again, "l2norm", "tuned again in a warm start");
  again.definition = {"/opt/lib/python3/site-packages/fla/l2norm.py", 40, "l2norm"};
  again.is_new = false;
  WatchResult::Finding compiled = watch_finding(WatchWord::compiled, "", "a warm start compiles");
  compiled.run = "warm 1";
  compiled.is_allowed = true;
  WatchResult::Finding unclear =
      watch_finding(WatchWord::wrong, "noisy", "the winner leaves other results each time");
  unclear.is_certain = false;
  watch.findings = {wrong, again, compiled, unclear};
  WatchResult::Kernel sgd{"sgd", 3, {12, 3, 900}, {9, 0, 0}, {240'000'000, 0, 0}, {}, 0};
  sgd.settled = {{"f32[4096] f32[4096]", {"block=4", "block=4", "block=16"}}};
  WatchResult::Kernel scale{"scale", 1, {2, 2, 5}, {0, 0, 0}, {0, 0, 0}, {}, 0};
  scale.settled = {{"f32[16]", {"only", "only", "only"}}};
  watch.kernels = {scale, sgd};
  watch.notes = {"warm 2: 1 process outlived the program and was ended"};
  watch.timelines = {watch_timeline()};
  return watch;
}

}  // namespace tunecheck::test
