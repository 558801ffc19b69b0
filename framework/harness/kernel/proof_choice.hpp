#pragma once
// What one case of a proof asks of a kernel: at which size, in which dtypes, on which values.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/kernel.hpp"
#include "core/layout.hpp"

namespace tunecheck {

/// A plain value. What is not said is as the kernel file says it.
struct ProofChoice {
  enum class Layouts {
    dense,
    strided,      ///< gaps between the elements and between the rows
    padded_rows,  ///< gaps between the rows only: the inner stride is 1 and the pitch larger
    transposed,   ///< the same with the columns for the rows: the first stride is 1
    reversed,     ///< padded rows from their last element to the first: all strides are negative
  };
  enum class Values {
    declared,
    negative,     ///< each tensor that may have either sign has negative values only
    positive,     ///< the same with positive ones
    mixed_signs,  ///< the first such tensor is negative, all others are positive
    high_end,     ///< each tensor of integers begins with the highest of its range
    low_end,      ///< the same with the lowest
  };
  std::string size;
  std::size_t variant = 0;
  bool alias = false;  ///< tensors with may_alias are that other tensor's memory
  Layouts layouts = Layouts::dense;
  Values values = Values::declared;
  std::uint64_t seed_step = 0;                           ///< is added to the seed of the run
  std::map<std::string, double> scalars = {};            ///< those that have another value
  std::shared_ptr<const ProofChoice> earlier = nullptr;  ///< launched before it in its process
  /// Each tensor begins at a boundary of 64 bytes, as allocators hand it out; else an element past
  /// one, so that nothing is aligned by luck.
  bool aligned = false;
  /// Where all others are aligned, this tensor, by its place in the kernel file, is not.
  std::optional<std::size_t> unaligned = {};
  /// These tensors, by their places, have a first stride of 0, and are dense otherwise.
  std::vector<std::size_t> broadcast = {};

  /// True where the choice is about the numbers that the reference gets: it sees neither layouts
  /// nor alignments nor shared memory nor what was launched before.
  [[nodiscard]] bool concerns_reference() const {
    return !alias && !aligned && layouts == Layouts::dense && broadcast.empty() &&
           earlier == nullptr;
  }
};

/// The choice in words, size and dtypes left out: "strided", "seed 2", "alpha = 0.625, seed 3"; ""
/// where all is as the kernel file says. `seed` is that of the run.
[[nodiscard]] std::string words_of(const ProofChoice& choice, const KernelDefinition& kernel,
                                   std::uint64_t seed);

/// A scalar's value as a person writes it: six digits, and all of a whole number's.
[[nodiscard]] std::string scalar_text(double value);

/// How a tensor of this shape lies in memory. With `aligned_rows`, padded rows begin at multiples
/// of 16 elements from the first. `index` is its place in the kernel file: tensors of one shape
/// differ in their strides, so that a kernel that takes one tensor's for another's is found out.
[[nodiscard]] Layout layout_for(ProofChoice::Layouts layouts, bool aligned_rows,
                                const std::vector<std::int64_t>& shape, std::size_t index);

}  // namespace tunecheck
