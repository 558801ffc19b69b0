#pragma once
// Tensors as files between the judge and an adapter: canaries around the elements and in the
// padding between strides.
#include <filesystem>
#include <string>
#include <vector>

#include "core/fill.hpp"
#include "core/result.hpp"
#include "core/tensor_view.hpp"

namespace tunecheck {

/// A tensor file as it was before a call. Every byte that is no element holds a canary that depends
/// on its position, so that a shifted copy is damage too.
class TensorFile {
 public:
  /// Lays the tensor out so that element [0, ..., 0] is `align` bytes past a 64-byte boundary once
  /// the file is mapped, with at least 4096 bytes of canary on both sides, and fills the elements.
  TensorFile(std::filesystem::path path, DType dtype, const Layout& layout, std::int64_t align,
             const Fill& fill, std::uint64_t seed, std::string_view stream);

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  [[nodiscard]] std::uint64_t byte_offset() const { return m_byte_offset; }
  /// The elements before the call; points into this object.
  [[nodiscard]] TensorView initial() const { return view_of(m_image); }
  [[nodiscard]] Result<void> write() const { return write_copy(m_path); }
  /// The same content under another name.
  [[nodiscard]] Result<void> write_copy(const std::filesystem::path& path) const;

  /// The file as a call left it.
  struct After {
    std::vector<std::byte> image;
    TensorView elements;           ///< points into `image`
    bool unchanged = false;        ///< every byte as before
    std::string canary_damage;     ///< the first damaged canary byte in words, "" if there is none
    std::string first_difference;  ///< the first changed byte in words, "" if there is none
  };
  /// An error where the file is gone or has another size.
  [[nodiscard]] Result<After> read_back() const { return read_back(m_path); }
  /// The same of a copy that write_copy made.
  [[nodiscard]] Result<After> read_back(const std::filesystem::path& path) const;

 private:
  [[nodiscard]] TensorView view_of(const std::vector<std::byte>& image) const;
  [[nodiscard]] std::string describe(std::size_t position) const;

  std::filesystem::path m_path;
  DType m_dtype;
  Layout m_layout;
  std::uint64_t m_byte_offset = 0;
  std::vector<std::byte> m_image;
};

}  // namespace tunecheck
