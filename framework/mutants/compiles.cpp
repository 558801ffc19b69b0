// Configs are compiled at once, and before any of them is measured: bugs in when compilers run.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "mutants/decorators.hpp"
#include "mutants/families.hpp"

namespace tunecheck::mutants {
namespace {

void allow_one_compiler(protocol::CallRequest& request) {
  request.compile_jobs = 1;
}

// Compilers that run besides the tuning, as of one that compiles what it may need next.
class Meanwhile {
 public:
  explicit Meanwhile(CompileCount compiles) : m_compiles(std::move(compiles)) {}
  void begin_one() {
    constexpr std::size_t most = 4;
    const std::scoped_lock lock(m_mutex);
    if (m_running.size() == most) return;
    m_running.emplace_back([] {
      (void)!std::system(
          "next=\"${TMPDIR:-/tmp}/tunecheck-next-$$.so\"; \"${TUNECHECK_CXX:-c++}\" "
          "-x c++ -shared -fPIC /dev/null -o \"$next\"; rm -f \"$next\"");
    });
    ++*m_compiles;
  }
  void wait() {
    const std::scoped_lock lock(m_mutex);
    m_running.clear();
  }

 private:
  CompileCount m_compiles;
  std::mutex m_mutex;
  std::vector<std::jthread> m_running;
};

class CompilesDuringTrials : public TrialRunner {
 public:
  CompilesDuringTrials(std::shared_ptr<const TrialRunner> inner,
                       std::shared_ptr<Meanwhile> meanwhile)
      : m_inner(std::move(inner)), m_meanwhile(std::move(meanwhile)) {}
  Result<Outcome> run(const std::function<void(TrialRecord&)>& body,
                      const TrialLimits& limits) const override {
    m_meanwhile->begin_one();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // it has to come to its start
    return m_inner->run(body, limits);
  }

 private:
  std::shared_ptr<const TrialRunner> m_inner;
  std::shared_ptr<Meanwhile> m_meanwhile;
};

class WaitsForCompilers : public ObserverDecorator {
 public:
  WaitsForCompilers(std::shared_ptr<TunerObserver> inner, std::shared_ptr<Meanwhile> meanwhile)
      : ObserverDecorator(std::move(inner)), m_meanwhile(std::move(meanwhile)) {}
  void on_report(CallReport& report) override {
    m_meanwhile->wait();
    ObserverDecorator::on_report(report);
  }

 private:
  std::shared_ptr<Meanwhile> m_meanwhile;
};

void plant_measures_while_compiling(ReferenceAdapterSetup& setup) {
  const auto meanwhile = std::make_shared<Meanwhile>(count_compiles(setup));
  decorate_observer<WaitsForCompilers>(setup, meanwhile);
  setup.parts.runner = std::make_shared<CompilesDuringTrials>(setup.parts.runner, meanwhile);
}

}  // namespace

std::vector<Mutant> compile_mutants() {
  return {
      {"compiles_in_turn",
       "compiles one config after the other, although several compilers may run at once",
       [](ReferenceAdapterSetup& setup) { setup.before_call = allow_one_compiler; }},
      {"measures_while_compiling",
       "compiles what it may need next while it measures, so that a compiler takes time from the "
       "config that is measured",
       plant_measures_while_compiling},
  };
}

}  // namespace tunecheck::mutants
