// What the tuner says must be what it did.
#include <deque>
#include <mutex>

#include "mutants/decorators.hpp"
#include "mutants/families.hpp"

namespace tunecheck::mutants {
namespace {

class ReportsHit : public ObserverDecorator {
 public:
  using ObserverDecorator::ObserverDecorator;
  void on_report(CallReport& report) override {
    report.cache = CacheUse::hit;
    ObserverDecorator::on_report(report);
  }
};

class ReportsOtherWinner : public ObserverDecorator {
 public:
  using ObserverDecorator::ObserverDecorator;
  void on_report(CallReport& report) override {
    const std::scoped_lock lock(m_mutex);
    report.winner = &m_named.emplace_back(other_than(*report.winner, report));
    ObserverDecorator::on_report(report);
  }

 private:
  // A hit comes without trials: then a config that may not even exist.
  static Config other_than(const Config& winner, const CallReport& report) {
    for (const Trial& trial : report.trials)
      if (trial.measured() && trial.config != winner) return trial.config;
    Config other = winner;
    if (!other.empty()) ++other.begin()->second;
    return other;
  }

  std::mutex m_mutex;
  std::deque<Config> m_named;  // reports point at them
};

class ForgetsFailures : public ObserverDecorator {
 public:
  using ObserverDecorator::ObserverDecorator;
  void on_report(CallReport& report) override {
    std::erase_if(report.trials, [](const Trial& trial) { return !trial.failure.empty(); });
    ObserverDecorator::on_report(report);
  }
};

class ExplainsNoMiss : public ObserverDecorator {
 public:
  using ObserverDecorator::ObserverDecorator;
  void on_report(CallReport& report) override {
    if (report.cache == CacheUse::miss) {
      report.missed_axes.clear();
      report.message = summarise_failures(report.trials);
      for (const std::string& warning : report.warnings)
        report.message += (report.message.empty() ? "warning: " : "; warning: ") + warning;
    }
    ObserverDecorator::on_report(report);
  }
};

class ExplainsByEverything : public ObserverDecorator {
 public:
  using ObserverDecorator::ObserverDecorator;
  void on_report(CallReport& report) override {
    if (!report.missed_axes.empty())
      report.missed_axes = {"source", "shape", "strides", "dtype", "arch", "environment"};
    ObserverDecorator::on_report(report);
  }
};

// What the caller sees of a launch that was refused: nothing was written, and all is well.
void plant_failed_launch_is_done(ReferenceAdapterSetup& setup) {
  setup.before_answer = [](const protocol::CallRequest&, protocol::CallAnswer& answer) {
    if (answer.done || !answer.winner) return;  // without a winner there was no launch
    answer.done = true;
    answer.message.clear();
  };
}

template <class Observer>
void observe(ReferenceAdapterSetup& setup) {
  decorate_observer<Observer>(setup);
}

}  // namespace

std::vector<Mutant> report_mutants() {
  return {
      {"reports_hit_always", "says that the winner was known, even if it has just been tuned",
       observe<ReportsHit>},
      {"reports_other_winner", "names a config other than the one that it launched",
       observe<ReportsOtherWinner>},
      {"failures_forgotten", "does not mention configs that failed", observe<ForgetsFailures>},
      {"failed_launch_is_done",
       "answers a call as if it had been done although the winner's launch for the caller failed",
       plant_failed_launch_is_done},
      {"misses_unexplained", "does not say how the key of a miss differs from what is stored",
       observe<ExplainsNoMiss>},
      {"misses_explained_by_everything",
       "names six axes for each miss, whichever of them differs from what is stored",
       observe<ExplainsByEverything>},
  };
}

}  // namespace tunecheck::mutants
