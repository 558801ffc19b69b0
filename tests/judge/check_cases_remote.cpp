// Requests to a remote cache, as the way to it saw them.
#include "hand_made_record.hpp"

namespace tunecheck::test {
namespace {

constexpr std::int64_t remote_second_ns = 1'000'000'000;

// The cold call lasts ten seconds, and its requests as long as is given.
auto with_requests(std::vector<std::int64_t> lengths_ns, bool are_reads = true) {
  return [lengths_ns = std::move(lengths_ns), are_reads](HandMadeRecord& record) {
    CallRecord& call = record.cold();
    call.asked_ns = remote_second_ns;
    call.wall_ns = 10 * remote_second_ns;
    call.remote_requests.emplace();
    for (const std::int64_t length_ns : lengths_ns)
      call.remote_requests->push_back(
          {call.asked_ns, length_ns > 0 ? call.asked_ns + length_ns : 0, false, are_reads});
  };
}

auto saying(const std::string& remote, const std::string& message) {
  return [=](HandMadeRecord& record) {
    record.cold().answer->remote = remote;
    record.cold().answer->message = message;
  };
}

}  // namespace

std::vector<CheckCase> remote_cases() {
  constexpr auto pass = Verdict::pass, fail = Verdict::fail, error = Verdict::error;
  return {
      {"remote.asked", "a_request", pass, "is asked", "1 request", with_requests({1})},
      {"remote.asked", "only_told", fail, "", "0 of them for a value", with_requests({1}, false)},
      {"remote.asked", "none", fail, "", "0 requests", with_requests({})},
      {"remote.asked", "no_remote", error, "", "given no remote cache", nothing},
      {"remote.left_alone", "none", pass, "without a remote", "0 requests", with_requests({})},
      {"remote.left_alone", "two", fail, "", "2 requests", with_requests({1, 1})},
      {"remote.left_alone", "no_remote", error, "", "given no remote cache", nothing},
      {"remote.within_limit", "quick", pass, "longer than 3 s", "the longest took 2.00 s",
       with_requests({remote_second_ns, 2 * remote_second_ns}), "cold", "3"},
      {"remote.within_limit", "slow", fail, "", "the longest took 4.00 s",
       with_requests({4 * remote_second_ns, 1}), "cold", "3"},
      {"remote.within_limit", "never_ended", fail, "", "the longest took 10.00 s",
       with_requests({0}), "cold", "3"},
      {"remote.within_limit", "nothing_seen", error, "", "no request", with_requests({}), "cold",
       "3"},
      {"remote.told", "failed", pass, "says that", "it says \"failed\"",
       saying("failed", "no answer in time")},
      {"remote.told", "refused", pass, "", "it says \"refused\"", saying("refused", "damaged")},
      {"remote.told", "a_miss", fail, "", "it says \"miss\"", saying("miss", "tuned")},
      {"remote.told", "silent", fail, "", "it says \"nothing\"", saying("", "tuned")},
      {"remote.told", "without_a_reason", fail, "", "no message", saying("failed", "")},
      {"remote.told", "no_answer", error, "", "there is no answer",
       [](HandMadeRecord& record) { record.cold().answer.reset(); }},
  };
}

}  // namespace tunecheck::test
