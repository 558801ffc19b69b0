// Remote caches: when they are asked, and what is made of one that misbehaves. The requests are
// those that the judge's own way to the server saw.
#include <algorithm>
#include <string>

#include "core/text.hpp"
#include "judge/checks/checks.hpp"

namespace tunecheck::checks {
namespace {

constexpr double ns_per_second = 1e9;

std::string requests_text(const std::vector<RemoteRequest>& requests) {
  return counted(requests.size(), "request") + " to the remote cache";
}

// One that never ended lasted until the process did.
double seconds_of(const RemoteRequest& request, const CallRecord& call) {
  const std::int64_t end = request.ended_ns != 0 ? request.ended_ns : call.asked_ns + call.wall_ns;
  return static_cast<double>(end - request.began_ns) / ns_per_second;
}

}  // namespace

Answer remote_asked(const CheckContext& context) {
  const std::string expected = "the remote cache is asked for the winner";
  const auto& requests = context.call.remote_requests;
  if (!requests) return no_evidence(expected, "the process was given no remote cache");
  const auto reads = std::count_if(requests->begin(), requests->end(),
                                   [](const RemoteRequest& request) { return request.is_read; });
  return judged(reads > 0, expected,
                fmt::format("{}, {} of them for a value", requests_text(*requests), reads));
}

Answer remote_left_alone(const CheckContext& context) {
  const std::string expected = "what is in the cache folder is used without a remote cache";
  const auto& requests = context.call.remote_requests;
  if (!requests) return no_evidence(expected, "the process was given no remote cache");
  return judged(requests->empty(), expected, requests_text(*requests));
}

Answer remote_within_limit(const CheckContext& context) {
  const double limit = parse_number(context.parameter).value_or(0);
  const std::string expected =
      fmt::format("no request to the remote cache is waited for longer than {} s", limit);
  const auto& requests = context.call.remote_requests;
  if (!requests || requests->empty())
    return no_evidence(expected, "no request to a remote cache was seen");
  double longest = 0;
  for (const RemoteRequest& request : *requests)
    longest = std::max(longest, seconds_of(request, context.call));
  return judged(longest <= limit, expected,
                fmt::format("{}; the longest took {:.2f} s", requests_text(*requests), longest));
}

Answer remote_told(const CheckContext& context) {
  const std::string expected =
      "the answer says that the remote cache failed, or has what must not be used, and why";
  const auto& answer = context.call.answer;
  if (!answer) return no_evidence(expected, "there is no answer");
  const bool is_told = answer->remote == "failed" || answer->remote == "refused";
  return judged(is_told && !answer->message.empty(), expected,
                fmt::format("it says \"{}\" of the remote cache, and: {}",
                            answer->remote.empty() ? "nothing" : answer->remote,
                            answer->message.empty() ? "no message" : answer->message));
}

}  // namespace tunecheck::checks
