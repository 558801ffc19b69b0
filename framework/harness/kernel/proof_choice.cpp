#include "harness/kernel/proof_choice.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "harness/kernel/proof_fills.hpp"

namespace tunecheck {
namespace {

std::string quoted(const KernelDefinition& kernel, const std::vector<std::size_t>& tensors) {
  std::string text;
  for (const std::size_t i : tensors)
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", kernel.tensors[i].name);
  return text;
}

std::string words_of_values(const ProofChoice& choice, const KernelDefinition& kernel) {
  const std::vector<DType> dtypes = kernel.variant(choice.variant);
  const std::vector<std::size_t> free = tensors_of_either_sign(kernel, choice.size, dtypes);
  switch (choice.values) {
    case ProofChoice::Values::declared:
      return {};
    case ProofChoice::Values::negative:
      return "all negative: " + quoted(kernel, free);
    case ProofChoice::Values::positive:
      return "all positive: " + quoted(kernel, free);
    case ProofChoice::Values::mixed_signs:
      return fmt::format("all negative: {}, all positive: {}", quoted(kernel, {free.front()}),
                         quoted(kernel, {free.begin() + 1, free.end()}));
    case ProofChoice::Values::high_end:
    case ProofChoice::Values::low_end:
      break;
  }
  const bool high = choice.values == ProofChoice::Values::high_end;
  std::string text;
  for (const std::size_t i : tensors_with_ends(kernel, choice.size)) {
    const Fill fill = *kernel.fill_of(kernel.tensors[i], kernel.sizes.at(choice.size));
    text += fmt::format("{}\"{}\" begins with {}, the {} of its range", text.empty() ? "" : ", ",
                        kernel.tensors[i].name, high ? fill.high : fill.low,
                        high ? "highest" : "lowest");
  }
  return text;
}

std::string words_of_layouts(ProofChoice::Layouts layouts) {
  switch (layouts) {
    case ProofChoice::Layouts::dense:
      return {};
    case ProofChoice::Layouts::strided:
      return "strided";
    case ProofChoice::Layouts::padded_rows:
      return "padded rows";
    case ProofChoice::Layouts::transposed:
      return "transposed";
    case ProofChoice::Layouts::reversed:
      return "reversed";
  }
  return {};
}

std::string words_of_alignment(const ProofChoice& choice, const KernelDefinition& kernel) {
  if (!choice.aligned) return {};
  return choice.unaligned ? fmt::format("all but \"{}\" aligned to 64 bytes",
                                        kernel.tensors[*choice.unaligned].name)
                          : "aligned to 64 bytes";
}

std::string words_of_alias(const KernelDefinition& kernel) {
  std::string text;
  for (const TensorParameter& tensor : kernel.tensors)
    if (!tensor.may_alias.empty())
      text += fmt::format("{}\"{}\" is \"{}\"", text.empty() ? "" : ", ", tensor.name,
                          tensor.may_alias);
  return text;
}

std::string words_of_earlier(const ProofChoice& choice, const KernelDefinition& kernel,
                             std::uint64_t seed) {
  ProofChoice earlier = *choice.earlier;
  const bool has_several = earlier.scalars.size() > 1;
  if (has_several) earlier.scalars.clear();
  std::string text = earlier.size == choice.size ? "" : "size " + earlier.size;
  if (const std::string words = words_of(earlier, kernel, seed); !words.empty())
    text += (text.empty() ? "" : ", ") + words;
  if (has_several) text += ", other scalars";
  return fmt::format("second launch in one process (after {})", text);
}

}  // namespace

std::string words_of(const ProofChoice& choice, const KernelDefinition& kernel,
                     std::uint64_t seed) {
  std::vector<std::string> parts = {
      words_of_layouts(choice.layouts),
      choice.broadcast.empty() ? "" : "broadcast: " + quoted(kernel, choice.broadcast),
      words_of_alignment(choice, kernel), choice.alias ? words_of_alias(kernel) : "",
      words_of_values(choice, kernel)};
  for (const auto& [name, value] : choice.scalars)
    parts.push_back(name + " = " + scalar_text(value));
  if (choice.seed_step != 0) parts.push_back(fmt::format("seed {}", seed + choice.seed_step));
  if (choice.earlier != nullptr) parts.push_back(words_of_earlier(choice, kernel, seed));
  std::string text;
  for (const std::string& part : parts)
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string scalar_text(double value) {
  const bool is_whole = value == std::trunc(value) && std::abs(value) < 1e15;
  return is_whole ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

Layout layout_for(ProofChoice::Layouts layouts, bool aligned_rows,
                  const std::vector<std::int64_t>& shape, std::size_t index) {
  using Layouts = ProofChoice::Layouts;
  if (layouts == Layouts::dense) return Layout::contiguous(shape);
  // Three more than a row has, and no two tensors as many: nothing is aligned by luck.
  const std::int64_t room = 3 + 2 * static_cast<std::int64_t>(index);
  const auto with_room = [&](std::int64_t length, bool is_row) {
    constexpr std::int64_t whole = 16;  // elements, of every dtype at least 16 bytes
    if (!is_row || !aligned_rows) return length + room;
    return (length + whole - 1) / whole * whole + whole * (1 + static_cast<std::int64_t>(index));
  };
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t stride = layouts == Layouts::strided ? 2 : layouts == Layouts::reversed ? -1 : 1;
  for (std::size_t step = 0; step < shape.size(); ++step) {
    const std::size_t d = layouts == Layouts::transposed ? step : shape.size() - 1 - step;
    strides[d] = stride;
    stride *= with_room(std::max<std::int64_t>(shape[d], 1), step == 0);
  }
  return Layout::strided(shape, strides);
}

}  // namespace tunecheck
