#pragma once
// What a driver is given to load as a module: where it ends, and what it says of itself.
#include <cstddef>
#include <span>
#include <string>

namespace tunecheck::gpu {

/// Bytes that somebody else owns.
struct Image {
  std::string kind;  ///< "cubin" (any ELF file), "fatbin", "ptx"; "" for no known kind
  std::span<const std::byte> bytes;  ///< all of it; empty for no known kind
};

/// Finds the end of an image from its headers (PTX: from its zero byte). `image` may be null, else
/// it must be one that a driver may be given; a damaged one may be read past its end.
[[nodiscard]] Image examine_image(const void* image);

/// What of a cubin is run: names and bytes of its sections, without symbols, notes and debug
/// information. So it is the same of two cubins that differ in the names of their source files
/// alone. "" for images of another kind.
[[nodiscard]] std::string code_in(const Image& image);

/// The content of the variable `tunecheck_config` in a cubin, which gpu_kernel.h puts there; ""
/// where there is none.
[[nodiscard]] std::string config_in(const Image& image);

}  // namespace tunecheck::gpu
