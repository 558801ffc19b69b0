#pragma once
// Lots: the same seed draws the same on every machine.
#include <cstddef>
#include <utility>
#include <vector>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>

namespace tunecheck::gate {

/// From 0 to below `count`, which is at least 1.
[[nodiscard]] inline std::size_t drawn(boost::random::mt19937_64& random, std::size_t count) {
  return boost::random::uniform_int_distribution<std::size_t>(0, count - 1)(random);
}

template <class Item>
void shuffle(boost::random::mt19937_64& random, std::vector<Item>& items) {
  for (std::size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[drawn(random, i)]);
}

}  // namespace tunecheck::gate
