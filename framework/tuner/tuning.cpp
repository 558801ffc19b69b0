#include "tuner/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "tuner/compile_batch.hpp"

namespace tunecheck {
namespace {

// One tuning of one key. run() is called once. It takes the snapshot before anything is launched;
// then, in this order: the reference's result, the trials of a killed tuning, the search, a vote on
// what is right where nobody knows, further looks at the fastest configs, and the choice. Its lists
// have one element per config of the space: a config without an artifact has not been compiled yet,
// and a trial that is neither measured nor failed has not been tried. What was just measured waits
// in m_unsettled until settle() corrects it for the drift of the machine. On an error the caller's
// tensors are put back. If the process is killed, the journal has the trials of full length that
// had ended. After success the output keeps the snapshot, for the launch that follows.
class Tuning {
 public:
  explicit Tuning(const TuningInput& input) : m_in(input) {}

  Result<TuningOutput> run() {
    TUNECHECK_TRY(m_site, m_in.parts.make_trial_site(m_in.backend, m_in.options.trial_time_limit));
    CallArguments call = m_in.call;
    call.trial_memory = m_site ? &m_site->memory() : &call.launch.where();
    m_out.arguments = m_in.parts.make_arguments(call);
    TUNECHECK_CHECK(m_out.arguments->take_snapshot());
    auto done = compile_and_try();
    if (!done) {
      m_out.arguments->undo();
      return failure(std::move(done).error());
    }
    if (m_flush_ns > 0)
      m_out.flush_share =
          static_cast<double>(m_flush_ns) / static_cast<double>(m_flush_ns + m_kernels_ns);
    m_out.bytes_held = m_out.arguments->bytes_held();
    m_site.reset();
    m_out.arguments->end_trials();
    return std::move(m_out);
  }

 private:
  // One trial's samples, as they were measured.
  struct Measured {
    std::size_t index = 0;
    double at_ns = 0;  // by the device's clock
    std::vector<std::int64_t> samples;
  };

  // What configs computed that contradict the first one that worked.
  struct Dissent {
    std::optional<ExpectedResults> results;
    std::map<std::size_t, std::vector<Measured>> looks;  // by the config's place
  };
  // Each kept result takes as much memory as the outputs.
  static constexpr std::size_t most_dissents = 4;

  Result<void> compile_and_try() {
    begin();
    if (m_in.request.reference) TUNECHECK_CHECK(compute_reference());
    TUNECHECK_CHECK(resume());
    TUNECHECK_CHECK(search_on());
    TUNECHECK_CHECK(search());
    m_out.spent = spent();
    settle_dispute();
    TUNECHECK_CHECK(look_again());
    return choose();
  }

  void begin() {
    const std::size_t count = m_in.facts.configs.size();
    for (const Config& config : m_in.facts.configs)
      m_trials.push_back(unmeasured(config));
    m_artifacts.resize(count);
    m_looks.emplace(count);
    m_resumed.resize(count);
    m_drift = m_in.parts.make_drift_watch();
    for (const CompiledConfig& compiled : m_in.compiled)
      if (const auto place = place_of(compiled.config)) take(*place, compiled.artifact);
  }

  static Trial unmeasured(const Config& config) {
    Trial trial;
    trial.config = config;
    return trial;
  }

  Result<void> search() {
    const SearchOptions& options = search_for(m_in.request, m_in.options);
    const SearchInput input{options, m_in.facts.configs, default_place()};
    const std::unique_ptr<Search> search = m_in.parts.make_search(input);
    for (Proposal next = search->next(m_trials); !next.configs.empty() && !search->is_over(spent());
         next = search->next(m_trials)) {
      start_compiles(next.configs);
      for (const std::size_t index : next.configs) {
        if (search->is_over(spent())) break;
        if (m_resumed[index] || !compiled(index)) continue;
        TUNECHECK_CHECK(keep_watch());
        TUNECHECK_CHECK(try_config(index, next.effort));
        if (m_in.journal != nullptr && next.effort >= 1) m_in.journal->add(so_far(index));
      }
      if (m_batch) finish_compiles();
      settle();
    }
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
    for (std::size_t i = 0; i < m_trials.size(); ++i)
      if (const auto found = finished.find(m_trials[i].config); found != finished.end()) {
        m_trials[i] = *found->second;
        m_resumed[i] = true;
      }
    const auto best = fastest_trial(m_trials);
    bool works = false;
    if (best) {
      if (!m_artifacts[*best] || !*m_artifacts[*best]) {
        m_artifacts[*best].reset();
        compile({*best});
        finish_compiles();
      }
      TUNECHECK_TRY(works, still_works(*best));
    }
    if (!works) forget_resumed();
    m_out.resumed = static_cast<std::size_t>(std::count(m_resumed.begin(), m_resumed.end(), true));
    return {};
  }

  // Takes over what an earlier search of this key measured, if its winner is now as fast as it was
  // then; else the search begins anew. The winner and what came near it are measured again, so that
  // what wins has been measured now; what failed may have failed by chance, and is tried again.
  Result<void> search_on() {
    const auto best = fastest_trial(m_in.earlier);
    if (!best || m_out.resumed > 0) return {};
    const Trial& winner = m_in.earlier[*best];
    const auto place = place_of(winner.config);
    if (!place) return {};
    TUNECHECK_CHECK(try_again({*place}));
    if (!m_in.parts.believes_earlier(winner, m_trials[*place])) return {};
    std::vector<std::size_t> near;
    for (const Trial& trial : m_in.earlier) {
      const auto at = place_of(trial.config);
      if (!at || at == place || !trial.measured()) continue;
      if (trial.median_ns <= winner.median_ns * near_earlier_winner) {
        near.push_back(*at);
        continue;
      }
      m_trials[*at] = trial;
      m_resumed[*at] = true;
      ++m_out.reused;
    }
    return try_again(near);
  }

  Result<void> try_again(const std::vector<std::size_t>& places) {
    start_compiles(places);
    for (const std::size_t place : places) {
      if (m_resumed[place] || !compiled(place)) continue;
      TUNECHECK_CHECK(keep_watch());
      TUNECHECK_CHECK(try_config(place, 1));
    }
    if (m_batch) finish_compiles();
    settle();
    return {};
  }

  std::optional<std::size_t> place_of(const Config& config) const {
    const auto& configs = m_in.facts.configs;
    const auto found = std::find(configs.begin(), configs.end(), config);
    if (found == configs.end()) return std::nullopt;
    return static_cast<std::size_t>(found - configs.begin());
  }

  void forget_resumed() {
    for (std::size_t i = 0; i < m_trials.size(); ++i)
      if (m_resumed[i]) m_trials[i] = unmeasured(m_trials[i].config);
    m_resumed.assign(m_trials.size(), false);
  }

  Result<bool> still_works(std::size_t index) {
    if (!*m_artifacts[index]) return false;
    m_out.arguments->before_trial();
    const auto body = [&](TrialRecord& record) {
      const auto module = load(index);
      if (!module) return record.set_message("cannot be loaded: " + module.error().text());
      record.status = m_in.parts.measurement->run_rep(**module, *m_out.arguments).status;
      record.samples = 1;
    };
    TUNECHECK_TRY(const TrialRunner::Outcome outcome, run_apart(body));
    if (!reason_against(outcome, 1).empty()) return false;
    TUNECHECK_CHECK(expect_this());
    return true;
  }

  std::optional<std::size_t> default_place() const {
    return place_of_default(m_in.request, m_in.facts.configs);
  }

  // By the device's clock, and by no other: then a search on a simulated device is repeatable.
  std::chrono::nanoseconds spent() const {
    const std::int64_t since_begin_ns = m_began_ns ? m_now_ns - *m_began_ns : 0;
    return std::max(std::chrono::nanoseconds(0),
                    std::chrono::nanoseconds(since_begin_ns) - m_waited);
  }

  // Those of the proposed configs that are still to be measured and have not been compiled yet, in
  // the order of the space; where the backend allows it, in the order in which they are tried, and
  // while others are tried.
  void start_compiles(std::vector<std::size_t> places) {
    const bool beside = m_in.backend.compiles_beside_trials();
    if (!beside) std::sort(places.begin(), places.end());
    std::erase_if(places, [&](std::size_t i) { return m_resumed[i] || m_artifacts[i]; });
    compile(std::move(places));
    if (!beside) finish_compiles();
  }

  // Waits for its compiler, which is not the search's time.
  bool compiled(std::size_t place) {
    const auto from = std::chrono::steady_clock::now();
    if (!m_artifacts[place]) take(place, m_batch->take(place));
    if (m_began_ns && m_batch) m_waited += std::chrono::steady_clock::now() - from;
    return m_artifacts[place]->has_value();
  }

  void finish_compiles() {
    for (const std::size_t place : m_batch->places())
      if (!m_artifacts[place]) take(place, m_batch->take(place));
    m_batch.reset();
  }

  void compile(std::vector<std::size_t> places) {
    m_out.compiles += static_cast<std::int64_t>(places.size());
    m_batch = start_batch(m_in, std::move(places));
  }

  void take(std::size_t place, Result<Artifact> compiled) {
    m_artifacts[place] = std::move(compiled);
    const Result<Artifact>& artifact = *m_artifacts[place];
    if (artifact)
      m_in.parts.observer->on_compiled(m_in.key, m_in.facts.configs[place], *artifact);
    else
      m_trials[place].failure = "does not compile: " + artifact.error().text();
  }

  Result<void> compute_reference() {
    m_out.arguments->before_trial();
    m_out.arguments->before_rep();
    m_out.arguments->run_hook();
    TUNECHECK_TRY(ExpectedTensors values, m_in.request.reference(m_out.arguments->trial_launch()));
    m_expected = ExpectedResults(std::move(values));
    return {};
  }

  // One config in a trial of its own, on arguments as the caller's.
  Result<TrialRunner::Outcome> run_trial(std::size_t index, double effort) {
    m_out.arguments->before_trial();
    const std::chrono::nanoseconds measuring_time(static_cast<std::int64_t>(
        effort *
        static_cast<double>(std::chrono::nanoseconds(m_in.options.measuring_time).count())));
    const auto body = [&](TrialRecord& record) {
      const auto module = load(index);
      if (!module) {
        record.set_message("cannot be loaded: " + module.error().text());
        return;
      }
      record.began_ns = (*module)->now().count();
      m_in.parts.measurement->measure(**module, *m_out.arguments, measuring_time, record);
      record.ended_ns = (*module)->now().count();
    };
    auto outcome = run_apart(body);
    if (outcome) m_in.parts.observer->on_measured(m_in.facts.configs[index], outcome->record);
    if (outcome && outcome->record.ended_ns > 0) {
      m_now_ns = outcome->record.ended_ns;
      m_flush_ns += outcome->record.flush_ns;
      const std::vector<std::int64_t> samples = samples_of(outcome->record);
      m_kernels_ns = std::accumulate(samples.begin(), samples.end(), m_kernels_ns);
      if (!m_began_ns) m_began_ns = outcome->record.began_ns;
    }
    return outcome;
  }

  Result<std::unique_ptr<Module>> load(std::size_t index) {
    return m_site ? m_site->load(**m_artifacts[index]) : m_in.backend.load(**m_artifacts[index]);
  }

  // Where it can harm the process, not in this one.
  template <class Body>
  Result<TrialRunner::Outcome> run_apart(const Body& body) const {
    const TrialLimits limits{m_in.options.trial_time_limit, m_in.options.trial_memory_bytes};
    const bool apart = m_in.backend.may_harm_process() && !m_site;
    auto outcome = (apart ? m_in.parts.runner : m_in.parts.direct_runner)->run(body, limits);
    if (outcome && m_site)
      if (std::string trouble = m_site->take_trouble(); !trouble.empty())
        outcome->failure = std::move(trouble);
    return outcome;
  }

  // The one place where a config is tried. What its trial says is put down by settle().
  Result<void> try_config(std::size_t index, double effort) {
    if (m_in.stop.stop_requested()) return failure("the tuning was ended before it had a winner");
    TUNECHECK_TRY(const TrialRunner::Outcome outcome, run_trial(index, effort));
    ++m_since_baseline;
    std::vector<std::int64_t> samples = samples_of(outcome.record);
    std::string failure = reason_against(outcome, samples.size());
    if (!failure.empty()) {
      TUNECHECK_CHECK(hear(outcome, {index, middle_of(outcome.record), std::move(samples)}));
      give_up(index, std::move(failure));
      return {};
    }
    TUNECHECK_CHECK(expect_this());
    const double at_ns = middle_of(outcome.record);
    if (!m_baseline) {
      m_baseline = index;
      m_drift->saw_baseline(at_ns, estimate_median(samples).median_ns);
      m_since_baseline = 0;
    }
    m_unsettled.push_back({index, at_ns, std::move(samples)});
    return {};
  }

  void give_up(std::size_t index, std::string failure) {
    m_trials[index] = unmeasured(m_trials[index].config);
    m_trials[index].failure = std::move(failure);
    m_looks->forget(index);
  }

  // A config with which nothing is wrong but that it contradicts the first one may be right, and
  // the first one wrong.
  Result<void> hear(const TrialRunner::Outcome& outcome, Measured look) {
    if (m_in.request.reference || !m_expected || look.samples.empty()) return {};
    if (!what_broke(outcome).empty() || !computes(std::nullopt)) return {};
    for (Dissent& dissent : m_dissents)
      if (computes(dissent.results)) {
        dissent.looks[look.index].push_back(std::move(look));
        return {};
      }
    if (m_dissents.size() == most_dissents) return {};
    TUNECHECK_TRY(auto results, m_in.parts.validation->result_of(*m_out.arguments));
    Dissent& dissent = m_dissents.emplace_back();
    dissent.results = std::move(results);
    dissent.looks[look.index].push_back(std::move(look));
    return {};
  }

  bool computes(const std::optional<ExpectedResults>& expected) const {
    return m_in.parts.validation->check(*m_out.arguments, expected, tolerances()).empty();
  }

  // One vote a config, for what it computed.
  void settle_dispute() {
    std::vector<std::size_t> votes = {static_cast<std::size_t>(std::count_if(
        m_trials.begin(), m_trials.end(), [](const Trial& trial) { return trial.measured(); }))};
    for (const Dissent& dissent : m_dissents)
      votes.push_back(dissent.looks.size());
    if (const std::size_t right = m_in.parts.choose_truth(votes); right > 0)
      believe(m_dissents[right - 1]);
    m_dissents.clear();
  }

  void believe(Dissent& dissent) {
    for (std::size_t i = 0; i < m_trials.size(); ++i)
      if (m_trials[i].measured()) give_up(i, "wrong result: more configs computed something else");
    for (auto& [index, looks] : dissent.looks) {
      m_trials[index].failure.clear();
      std::move(looks.begin(), looks.end(), std::back_inserter(m_unsettled));
    }
    m_expected = std::move(dissent.results);
    settle();
  }

  // What the first config that works leaves behind is expected of the others.
  Result<void> expect_this() {
    if (m_expected) return {};
    TUNECHECK_TRY(m_expected, m_in.parts.validation->result_of(*m_out.arguments));
    return {};
  }

  // The trial had the record in its reach: its numbers are believed only as far as they can be.
  static std::vector<std::int64_t> samples_of(const TrialRecord& record) {
    const auto count =
        std::clamp<std::int32_t>(record.samples, 0, std::int32_t{TrialRecord::max_samples});
    return {record.elapsed_ns.begin(), record.elapsed_ns.begin() + count};
  }

  static double middle_of(const TrialRecord& record) {
    return static_cast<double>(record.began_ns) +
           static_cast<double>(record.ended_ns - record.began_ns) / 2;
  }

  Result<void> keep_watch() {
    if (m_drift->has_baseline() && m_drift->is_due(m_since_baseline)) return look_at_baseline();
    return {};
  }

  // A jump is looked at twice: it may have been chance, and every trial around it would pay for it.
  Result<void> look_at_baseline() {
    const auto distance = [this](double median_ns) {
      return std::abs(median_ns - m_drift->latest_ns());
    };
    std::optional<std::pair<double, double>> seen;  // when, and the median
    for (int look = 0; look < 2; ++look) {
      TUNECHECK_TRY(const TrialRunner::Outcome outcome, run_trial(*m_baseline, 1));
      const std::vector<std::int64_t> samples = samples_of(outcome.record);
      if (!reason_against(outcome, samples.size()).empty()) continue;
      const double median_ns = estimate_median(samples).median_ns;
      if (!seen || distance(median_ns) < distance(seen->second))
        seen = {middle_of(outcome.record), median_ns};
      if (!m_drift->is_jump(median_ns)) break;
    }
    if (seen) m_drift->saw_baseline(seen->first, seen->second);
    m_since_baseline = 0;
    settle();
    return {};
  }

  // Puts down what has been measured since, as it would have been in the beginning.
  void settle() {
    m_others_say.reset();
    if (m_looks_again && m_unsettled.size() > 1) m_others_say = ask_others();
    for (const Measured& look : m_unsettled)
      m_looks->add(look.index, corrected(look));
    for (const Measured& look : m_unsettled)
      m_in.parts.judge_looks(m_trials[look.index], m_looks->of(look.index));
    m_unsettled.clear();
  }

  // What most configs that were looked at again say of the device. The baseline is one of them:
  // where it has two speeds of its own, it would move all others by the difference.
  struct OthersSay {
    double change = 1;   // since they were looked at first
    double residue = 1;  // of it, after the correction by the baseline
  };
  OthersSay ask_others() const {
    std::vector<double> changes, residues;
    for (const Measured& look : m_unsettled) {
      if (!m_trials[look.index].measured()) continue;
      changes.push_back(estimate_median(look.samples).median_ns / m_trials[look.index].median_ns);
      residues.push_back(changes.back() / m_drift->slowdown(look.at_ns));
    }
    return {m_drift->common_change(std::move(changes)),
            m_drift->common_change(std::move(residues))};
  }

  // The others can take back what the baseline says, and do where they say nothing of the kind. By
  // themselves they would find a change where there is none: those that are looked at again were
  // often lucky before.
  double slowdown_at(double at_ns) const {
    const double slowdown = m_drift->slowdown(at_ns);
    if (!m_others_say) return slowdown;
    if (slowdown > 1 ? m_others_say->change <= 1 : m_others_say->change >= 1) return 1;
    return std::clamp(slowdown * m_others_say->residue, std::min(1.0, slowdown),
                      std::max(1.0, slowdown));
  }

  std::vector<std::int64_t> corrected(const Measured& look) const {
    std::vector<std::int64_t> samples = look.samples;
    const double slowdown = slowdown_at(look.at_ns);
    if (slowdown != 1)
      for (std::int64_t& sample : samples)
        sample = std::max<std::int64_t>(1, std::llround(static_cast<double>(sample) / slowdown));
    return samples;
  }

  // The trial that was tried last, by what is known of the drift by now.
  Trial so_far(std::size_t index) const {
    Trial trial = m_trials[index];
    if (m_unsettled.empty() || m_unsettled.back().index != index) return trial;
    LookBook so_far(1);
    for (const Look& look : m_looks->of(index))
      so_far.add(0, look.samples);
    so_far.add(0, corrected(m_unsettled.back()));
    m_in.parts.judge_looks(trial, so_far.of(0));
    return trial;
  }

  // Another config's result may be off as well, in the other direction.
  Tolerances tolerances() const {
    const Tolerances& tolerance = m_in.request.kernel.tolerance;
    return m_in.request.reference ? tolerance : tolerance.doubled();
  }

  // How the trial itself ended, "" where it ended well.
  std::string what_broke(const TrialRunner::Outcome& outcome) const {
    if (!outcome.failure.empty()) return outcome.failure;
    if (outcome.record.message[0] != '\0') return outcome.record.message.data();
    return outcome.record.status != 0 ? m_in.backend.describe(outcome.record.status) : "";
  }

  std::string reason_against(const TrialRunner::Outcome& outcome, std::size_t samples) const {
    if (std::string broke = what_broke(outcome); !broke.empty()) return broke;
    std::string wrong = m_in.parts.validation->check(*m_out.arguments, m_expected, tolerances());
    return wrong.empty() && samples == 0 ? "was never measured" : wrong;
  }

  // In rounds, until the fastest config has been found fast often enough. The samples of resumed
  // trials are not there any more: a further look could not be added to them.
  Result<void> look_again() {
    constexpr int most_rounds = 16;
    m_looks_again = true;
    std::vector<LooksAgain> again(m_trials.size());
    for (std::size_t i = 0; i < again.size(); ++i)
      if (m_resumed[i]) again[i].looks = LooksAgain::impossible;
    std::vector<std::size_t> before;  // looks of each config
    for (std::size_t i = 0; i < again.size(); ++i)
      before.push_back(m_looks->of(i).size());
    for (int round = 0; round < most_rounds; ++round) {
      const std::vector<std::size_t> chosen = m_in.parts.choose_finalists(m_trials, again);
      if (chosen.empty()) return {};
      for (const std::size_t index : chosen) {
        TUNECHECK_CHECK(keep_watch());
        TUNECHECK_CHECK(try_config(index, 1));
      }
      settle();
      compare_looks(before, again);
    }
    return {};
  }

  // What a further look shows of one config tells something of the looks beside it.
  void compare_looks(const std::vector<std::size_t>& before, std::vector<LooksAgain>& again) {
    m_looks->find_disturbed();
    for (std::size_t i = 0; i < again.size(); ++i) {
      if (!m_trials[i].measured() || m_looks->of(i).size() <= before[i]) continue;
      again[i].looks = m_looks->sure_looks(i, before[i]);
      again[i].agree = m_looks->agree(i);
      m_in.parts.judge_looks(m_trials[i], m_looks->of(i));
    }
  }

  Result<void> choose() {
    std::vector<std::size_t> places;  // of the trials in the space; what was never tried is none
    for (std::size_t i = 0; i < m_trials.size(); ++i) {
      if (!m_trials[i].measured() && m_trials[i].failure.empty()) continue;
      places.push_back(i);
      m_out.trials.push_back(std::move(m_trials[i]));
    }
    for (const Trial& trial : m_out.trials)
      m_in.parts.observer->on_trial(trial);
    const auto winner = m_in.parts.choose_winner(m_out.trials);
    if (!winner)
      return failure("none of the {} configs of {} can be used: {}", m_out.trials.size(),
                     m_in.request.kernel.name, summarise_failures(m_out.trials));
    m_out.winner = *winner;
    auto& artifact = m_artifacts[places[*winner]];
    if (!artifact || !*artifact)
      return failure("the winner {} has no artifact", to_string(m_out.trials[*winner].config));
    m_out.artifact = std::move(**artifact);
    return {};
  }

  const TuningInput& m_in;
  std::unique_ptr<TrialSite> m_site;  // null where a child of this process is one
  TuningOutput m_out;
  // One a config of the space each.
  std::vector<Trial> m_trials;
  std::vector<std::optional<Result<Artifact>>> m_artifacts;
  std::unique_ptr<CompileBatch> m_batch;  // of the proposal that is being tried
  std::chrono::nanoseconds m_waited{0};   // for compilers, since the first trial
  std::vector<bool> m_resumed;
  std::optional<LookBook> m_looks;  // settled ones
  std::vector<Measured> m_unsettled;
  std::unique_ptr<DriftWatch> m_drift;
  std::optional<std::size_t> m_baseline;
  std::size_t m_since_baseline = 0;       // trials
  bool m_looks_again = false;             // the search is over
  std::optional<OthersSay> m_others_say;  // in the looks that are being settled; none: no others
  std::optional<std::int64_t> m_began_ns;
  std::int64_t m_now_ns = 0;
  std::int64_t m_flush_ns = 0;
  std::int64_t m_kernels_ns = 0;
  std::optional<ExpectedResults> m_expected;
  std::vector<Dissent> m_dissents;
};

}  // namespace

Result<TuningOutput> tune(const TuningInput& input) {
  return Tuning(input).run();
}

}  // namespace tunecheck
