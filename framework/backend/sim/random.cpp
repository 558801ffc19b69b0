#include "backend/sim/random.hpp"

#include <cmath>
#include <numbers>

namespace tunecheck::sim {
namespace {

// SplitMix64.
std::uint64_t scrambled(std::uint64_t word) {
  word += 0x9e3779b97f4a7c15U;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31);
}

}  // namespace

std::uint64_t mixed(std::initializer_list<std::uint64_t> words) {
  std::uint64_t state = words.size();
  for (const std::uint64_t word : words)
    state = scrambled(state ^ scrambled(word));
  return state;
}

std::uint64_t word_of(std::string_view text) {
  std::uint64_t word = 0xcbf29ce484222325U;  // FNV-1a
  for (const char c : text)
    word = (word ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return word;
}

double uniform(std::uint64_t word) {
  return static_cast<double>(scrambled(word) >> 11) * 0x1p-53;
}

// Box and Muller; the first number is kept away from 0.
double normal(std::uint64_t word) {
  const double radius = std::sqrt(-2 * std::log(1 - uniform(word)));
  return radius * std::cos(2 * std::numbers::pi * uniform(~word));
}

}  // namespace tunecheck::sim
