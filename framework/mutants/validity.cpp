// A wrong config must not win, and a broken one costs itself alone.
#include <atomic>
#include <map>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "mutants/decorators.hpp"
#include "mutants/families.hpp"

namespace tunecheck::mutants {
namespace {

class RememberNames : public ObserverDecorator {
 public:
  struct Names {
    std::mutex mutex;
    std::set<Config> compiled;
  };
  RememberNames(std::shared_ptr<TunerObserver> inner, std::shared_ptr<Names> names)
      : ObserverDecorator(std::move(inner)), m_names(std::move(names)) {}
  void on_compiled(const Key& key, const Config& config, const Artifact& artifact) override {
    {
      const std::scoped_lock lock(m_names->mutex);
      m_names->compiled.insert(config);
    }
    ObserverDecorator::on_compiled(key, config, artifact);
  }

 private:
  std::shared_ptr<Names> m_names;
};

// Where nothing was measured, every config took "infinitely long", and the first of them is as good
// as any.
void plant_unmeasured_winner(ReferenceAdapterSetup& setup) {
  const auto names = std::make_shared<RememberNames::Names>();
  decorate_observer<RememberNames>(setup, names);
  setup.parts.choose_winner = [names, inner = setup.parts.choose_winner](
                                  std::span<const Trial> trials) -> std::optional<std::size_t> {
    if (const auto measured = inner(trials)) return measured;
    const std::scoped_lock lock(names->mutex);
    for (std::size_t i = 0; i < trials.size(); ++i)
      if (names->compiled.contains(trials[i].config)) return i;
    return std::nullopt;
  };
}

class NoComparison : public Validation {
 public:
  std::string check(const TrialArguments& arguments,
                    const std::optional<ExpectedResults>& /*expected*/,
                    const Tolerances& tolerances) const override {
    return Validation::check(arguments, std::nullopt, tolerances);
  }
};

// Looks at the results alone: what a config wrote beside them goes unnoticed.
class OnlyComparison : public Validation {
 public:
  std::string check(const TrialArguments& arguments, const std::optional<ExpectedResults>& expected,
                    const Tolerances& tolerances) const override {
    const auto tensors = arguments.trial_launch().tensors;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (!arguments.call().roles[i].is_result()) continue;
      const bool right =
          expected ? expected->compare(arguments, i, tolerances.of(tensors[i].dtype)).equal()
                   : unwritten_elements(arguments, i) == 0;
      if (!right) return fmt::format("wrong result in {}", arguments.call().roles[i].name);
    }
    return {};
  }
};

// Pure outputs keep what the trials before have written.
class MaskedByLosers : public TrialArguments {
 public:
  using TrialArguments::TrialArguments;
  void before_trial() override {
    std::map<std::size_t, MemoryBlock> kept;
    for (std::size_t i = 0; m_has_run && i < twins().size(); ++i) {
      if (!may_be_poisoned(i)) continue;
      auto block = call_memory().allocate(byte_range(snapshot(i)).size());
      if (!block) continue;
      call_memory().copy_elements(twins()[i], packed(i, *block));
      kept[i] = std::move(*block);
    }
    (void)call_memory().wait();
    TrialArguments::before_trial();
    for (auto& [i, block] : kept)
      trial_memory().copy_elements(packed(i, block), twins()[i]);
    (void)trial_memory().wait();
    m_has_run = true;
  }

 private:
  TensorView packed(std::size_t index, const MemoryBlock& block) const {
    TensorView view = snapshot(index);
    view.data = block.data();
    return view;
  }
  bool m_has_run = false;
};

class OneFailureFailsAll : public TrialRunner {
 public:
  explicit OneFailureFailsAll(std::shared_ptr<const TrialRunner> inner)
      : m_inner(std::move(inner)) {}
  Result<Outcome> run(const std::function<void(TrialRecord&)>& body,
                      const TrialLimits& limits) const override {
    Outcome outcome;
    if (m_failed) {
      outcome.failure = "the device is unusable since an earlier config failed";
      return outcome;
    }
    TUNECHECK_TRY(outcome, m_inner->run(body, limits));
    if (!outcome.failure.empty()) m_failed = true;
    return outcome;
  }

 private:
  std::shared_ptr<const TrialRunner> m_inner;
  mutable std::atomic<bool> m_failed = false;
};

// The same where trials run on a device, in a process of their own.
class DeadAfterOneDeath : public TrialSite {
 public:
  explicit DeadAfterOneDeath(std::unique_ptr<TrialSite> inner) : m_inner(std::move(inner)) {}
  const TensorMemory& memory() const override { return m_inner->memory(); }
  Result<std::unique_ptr<Module>> load(const Artifact& artifact) override {
    return m_inner->load(artifact);
  }
  std::string take_trouble() override {
    if (m_died) return "the device is unusable since an earlier config failed";
    std::string trouble = m_inner->take_trouble();
    m_died = !trouble.empty();
    return trouble;
  }

 private:
  std::unique_ptr<TrialSite> m_inner;
  bool m_died = false;
};

void plant_one_failure_fails_all(ReferenceAdapterSetup& setup) {
  setup.parts.runner = std::make_shared<OneFailureFailsAll>(setup.parts.runner);
  setup.parts.make_trial_site =
      [make = setup.parts.make_trial_site](
          const Backend& backend,
          std::chrono::milliseconds time_limit) -> Result<std::unique_ptr<TrialSite>> {
    TUNECHECK_TRY(std::unique_ptr<TrialSite> site, make(backend, time_limit));
    if (site) site = std::make_unique<DeadAfterOneDeath>(std::move(site));
    return site;
  };
}

// The default config is the first that is tried.
class RemembersFirst : public TrialRunner {
 public:
  struct First {
    std::atomic<bool> seen = false;
    std::atomic<bool> failed = false;
  };
  RemembersFirst(std::shared_ptr<const TrialRunner> inner, std::shared_ptr<First> first)
      : m_inner(std::move(inner)), m_first(std::move(first)) {}
  Result<Outcome> run(const std::function<void(TrialRecord&)>& body,
                      const TrialLimits& limits) const override {
    TUNECHECK_TRY(Outcome outcome, m_inner->run(body, limits));
    if (!m_first->seen.exchange(true))
      m_first->failed = !outcome.failure.empty() || outcome.record.status != 0;
    return outcome;
  }

 private:
  std::shared_ptr<const TrialRunner> m_inner;
  std::shared_ptr<First> m_first;
};

void plant_default_must_work(ReferenceAdapterSetup& setup) {
  const auto first = std::make_shared<RemembersFirst::First>();
  for (auto* const runner : {&setup.parts.runner, &setup.parts.direct_runner})
    *runner = std::make_shared<RemembersFirst>(*runner, first);
  setup.parts.choose_winner = [first, inner = setup.parts.choose_winner](
                                  std::span<const Trial> trials) -> std::optional<std::size_t> {
    if (first->failed) return std::nullopt;
    return inner(trials);
  };
}

}  // namespace

std::vector<Mutant> validity_mutants() {
  return {
      {"unmeasured_winner",
       "takes and stores a config that was never measured if every config failed "
       "(flashinfer#3555)",
       plant_unmeasured_winner},
      {"wrong_result_wins",
       "does not compare results, so that a config that runs but computes wrongly may win "
       "(helion#655)",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.validation = std::make_shared<NoComparison>();
       }},
      {"writing_outside_wins",
       "looks only at the results of a config, so that one that writes past its output may win "
       "(helion#655)",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.validation = std::make_shared<OnlyComparison>();
       }},
      {"masked_by_losers",
       "leaves outputs as the previous trial wrote them, so that a config that writes half of them "
       "looks right (triton#9230)",
       use_arguments<MaskedByLosers>},
      {"trials_in_process",
       "runs trials in its own process, so that a config that crashes ends the tuner "
       "(pytorch#95542)",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.runner = std::make_shared<InProcessTrialRunner>();
         setup.parts.make_trial_site = [](const Backend&, std::chrono::milliseconds) {
           return Result<std::unique_ptr<TrialSite>>();
         };
       }},
      {"default_must_work",
       "gives up if the default config fails, although others work (sglang#28038, helion#3161)",
       plant_default_must_work},
      {"one_failure_fails_all",
       "counts every config as failed once one has crashed (pytorch#95542)",
       plant_one_failure_fails_all},
  };
}

}  // namespace tunecheck::mutants
