#include "core/fill.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <xxhash.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include "core/text.hpp"

namespace tunecheck {
namespace {

constexpr std::array<std::pair<std::string_view, Fill::Kind>, 6> plain_fills = {{
    {"normal", Fill::Kind::normal},
    {"uniform", Fill::Kind::uniform},
    {"zeros", Fill::Kind::zeros},
    {"ones", Fill::Kind::ones},
    {"index", Fill::Kind::index},
    {"poison", Fill::Kind::poison},
}};

double with_sign(Fill::Sign sign, double value) {
  if (sign == Fill::Sign::any) return value;
  return std::copysign(value, sign == Fill::Sign::negative ? -1.0 : 1.0);
}

// `drawn`, or the end of the range that this element is asked to have.
std::int64_t with_ends(const Fill& fill, std::int64_t linear, std::int64_t drawn) {
  if (fill.ends == Fill::Ends::drawn || linear > 1) return drawn;
  return (linear == 0) == (fill.ends == Fill::Ends::high_first) ? fill.high : fill.low;
}

template <class Next>
void fill_with(const TensorView& view, Next&& next) {
  const auto size = static_cast<std::int64_t>(size_of(view.dtype));
  for_each_element(view.layout, [&](std::int64_t linear, std::int64_t offset) {
    store_element(view.dtype, view.data + offset * size, next(linear));
  });
}

}  // namespace

Result<FillRule> parse_fill(std::string_view text) {
  const std::vector<std::string> words = split_expressions(text);
  if (words.size() == 1)
    for (const auto& [name, kind] : plain_fills)
      if (words[0] == name) return FillRule{kind, {}, {}};
  // Of two plain numbers the second is not below the first; of expressions only sizes can tell.
  const auto is_order = [](const std::string& low, const std::string& high) {
    const auto first = parse_integer(low), last = parse_integer(high);
    return !first || !last || *first <= *last;
  };
  if (words.size() == 3 && words[0] == "integers" && is_order(words[1], words[2]))
    return FillRule{Fill::Kind::integers, words[1], words[2]};
  return failure(
      ErrorKind::bad_input,
      "expected normal, uniform, zeros, ones, index, poison or \"integers LOW HIGH\", found \"{}\"",
      text);
}

Result<Fill> resolve_fill(const FillRule& rule, const Variables& sizes) {
  Fill fill{rule.kind, 0, 0};
  if (rule.kind != Fill::Kind::integers) return fill;
  TUNECHECK_TRY(fill.low, evaluate_integer(rule.low, sizes));
  TUNECHECK_TRY(fill.high, evaluate_integer(rule.high, sizes));
  fill.high = std::max(fill.low, fill.high);
  return fill;
}

void apply_fill(const Fill& fill, std::uint64_t seed, std::string_view stream,
                const TensorView& view) {
  // Boost's generators and distributions give the same numbers with every standard library.
  boost::random::mt19937_64 engine(XXH3_64bits_withSeed(stream.data(), stream.size(), seed));
  switch (fill.kind) {
    case Fill::Kind::normal: {
      boost::random::normal_distribution<double> draw;
      return fill_with(view, [&](std::int64_t) {
        const double drawn = with_sign(fill.sign, draw(engine));
        return fill.in_eighths ? (2 * std::floor(4 * drawn) + 1) / 8 : drawn;
      });
    }
    case Fill::Kind::uniform: {
      boost::random::uniform_01<double> draw;
      return fill_with(view, [&](std::int64_t) { return draw(engine); });
    }
    case Fill::Kind::integers: {
      boost::random::uniform_int_distribution<std::int64_t> draw(fill.low, fill.high);
      return fill_with(view, [&](std::int64_t linear) {
        return static_cast<double>(with_ends(fill, linear, draw(engine)));
      });
    }
    case Fill::Kind::index:
      return fill_with(view, [](std::int64_t linear) { return static_cast<double>(linear); });
    case Fill::Kind::ones:
      return fill_with(view, [](std::int64_t) { return 1.0; });
    case Fill::Kind::zeros:
      return fill_zero(view);
    case Fill::Kind::poison:
      return fill_poison(view);
  }
}

}  // namespace tunecheck
