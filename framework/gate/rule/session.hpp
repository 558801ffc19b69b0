#pragma once
// A session: all benchmarks of a run, canaries among them, in an order drawn by lot. It says
// which pair of processes to run next and is told what they gave; running them is somebody else's
// work. Not for several threads at once.
//
//   Session session(benchmarks, settings, seed);
//   while (const auto step = session.next()) session.add(run(*step));
//   session.conclusion();
//
// The same benchmarks, settings, seed and pairs lead to the same steps: an interrupted session is
// resumed by adding the pairs that are already there.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/random/mersenne_twister.hpp>

#include "gate/rule/comparison.hpp"

namespace tunecheck::gate {

enum class Role {
  measured,
  same,    ///< canary: base and head are the same build; a difference found is a false one
  slowed,  ///< canary: the head is slowed down by Settings::planted, which must be found
};

/// A time of something: a kernel's run time of one size on one backend, a tuning time, ...
struct Benchmark {
  std::string name;
  Role role = Role::measured;
};

/// Run two fresh processes of this benchmark, one right after the other, `first` first.
struct Step {
  std::size_t benchmark = 0;  ///< index
  Side first = Side::base;

  bool operator==(const Step&) const = default;
};

struct Conclusion {
  Answer answer = Answer::invalid;
  std::string reason;             ///< why it is invalid, and what to do; otherwise ""
  std::vector<Finding> findings;  ///< of each benchmark, in their order
};

class Session {
 public:
  /// `settings` passed check().
  Session(std::vector<Benchmark> benchmarks, const Settings& settings, std::uint64_t seed);

  /// The pair to run next, the same until it is added; nothing where all is settled.
  [[nodiscard]] std::optional<Step> next() const;
  /// What the pair of next() gave.
  void add(const Pair& pair);

  /// What is known of a benchmark so far.
  [[nodiscard]] const Comparison& comparison(std::size_t benchmark) const {
    return m_comparisons[benchmark];
  }

  /// Once next() gives nothing. A wrong answer to a canary makes all of it invalid, and so does a
  /// session in which nothing was measured; otherwise the worst answer to a benchmark is that of
  /// the session.
  [[nodiscard]] Conclusion conclusion() const;

 private:
  void begin_round();
  void advance();

  std::vector<Benchmark> m_benchmarks;
  Settings m_settings;
  std::vector<Comparison> m_comparisons;
  std::vector<Step> m_round;  // what is left of it, the next step last
  std::size_t m_family = 0;   // how many benchmarks went on to a confirmation
  boost::random::mt19937_64 m_random;
};

/// The answer for several together: the worst.
[[nodiscard]] Answer joined(const std::vector<Answer>& answers);

}  // namespace tunecheck::gate
