// Tables, bundles, and configs that are launched without a search: what their checks make of
// evidence.
#include "hand_made_record.hpp"

namespace tunecheck::test {
namespace {

using enum Verdict;

// What the cold call answers of a table or of a bundle.
std::function<void(HandMadeRecord&)> saying_of(std::string protocol::CallAnswer::*what,
                                               const std::string& word,
                                               const std::string& message) {
  return [=](HandMadeRecord& record) {
    (*record.cold().answer).*what = word;
    record.cold().answer->message = message;
  };
}

std::function<void(HandMadeRecord&)> with_bundles(std::size_t files) {
  return [=](HandMadeRecord& record) { record.record.processes.at(0).bundle_files = files; };
}

void without_answer(HandMadeRecord& record) {
  record.cold().answer.reset();
}

std::function<void(HandMadeRecord&)> asked_for(const Config& config) {
  return [=](HandMadeRecord& record) { record.warm().request.config = config; };
}

}  // namespace

std::vector<CheckCase> exchange_cases() {
  constexpr auto table = &protocol::CallAnswer::table;
  constexpr auto bundle = &protocol::CallAnswer::bundle;
  return {
      {"table.told", "absent", pass, "says that", "it says \"absent\" of the table",
       saying_of(table, "absent", "for another device")},
      {"table.told", "refused", pass, "", "refused", saying_of(table, "refused", "truncated")},
      {"table.told", "exact", fail, "", "it says \"exact\"", saying_of(table, "exact", "used")},
      {"table.told", "silent", fail, "", "it says \"nothing\"", saying_of(table, "", "tuned")},
      {"table.told", "without_a_reason", fail, "", "no message", saying_of(table, "refused", "")},
      {"table.told", "no_answer", error, "", "there is no answer", without_answer},
      {"bundle.told", "refused", pass, "must not be used", "it says \"refused\" of the bundle",
       saying_of(bundle, "refused", "truncated")},
      {"bundle.told", "loaded", fail, "", "it says \"loaded\"", saying_of(bundle, "loaded", "x")},
      {"bundle.told", "without_a_reason", fail, "", "no message", saying_of(bundle, "refused", "")},
      {"bundle.told", "no_answer", error, "", "there is no answer", without_answer},
      {"bundle.written", "one", pass, "a bundle", "1 files", with_bundles(1)},
      {"bundle.written", "none", fail, "", "0 files", with_bundles(0)},
      {"bundle.written", "told_of_none", error, "", "told of no bundle", nothing},
      {"bundle.unwritten", "none", pass, "no bundle", "0 files", with_bundles(0)},
      {"bundle.unwritten", "one", fail, "", "1 files", with_bundles(1)},
      {"bundle.unwritten", "told_of_none", error, "", "told of no bundle", nothing},
      {"config.launched", "this_one", pass, "none is tried", "step=2 was launched after 0 trial",
       asked_for({{"step", 2}}), "warm"},
      {"config.launched", "another_one", fail, "", "the caller's is step=1",
       asked_for({{"step", 1}}), "warm"},
      {"config.launched", "after_trials", fail, "", "trial launches",
       [](HandMadeRecord& record) {
         record.cold().request.config = Config{{"step", 2}};
       }},
      {"config.launched", "nobody_asked", error, "", "names no config", nothing, "warm"},
      {"config.launched", "nothing_seen", error, "", "no launch that names its config",
       [](HandMadeRecord& record) { record.warm().launches.clear(); }, "warm"},
      {"search.none", "a_hit", pass, "at most one", "0 trial launches, 0 compiles", nothing,
       "warm"},
      {"search.none", "one_compiled", pass, "", "1 compiles of 1 binaries",
       [](HandMadeRecord& record) { record.warm().compiles.push_back(compile_of("step=2")); },
       "warm"},
      {"search.none", "two_compiled", fail, "", "2 binaries",
       [](HandMadeRecord& record) {
         record.warm().compiles.push_back(compile_of("step=1"));
         record.warm().compiles.push_back(compile_of("step=2"));
       },
       "warm"},
      {"search.none", "tuned", fail, "", "trial launches", nothing},
      {"search.none", "nothing_seen", error, "", "no launch",
       [](HandMadeRecord& record) { record.warm().launches.clear(); }, "warm"},
  };
}

}  // namespace tunecheck::test
