#include "harness/kernel/tensor_file.hpp"

#include <algorithm>

#include "core/files.hpp"

namespace tunecheck {
namespace {

constexpr std::int64_t canary_bytes = 4096;
constexpr std::int64_t boundary = 64;

std::byte canary_at(std::size_t position) {
  const auto mixed = static_cast<std::uint32_t>(position) * 0x9e3779b1U;
  return static_cast<std::byte>((mixed >> 24) ^ 0x5aU);
}

std::int64_t rounded_up(std::int64_t bytes) {
  return (bytes + boundary - 1) / boundary * boundary;
}

std::size_t first_difference(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
}

}  // namespace

TensorFile::TensorFile(std::filesystem::path path, DType dtype, const Layout& layout,
                       std::int64_t align, const Fill& fill, std::uint64_t seed,
                       std::string_view stream)
    : m_path(std::move(path)), m_dtype(dtype), m_layout(layout) {
  const Extent extent = extent_of(layout);
  const auto size = static_cast<std::int64_t>(size_of(dtype));
  const std::int64_t offset = canary_bytes + rounded_up(-extent.first * size) + align;
  m_byte_offset = static_cast<std::uint64_t>(offset);
  m_image.resize(static_cast<std::size_t>(rounded_up(offset + extent.end * size) + canary_bytes));
  for (std::size_t position = 0; position < m_image.size(); ++position)
    m_image[position] = canary_at(position);
  apply_fill(fill, seed, stream, initial());
}

Result<void> TensorFile::write_copy(const std::filesystem::path& path) const {
  return write_file(path, m_image);
}

Result<TensorFile::After> TensorFile::read_back(const std::filesystem::path& path) const {
  // First of all: a tuner may have made terabytes of it.
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  if (!unknown && size != m_image.size())
    return failure("{} had {} bytes before the call and has {} now", path.string(), m_image.size(),
                   size);
  TUNECHECK_TRY(std::vector<std::byte> image, read_binary_file(path, m_image.size()));
  if (image.size() != m_image.size())
    return failure("{} became shorter while it was read", path.string());
  After after;
  after.unchanged = image == m_image;
  if (!after.unchanged) {
    after.first_difference = describe(first_difference(image, m_image));
    // With the elements as they were, what still differs is canary.
    std::vector<std::byte> canaries = image;
    copy_elements(initial(), view_of(canaries));
    if (canaries != m_image) after.canary_damage = describe(first_difference(canaries, m_image));
  }
  after.image = std::move(image);
  after.elements = view_of(after.image);
  return after;
}

TensorView TensorFile::view_of(const std::vector<std::byte>& image) const {
  // Views are not const; who asks for the initial elements only reads them.
  auto* const data = const_cast<std::byte*>(image.data());
  return {data + m_byte_offset, m_dtype, m_layout};
}

std::string TensorFile::describe(std::size_t position) const {
  const ByteRange range = byte_range(initial());
  const auto first = static_cast<std::size_t>(range.first - m_image.data());
  const auto end = static_cast<std::size_t>(range.end - m_image.data());
  if (position < first) return fmt::format("{} bytes before the tensor", first - position);
  if (position >= end) return fmt::format("byte {} past the end of the tensor", position - end);
  return fmt::format("byte {} inside the tensor's extent of {} bytes", position - first,
                     end - first);
}

}  // namespace tunecheck
