#include "tuner/tuning.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "backend/compile_all.hpp"

namespace tunecheck {
namespace {

// A second look at more configs than this costs more than it tells.
constexpr std::size_t most_finalists = 3;

std::string status_text(LaunchStatus status) {
  constexpr LaunchStatus out_of_resources = 701;
  return fmt::format("status {}{}", status, status == out_of_resources ? ": out of resources" : "");
}

class Tuning {
 public:
  explicit Tuning(const TuningInput& input) : m_in(input) {}

  Result<TuningOutput> run() {
    m_out.arguments = m_in.parts.make_arguments(m_in.call);
    TUNECHECK_CHECK(m_out.arguments->take_snapshot());
    auto done = compile_and_try();
    if (!done) {
      m_out.arguments->undo();
      return failure(std::move(done).error());
    }
    return std::move(m_out);
  }

 private:
  Result<void> compile_and_try() {
    for (const Config& config : m_in.facts.configs)
      m_out.trials.push_back({config, {}, 0, 0, 0, 0});
    m_artifacts.resize(m_out.trials.size(), failure("was not compiled"));
    m_samples.resize(m_out.trials.size());
    m_resumed.resize(m_out.trials.size());
    if (m_in.request.reference) TUNECHECK_CHECK(compute_reference());
    TUNECHECK_CHECK(resume());
    compile_rest();
    for (const std::size_t index : trial_order()) {
      TUNECHECK_CHECK(try_config(index));
      if (m_in.journal != nullptr) m_in.journal->add(m_out.trials[index]);
    }
    TUNECHECK_CHECK(look_again());
    for (const Trial& trial : m_out.trials)
      m_in.parts.observer->on_trial(trial);
    const auto winner = m_in.parts.choose_winner(m_out.trials);
    if (!winner)
      return failure("none of the {} configs of {} can be used: {}", m_out.trials.size(),
                     m_in.request.kernel.name, summarise_failures(m_out.trials));
    m_out.winner = *winner;
    if (!m_artifacts[*winner])
      return failure("the winner {} has no artifact", to_string(m_out.trials[*winner].config));
    m_out.artifact = std::move(*m_artifacts[*winner]);
    return {};
  }

  // Takes over what a killed tuning had finished. Its results are gone, so the best config runs
  // once, unmeasured: it must still work, and says what is right where there is no reference. A
  // journal whose best config does not work is not believed.
  Result<void> resume() {
    if (m_in.journal == nullptr || m_in.journal->finished().empty()) return {};
    std::map<Config, const Trial*> finished;
    for (const Trial& trial : m_in.journal->finished())
      finished[trial.config] = &trial;
    for (std::size_t i = 0; i < m_out.trials.size(); ++i)
      if (const auto found = finished.find(m_out.trials[i].config); found != finished.end()) {
        m_out.trials[i] = *found->second;
        m_resumed[i] = true;
        ++m_out.resumed;
      }
    const auto best = fastest_trial(m_out.trials);
    bool works = false;
    if (best) {
      compile({*best});
      TUNECHECK_TRY(works, still_works(*best));
    }
    if (works) return {};
    for (std::size_t i = 0; i < m_out.trials.size(); ++i)
      if (m_resumed[i]) {
        m_out.trials[i] = {m_out.trials[i].config, {}, 0, 0, 0, 0};
        m_resumed[i] = false;
      }
    m_out.resumed = 0;
    return {};
  }

  Result<bool> still_works(std::size_t index) {
    if (!m_artifacts[index]) return false;
    m_out.arguments->before_trial();
    const auto body = [&](TrialRecord& record) {
      const auto module = m_in.backend.load(*m_artifacts[index]);
      if (!module) return record.set_message("cannot be loaded: " + module.error().text());
      record.status = m_in.parts.measurement->run_rep(**module, *m_out.arguments).status;
      record.samples = 1;
    };
    TUNECHECK_TRY(const TrialRunner::Outcome outcome, m_in.parts.runner->run(body, limits()));
    if (!reason_against(outcome, 1).empty()) return false;
    if (!m_expected) m_expected = m_in.parts.validation->result_of(*m_out.arguments);
    return true;
  }

  void compile_rest() {
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < m_out.trials.size(); ++i)
      if (!m_resumed[i] && !m_artifacts[i]) rest.push_back(i);
    compile(rest);
  }

  void compile(const std::vector<std::size_t>& configs) {
    std::vector<DType> dtypes;
    for (const TensorView& tensor : m_in.call.launch.tensors)
      dtypes.push_back(tensor.dtype);
    std::vector<CompileRequest> requests;
    for (const std::size_t i : configs)
      requests.push_back({&m_in.request.kernel, dtypes, m_in.facts.configs[i], m_in.facts.arch,
                          m_in.request.compile_options});
    auto artifacts = compile_all(m_in.backend, requests, compile_jobs());
    m_out.compiles += static_cast<std::int64_t>(requests.size());
    for (std::size_t i = 0; i < artifacts.size(); ++i) {
      Result<Artifact>& artifact = m_artifacts[configs[i]] = std::move(artifacts[i]);
      if (artifact)
        m_in.parts.observer->on_compiled(m_in.key, m_in.facts.configs[configs[i]], *artifact);
      else
        m_out.trials[configs[i]].failure = "does not compile: " + artifact.error().text();
    }
  }

  int compile_jobs() const {
    return m_in.request.compile_jobs > 0 ? m_in.request.compile_jobs : m_in.options.compile_jobs;
  }

  Result<void> compute_reference() {
    m_out.arguments->before_trial();
    m_out.arguments->before_rep();
    m_in.call.run_hook(m_out.arguments->trial_launch());
    TUNECHECK_TRY(m_expected, m_in.request.reference(m_out.arguments->trial_launch()));
    return {};
  }

  // Without a reference the first valid trial says what is right, and nothing is more likely to be
  // right than the default config.
  std::vector<std::size_t> trial_order() const {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < m_out.trials.size(); ++i)
      if (m_artifacts[i] && !m_resumed[i]) order.push_back(i);
    const auto chosen = m_in.request.kernel.default_for(m_in.request.sizes);
    if (chosen)
      std::stable_partition(order.begin(), order.end(),
                            [&](std::size_t i) { return m_out.trials[i].config == *chosen; });
    return order;
  }

  Result<void> try_config(std::size_t index) {
    m_out.arguments->before_trial();
    const auto body = [&](TrialRecord& record) {
      const auto module = m_in.backend.load(*m_artifacts[index]);
      if (!module) {
        record.set_message("cannot be loaded: " + module.error().text());
        return;
      }
      m_in.parts.measurement->measure(**module, *m_out.arguments, m_in.options.measuring_time,
                                      record);
    };
    TUNECHECK_TRY(const TrialRunner::Outcome outcome, m_in.parts.runner->run(body, limits()));
    judge(index, outcome);
    return {};
  }

  TrialLimits limits() const {
    return {m_in.options.trial_time_limit, m_in.options.trial_memory_bytes};
  }

  void judge(std::size_t index, const TrialRunner::Outcome& outcome) {
    Trial& trial = m_out.trials[index];
    const TrialRecord& record = outcome.record;
    // The trial had the record in its reach: its numbers are believed only as far as they can be.
    const auto samples = static_cast<std::size_t>(
        std::clamp<std::int32_t>(record.samples, 0, std::int32_t{TrialRecord::max_samples}));
    trial.failure = reason_against(outcome, samples);
    if (!trial.failure.empty()) {
      trial = {trial.config, std::move(trial.failure), 0, 0, 0, 0};
      return;
    }
    if (!m_expected) m_expected = m_in.parts.validation->result_of(*m_out.arguments);
    std::vector<std::int64_t>& pooled = m_samples[index];
    pooled.insert(pooled.end(), record.elapsed_ns.begin(),
                  record.elapsed_ns.begin() + static_cast<std::ptrdiff_t>(samples));
    const MedianEstimate estimate = estimate_median(pooled);
    trial.median_ns = estimate.median_ns;
    trial.low_ns = estimate.low_ns;
    trial.high_ns = estimate.high_ns;
    trial.reps = static_cast<int>(pooled.size());
  }

  // Another config's result may be off as well, in the other direction.
  Tolerances tolerances() const {
    const Tolerances& tolerance = m_in.request.kernel.tolerance;
    return m_in.request.reference ? tolerance : tolerance.doubled();
  }

  std::string reason_against(const TrialRunner::Outcome& outcome, std::size_t samples) const {
    if (!outcome.failure.empty()) return outcome.failure;
    if (outcome.record.message[0] != '\0') return outcome.record.message.data();
    if (outcome.record.status != 0) return status_text(outcome.record.status);
    std::string wrong = m_in.parts.validation->check(*m_out.arguments, m_expected, tolerances());
    return wrong.empty() && samples == 0 ? "was never measured" : wrong;
  }

  // Where intervals overlap, one run in one process decides nothing: the best few run once more,
  // and all their samples count. The samples of resumed trials are not there any more.
  Result<void> look_again() {
    const auto best = fastest_trial(m_out.trials);
    if (!best) return {};
    const double limit = m_out.trials[*best].high_ns;
    std::vector<std::size_t> finalists;
    for (std::size_t i = 0; i < m_out.trials.size(); ++i)
      if (m_out.trials[i].measured() && !m_resumed[i] && m_out.trials[i].low_ns <= limit)
        finalists.push_back(i);
    std::stable_sort(finalists.begin(), finalists.end(), [&](std::size_t a, std::size_t b) {
      return m_out.trials[a].median_ns < m_out.trials[b].median_ns;
    });
    finalists.resize(std::min(finalists.size(), most_finalists));
    if (finalists.size() < 2) return {};
    for (const std::size_t index : finalists)
      TUNECHECK_CHECK(try_config(index));
    return {};
  }

  const TuningInput& m_in;
  TuningOutput m_out;
  std::vector<Result<Artifact>> m_artifacts;
  std::vector<std::vector<std::int64_t>> m_samples;
  std::vector<bool> m_resumed;
  std::optional<ExpectedTensors> m_expected;
};

}  // namespace

Result<TuningOutput> tune(const TuningInput& input) {
  return Tuning(input).run();
}

}  // namespace tunecheck
