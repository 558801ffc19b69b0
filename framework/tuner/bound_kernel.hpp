#pragma once
// What is behind a TunedKernel: from a call to its winner.
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tuner/background_tunings.hpp"
#include "tuner/call_report.hpp"
#include "tuner/tuner_state.hpp"
#include "tuner/tuning.hpp"

namespace tunecheck::detail {

/// One kernel as it was bound, and its way from a call to a winner: by the calls seen before, by
/// the winners in memory, by find_winner(). Any thread may call it. Where the tuner's callers do
/// not wait, it launches a stand-in and has m_background find the winner, which ends with this
/// object.
class BoundKernel {
 public:
  [[nodiscard]] static Result<std::unique_ptr<BoundKernel>> create(TunerState& tuner,
                                                                   TuneRequest request);

  [[nodiscard]] Result<CallReport> call(LaunchArguments arguments) {
    arguments.memory = m_memory;
    if (const KnownWinner* const winner = m_known.find(arguments))
      return launch_known(*winner, arguments);
    return call_by_key(arguments, m_file_order);
  }
  [[nodiscard]] Result<CallReport> call(std::span<const NamedTensor> tensors,
                                        const std::map<std::string, double>& scalars,
                                        Stream stream);

 private:
  BoundKernel(TunerState& tuner, TuneRequest request, BoundFacts facts);

  Result<CallReport> launch_known(const KnownWinner& winner,
                                  const LaunchArguments& arguments) const {
    if (m_prepares_hits) m_real_call.prepare(m_roles, arguments, CallKind::hit);
    if (m_has_hook) m_request.before_launch(arguments);
    Result<CallReport> report(tl::in_place);
    report->winner = winner.config;
    report->status = winner.module->launch(arguments);
    return report;
  }
  Result<CallReport> call_by_key(const LaunchArguments& arguments, std::span<const int> order);
  Result<void> check_arguments(const LaunchArguments& arguments) const;
  Key key_of(const CallArguments& call) const;
  bool is_good_enough(const SearchedWith& searched) const;

  // What is launched without waiting, and whether it is the winner itself.
  struct StandIn {
    std::shared_ptr<const LoadedWinner> winner;
    bool is_winner = false;
    CallReport report;
  };
  Result<CallReport> call_without_waiting(const CallArguments& call, const Key& key,
                                          const std::shared_ptr<WinnerSlot>& slot);
  Result<StandIn> find_stand_in(const CallArguments& call, const Key& key, WinnerSlot& slot,
                                std::shared_ptr<const LoadedWinner> winner);
  void search_meanwhile(const CallArguments& call, const Key& key,
                        const std::shared_ptr<WinnerSlot>& slot, CallReport& report);
  void tune_meanwhile(const CallArguments& call, const Key& key, WinnerSlot& slot,
                      const std::stop_token& stop);

  // What a hit reads comes first, on few lines of memory: a launch drives most of a cache out.
  const TensorMemory* const m_memory;  // the backend's
  const RealCall& m_real_call;         // the tuner's
  const bool m_prepares_hits;
  const bool m_has_hook;
  bool m_has_fast_path = true;
  KnownCalls m_known;
  const std::vector<TensorRole> m_roles;

  TunerState& m_tuner;
  const TuneRequest m_request;
  const BoundFacts m_facts;
  std::vector<std::vector<std::int64_t>> m_shapes;  // one a tensor
  std::vector<int> m_file_order;                    // 0, 1, 2, ...
  std::vector<KeyValue> m_bound_values;
  BackgroundTunings m_background;  // dies first: it uses the others
};

}  // namespace tunecheck::detail
