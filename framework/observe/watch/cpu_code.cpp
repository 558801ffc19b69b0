#include "observe/watch/cpu_code.hpp"

#include <cstring>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <span>
#include <vector>

#include "observe/file_digest.hpp"
#include "observe/gpu/image.hpp"

namespace tunecheck::watch {
namespace {

constexpr std::size_t largest_library = std::size_t{64} << 20;

// The headers that examine_image() follows lie within the file.
bool has_headers(const std::vector<char>& bytes) {
  Elf64_Ehdr header{};
  if (bytes.size() < sizeof header) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_shentsize == sizeof(Elf64_Shdr) &&
         header.e_shoff <= bytes.size() &&
         std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr) <= bytes.size() - header.e_shoff;
}

}  // namespace

std::string code_digest(const std::filesystem::path& library) {
  std::error_code error;
  if (std::filesystem::file_size(library, error) > largest_library || error) return "";
  std::ifstream file(library, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (!has_headers(bytes)) return "";
  const gpu::Image image = gpu::examine_image(bytes.data());
  if (image.bytes.size() > bytes.size()) return "";
  const std::string code = gpu::code_in(image);
  return code.empty() ? "" : bytes_digest(std::as_bytes(std::span(code)));
}

}  // namespace tunecheck::watch
