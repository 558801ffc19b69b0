#pragma once
// Pieces of an ELF image in memory. Whatever its headers say, nothing outside `image` is read but
// by value_at() and section_of(), whose callers know that the headers are inside it.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <string_view>

#include "observe/gpu/image.hpp"

namespace tunecheck::gpu {

/// Values in an image lie anywhere.
template <class Value>
[[nodiscard]] Value value_at(const void* image, std::uint64_t offset = 0) {
  Value value;
  std::memcpy(&value, static_cast<const std::byte*>(image) + offset, sizeof(Value));
  return value;
}

[[nodiscard]] inline Elf64_Shdr section_of(const void* image, const Elf64_Ehdr& header,
                                           std::uint64_t index) {
  return value_at<Elf64_Shdr>(image, header.e_shoff + index * header.e_shentsize);
}

/// The piece of a section from `at`; empty where it is not all inside the image.
[[nodiscard]] inline std::string_view text_in(const Image& image, const Elf64_Shdr& section,
                                              std::uint64_t at) {
  if (section.sh_type == SHT_NOBITS || section.sh_offset > image.bytes.size() ||
      section.sh_size > image.bytes.size() - section.sh_offset || at > section.sh_size)
    return {};
  return {reinterpret_cast<const char*>(image.bytes.data()) + section.sh_offset + at,
          section.sh_size - at};
}

[[nodiscard]] inline std::string_view until_zero(std::string_view text) {
  return text.substr(0, text.find('\0'));
}

}  // namespace tunecheck::gpu
