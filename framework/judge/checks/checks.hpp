#pragma once
// What the checks' functions share. The functions stand in checks_*.cpp, one file a family;
// table/questions.hpp declares them for the table.
#include <utility>

#include <fmt/format.h>

#include "judge/checks/record.hpp"
#include "judge/checks/table/questions.hpp"

namespace tunecheck::checks {

[[nodiscard]] inline Answer judged(bool holds, std::string expected, std::string observed) {
  return {holds ? Verdict::pass : Verdict::fail, std::move(expected), std::move(observed)};
}
/// No evidence, no pass.
[[nodiscard]] inline Answer no_evidence(std::string expected, std::string why) {
  return {Verdict::error, std::move(expected), "no evidence: " + std::move(why)};
}

/// The config that a compiler run was for, as the CPU backend passes it; "" if it does not say.
[[nodiscard]] std::string config_of(const CompileEvent& compile);
/// What a launch says of the winner: of a tuner that keeps artifacts the digest of the bytes, of
/// any other the config, since it may have compiled it again, and removed the file before anybody
/// could read it. "" where that is not known.
[[nodiscard]] std::string winner_of(const CallRecord& call, const LaunchEvent& launch);
/// The same in words, for a check that finds it unknown.
[[nodiscard]] std::string unknown_winner(const CallRecord& call);
/// True where both launched the same winner.
[[nodiscard]] bool same_winner(const CallRecord& call, const LaunchEvent& a, const LaunchEvent& b);
/// True where both ask for the same winner; where their tensors lie in files does not matter.
[[nodiscard]] bool same_question(const protocol::CallRequest& a, const protocol::CallRequest& b);
/// The same winner is right for both: a number that decides nothing may differ.
[[nodiscard]] bool same_key(const protocol::CallRequest& a, const protocol::CallRequest& b);
/// True where a message to the caller speaks of a winner that could not be stored.
[[nodiscard]] bool mentions_store(const std::string& message);

}  // namespace tunecheck::checks
