#pragma once
// What the judge must show of itself before it judges a tuner. The reference tuner compares with
// the same functions: a NaN that equaled everything in them would let both pass everything.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/compare.hpp"
#include "core/digest.hpp"
#include "core/layout.hpp"
#include "core/result.hpp"
#include "core/tensor_view.hpp"

namespace tunecheck {

/// The functions by which the judge judges. A test hands in broken ones.
struct JudgingFunctions {
  std::function<Comparison(const TensorView&, std::span<const double>, const Tolerance&)> compare =
      tunecheck::compare;
  std::function<std::string(const TensorView&)> digest_elements = tunecheck::digest_elements;
  std::function<std::string(std::span<const std::byte>)> artifact_digest =
      [](std::span<const std::byte> bytes) { return tunecheck::artifact_digest(bytes); };
  std::function<Layout(std::span<const std::int64_t>)> contiguous = Layout::contiguous;
  std::function<Extent(const Layout&)> extent_of = tunecheck::extent_of;
  /// The element offsets of all indices in row-major order.
  std::function<std::vector<std::int64_t>(const Layout&)> offsets_of = [](const Layout& layout) {
    std::vector<std::int64_t> offsets;
    for_each_element(layout, [&](std::int64_t, std::int64_t at) { offsets.push_back(at); });
    return offsets;
  };
};

/// Asks the functions about tensors of every dtype and of several layouts, right ones and ones that
/// must fail, and compares what they say with what plain loops say (plain_judgement.hpp). The
/// error, an internal one, says what was asked, and the two answers. Takes a few milliseconds.
[[nodiscard]] Result<void> test_judgement(const JudgingFunctions& functions = {});

}  // namespace tunecheck
