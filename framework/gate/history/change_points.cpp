#include "gate/history/change_points.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/math/special_functions/binomial.hpp>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>

namespace tunecheck::history {
namespace {

// The sums of the numbers up to a rank, while numbers come in (Fenwick's tree).
class RankSums {
 public:
  struct Sums {
    double count = 0, sum = 0;
  };

  explicit RankSums(std::size_t ranks) : m_nodes(ranks + 1) {}

  void clear() { std::fill(m_nodes.begin(), m_nodes.end(), Sums{}); }
  void add(std::size_t rank, double number) {
    for (std::size_t at = rank + 1; at < m_nodes.size(); at += at & (~at + 1)) {
      m_nodes[at].count += 1;
      m_nodes[at].sum += number;
    }
  }
  // Of the numbers of ranks below `rank`.
  [[nodiscard]] Sums below(std::size_t rank) const {
    Sums sums;
    for (std::size_t at = rank; at > 0; at &= at - 1) {
      sums.count += m_nodes[at].count;
      sums.sum += m_nodes[at].sum;
    }
    return sums;
  }

 private:
  std::vector<Sums> m_nodes;
};

struct Split {
  double distance = 0;  // of the best split; 0 where none is allowed
  std::size_t at = 0;   // values before it
};

// The rank of each value, from 1; equal values share the middle of theirs.
std::vector<double> middle_ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]])
      ++end;
    for (std::size_t at = begin; at < end; ++at)
      ranks[order[at]] = static_cast<double>(begin + 1 + end) / 2;
  }
  return ranks;
}

// The values between two changes, in their order or shuffled, as ranks. Finding the best split
// takes n log n steps: what a rank is away from those left of it comes from sums by rank. All sums
// are halves of whole numbers and therefore exact.
class Segment {
 public:
  explicit Segment(std::span<const double> values)
      : m_ranks(middle_ranks(values)), m_left(values.size()) {
    for (const double rank : m_ranks)
      add_left(rank);
    const RankSums::Sums all = m_left.below(m_ranks.size());
    m_distances.resize(m_ranks.size());
    for (const double rank : m_ranks) {
      m_distances[place_of(rank)] = distance_to_left(rank, all);
      m_all_distances += distance_to_left(rank, all) / 2;
    }
  }

  void shuffle(boost::random::mt19937_64& random) {
    for (std::size_t left = m_ranks.size(); left > 1; --left)
      std::swap(m_ranks[left - 1],
                m_ranks[boost::random::uniform_int_distribution<std::size_t>(0, left - 1)(random)]);
  }

  [[nodiscard]] Split best_split() {
    Split best;
    const std::size_t count = m_ranks.size();
    double within_left = 0, within_right = m_all_distances;
    RankSums::Sums left{};
    m_left.clear();
    for (std::size_t at = 0; at + least_between_changes < count; ++at) {
      const double rank = m_ranks[at];
      const double to_left = distance_to_left(rank, left);
      within_left += to_left;
      within_right -= m_distances[place_of(rank)] - to_left;
      add_left(rank);
      left.count += 1;
      left.sum += rank;
      if (at + 1 < least_between_changes) continue;
      const double n = left.count, m = static_cast<double>(count) - n;
      const double between = m_all_distances - within_left - within_right;
      // Matteson and James, equations 5 and 6, with the exponent 1.
      const double energy = 2 * between / (n * m) - 2 * within_left / (n * (n - 1)) -
                            2 * within_right / (m * (m - 1));
      // Ranks grow with the segment. In parts of its length, a short segment's distances and a long
      // one's can be compared.
      const double distance = n * m / (n + m) * energy / static_cast<double>(count);
      if (distance > best.distance) best = {distance, at + 1};
    }
    return best;
  }

 private:
  [[nodiscard]] static std::size_t place_of(double rank) {
    return static_cast<std::size_t>(rank) - 1;
  }
  void add_left(double rank) { m_left.add(place_of(rank), rank); }
  // The sum of what this rank is away from all in m_left, whose sums are `left`.
  [[nodiscard]] double distance_to_left(double rank, const RankSums::Sums& left) const {
    const RankSums::Sums below = m_left.below(place_of(rank));
    return rank * below.count - below.sum + (left.sum - below.sum) -
           rank * (left.count - below.count);
  }

  std::vector<double> m_ranks;  // of the values in their order
  RankSums m_left;
  std::vector<double> m_distances;  // by place, to all others together
  double m_all_distances = 0;       // of all pairs
};

// More shuffles make a p-value finer, and each takes time: this many times the least number with
// which a change can be significant at all.
constexpr double shuffles_for_significance = 4;

// The p-value of the best split of all segments together, or 1 once it is known to be above the
// level.
double p_value(std::vector<Segment> segments, double distance, double level,
               boost::random::mt19937_64& random) {
  const double shuffles = std::ceil(shuffles_for_significance / level) - 1;
  // What is equally far is so but for rounding.
  const double as_far = distance * (1 - 1e-9);
  double farther = 0;
  for (double i = 0; i < shuffles; ++i) {
    double best = 0;
    for (Segment& segment : segments) {
      segment.shuffle(random);
      best = std::max(best, segment.best_split().distance);
    }
    if (best >= as_far && (++farther + 1) / (shuffles + 1) > level) return 1;
  }
  return (farther + 1) / (shuffles + 1);
}

// The best split between the changes that were found, and the p-value of it, or 1 if it is above
// the level. Without any split that is allowed, the place is 0.
ChangePoint next_change(std::span<const double> values, const std::vector<ChangePoint>& found,
                        double level, boost::random::mt19937_64& random) {
  std::vector<Segment> segments;
  Split best;
  for (std::size_t next = 0, begin = 0; begin < values.size(); ++next) {
    const std::size_t end = next < found.size() ? found[next].at : values.size();
    Segment& segment = segments.emplace_back(values.subspan(begin, end - begin));
    if (const Split split = segment.best_split(); split.distance > best.distance)
      best = {split.distance, begin + split.at};
    begin = end;
  }
  if (best.distance == 0) return {};
  return {best.at, p_value(std::move(segments), best.distance, level, random)};
}

double median(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  const std::size_t middle = sorted.size() / 2;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(middle),
                   sorted.end());
  const double upper = sorted[middle];
  if (sorted.size() % 2 == 1) return upper;
  return (*std::max_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(middle)) +
          upper) /
         2;
}

// Where the values before are nearest to the median of those before, and those after to that of
// those after; where it is now if no place is nearer.
std::size_t nearest_place(std::span<const double> values, std::size_t now) {
  const double before = median(values.subspan(0, now)), after = median(values.subspan(now));
  // By how much more the values left of a place are away from `before` than from `after`.
  double more = 0, more_now = 0, least = 0;
  std::size_t nearest = now;
  for (std::size_t at = 1; at + least_between_changes <= values.size(); ++at) {
    more += std::abs(values[at - 1] - before) - std::abs(values[at - 1] - after);
    if (at == now) more_now = more;
    if (at < least_between_changes) continue;
    if (at == least_between_changes || more < least) {
      least = more;
      nearest = at;
    }
  }
  return least < more_now ? nearest : now;
}

// Ranks tell that there is a change, but not so well where: they know nothing of the size of the
// step, and prefer sides of equal length. Each place depends on its neighbours', so this goes on
// until none moves; it could go on in circles.
void place(std::span<const double> values, std::vector<ChangePoint>& found) {
  constexpr int most_rounds = 10;
  bool has_moved = true;
  for (int round = 0; has_moved && round < most_rounds; ++round) {
    has_moved = false;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::size_t begin = i == 0 ? 0 : found[i - 1].at;
      const std::size_t end = i + 1 < found.size() ? found[i + 1].at : values.size();
      const std::size_t at =
          begin + nearest_place(values.subspan(begin, end - begin), found[i].at - begin);
      has_moved = has_moved || at != found[i].at;
      found[i].at = at;
    }
  }
}

}  // namespace

std::vector<ChangePoint> change_points(std::span<const double> values,
                                       const ChangePointOptions& options) {
  boost::random::mt19937_64 random(options.seed);
  std::vector<ChangePoint> found;
  for (;;) {
    const ChangePoint next = next_change(values, found, options.level, random);
    if (next.p > options.level) break;
    const auto after = std::find_if(found.begin(), found.end(),
                                    [&](const ChangePoint& other) { return other.at > next.at; });
    found.insert(after, next);
  }
  place(values, found);
  return found;
}

bool has_change(std::span<const double> values, const ChangePointOptions& options) {
  boost::random::mt19937_64 random(options.seed);
  return next_change(values, {}, options.level, random).p <= options.level;
}

bool can_show_a_change(std::size_t values, double level) {
  if (values < 2 * least_between_changes) return false;
  // However large a change is, the two orders with all large values on one side are as large. Twice
  // as rare as the level, so that few shuffles hit on them.
  const auto count = static_cast<unsigned>(std::min<std::size_t>(values, 1000));
  return 2 / boost::math::binomial_coefficient<double>(count, count / 2) <= level / 2;
}

std::size_t least_values(double level) {
  std::size_t values = 2 * least_between_changes;
  while (!can_show_a_change(values, level))
    ++values;
  return values;
}

}  // namespace tunecheck::history
