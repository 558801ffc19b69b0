// Histories with changes at known runs, of times that were measured: how many of the changes are
// found, and how much of what is found is one, beside what Apache Otava 0.8.0 finds in them by its
// defaults. tests/bench/history_beside_otava made the file, and compares more of them.
#include <algorithm>
#include <cstdlib>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "core/files.hpp"
#include "gate/history/changes.hpp"

namespace tunecheck::test {
namespace {

using namespace history;

struct Labelled {
  std::string name;
  std::vector<std::int64_t> labels, otava;  // the first value after a change
  std::vector<double> times;
};

std::vector<Labelled> labelled_histories() {
  const auto text = read_text_file(TUNECHECK_LABELLED);
  std::vector<Labelled> histories;
  for (const auto& each : nlohmann::json::parse(text.value()))
    histories.push_back({each.at("name"), each.at("labels"), each.at("otava"), each.at("times")});
  return histories;
}

std::vector<Series> series_of(const std::vector<Labelled>& histories) {
  std::vector<Series> series;
  for (const Labelled& each : histories) {
    Series& one = series.emplace_back();
    one.benchmark = each.name;
    one.unit = "ns";
    for (const double time : each.times) {
      Point& point = one.points.emplace_back();
      point.run = static_cast<std::int64_t>(one.points.size()) - 1;
      point.benchmark = each.name;
      point.unit = "ns";
      point.median = time;
    }
  }
  return series;
}

struct Score {
  std::ptrdiff_t right = 0, found = 0, labels = 0;

  // A change within three runs of a label is right; each stands for one label, in their order.
  void add(const std::vector<std::int64_t>& some_labels, std::vector<std::int64_t> some_found) {
    found += std::ssize(some_found);
    labels += std::ssize(some_labels);
    for (const std::int64_t label : some_labels) {
      const auto match = std::find_if(some_found.begin(), some_found.end(),
                                      [&](std::int64_t at) { return std::abs(at - label) <= 3; });
      if (match == some_found.end()) continue;
      some_found.erase(match);
      ++right;
    }
  }
  [[nodiscard]] double precision() const {
    return static_cast<double>(right) / static_cast<double>(found);
  }
  [[nodiscard]] double recall() const {
    return static_cast<double>(right) / static_cast<double>(labels);
  }
};

TEST(LabelledHistories, are_read_better_than_by_otava_in_precision_and_recall) {
  const std::vector<Labelled> histories = labelled_histories();
  const Changes changes = find_changes(series_of(histories), {});
  Score ours, otava;
  for (const Labelled& each : histories) {
    std::vector<std::int64_t> found;
    for (const Change& change : changes.found)
      if (change.benchmark == each.name) found.push_back(change.first_after);
    ours.add(each.labels, found);
    otava.add(each.labels, each.otava);
  }
  ASSERT_EQ(histories.size(), 27U);
  ASSERT_GE(ours.labels, 20);
  EXPECT_GT(ours.precision(), otava.precision());
  EXPECT_GT(ours.recall(), otava.recall());
  EXPECT_GE(ours.precision(), 0.63);
  EXPECT_GE(ours.recall(), 0.61);
}

}  // namespace
}  // namespace tunecheck::test
