#pragma once
// Deterministic contents for tensors: the same on every machine, from a seed.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/expression.hpp"
#include "core/result.hpp"
#include "core/tensor_view.hpp"

namespace tunecheck {

/// How a tensor is filled before a call. Written in kernel files as `normal` (mean 0, deviation 1),
/// `uniform` (between 0 and 1), `zeros`, `ones`, `index` (0, 1, 2, ... in row-major order),
/// `poison` (see poison_pattern), or `integers LOW HIGH` (uniform, both ends included).
struct Fill {
  enum class Kind { normal, uniform, zeros, ones, index, poison, integers };
  /// For `normal`: of which sign all numbers are.
  enum class Sign { any, negative, positive };
  /// For `integers`: with `high_first` the first element is `high` and the second one `low`, with
  /// `low_first` the other way round, whatever is drawn.
  enum class Ends { drawn, high_first, low_first };
  Kind kind = Kind::normal;
  std::int64_t low = 0;
  std::int64_t high = 0;
  Sign sign = Sign::any;
  Ends ends = Ends::drawn;
  /// For `normal`: odd multiples of 1/8, none of them 0. A sum of thousands of equal ones is exact
  /// in float.
  bool in_eighths = false;
};

/// A fill as a kernel file says it: the bounds of `integers` are expressions over the sizes.
struct FillRule {
  Fill::Kind kind = Fill::Kind::normal;
  std::string low, high;
};

[[nodiscard]] Result<FillRule> parse_fill(std::string_view text);

/// The fill at these sizes. Bounds without a number between them, which only a tensor without
/// elements should have, both become the lower one.
[[nodiscard]] Result<Fill> resolve_fill(const FillRule& rule, const Variables& sizes);

/// Fills each element; `seed` and `stream` (the tensor's name) together choose the numbers, so that
/// two tensors of one call never hold the same ones.
void apply_fill(const Fill& fill, std::uint64_t seed, std::string_view stream,
                const TensorView& view);

}  // namespace tunecheck
