#include "observe/gpu/image.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <string_view>
#include <vector>

#include "observe/gpu/elf_image.hpp"

namespace tunecheck::gpu {
namespace {

// The first numbers of a fatbin, of the wrapper that nvcc puts around it, and of that which hipcc
// puts around a bundle.
constexpr std::uint32_t fatbin_magic = 0xba55ed50;
constexpr std::uint32_t wrapper_magic = 0x466243b1;
constexpr std::uint32_t hip_wrapper_magic = 0x48495046;

struct FatbinHeader {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_size;  // bytes
  std::uint64_t data_size;    // bytes after the header
};

struct FatbinWrapper {
  std::uint32_t magic;
  std::uint32_t version;
  const void* data;
};

// The end of what lies last: a section, or one of the two tables.
std::uint64_t elf_size(const void* image) {
  const auto header = value_at<Elf64_Ehdr>(image);
  std::uint64_t end = sizeof(header);
  if (header.e_phnum > 0)
    end = std::max(end, header.e_phoff + std::uint64_t{header.e_phnum} * header.e_phentsize);
  if (header.e_shnum > 0)
    end = std::max(end, header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize);
  for (std::uint64_t index = 0; index < header.e_shnum; ++index) {
    const Elf64_Shdr section = section_of(image, header, index);
    if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL)
      end = std::max(end, section.sh_offset + section.sh_size);
  }
  return end;
}

bool is_elf(const void* image) {
  return std::memcmp(image, ELFMAG, SELFMAG) == 0 &&
         static_cast<const unsigned char*>(image)[EI_CLASS] == ELFCLASS64;
}

// PTX begins with a comment or a directive.
bool is_ptx(const char* text) {
  text += std::strspn(text, " \t\r\n");
  return *text == '.' || std::strncmp(text, "//", 2) == 0 || std::strncmp(text, "/*", 2) == 0;
}

// A bundle of clang's, with code objects for several archs: this text, the number of entries, and
// for each its place, its size, and the length of its name, which follows
// (clang.llvm.org/docs/ClangOffloadBundler.html).
constexpr std::string_view bundle_magic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::uint64_t most_bundled = 1024;

struct Bundled {
  std::uint64_t offset;
  std::uint64_t size;
  std::string_view name;
};

bool is_bundle(const void* image) {
  return std::strncmp(static_cast<const char*>(image), bundle_magic.data(), bundle_magic.size()) ==
         0;
}

std::vector<Bundled> entries_of_bundle(const void* image) {
  std::uint64_t at = bundle_magic.size();
  const auto next = [&] {
    const auto value = value_at<std::uint64_t>(image, at);
    at += sizeof(value);
    return value;
  };
  std::vector<Bundled> entries;
  const std::uint64_t count = std::min(next(), most_bundled);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t offset = next();
    const std::uint64_t size = next();
    const std::uint64_t length = next();
    entries.push_back({offset, size, {static_cast<const char*>(image) + at, length}});
    at += length;
  }
  return entries;
}

std::uint64_t bundle_size(const void* image) {
  std::uint64_t end = 0;
  for (const Bundled& entry : entries_of_bundle(image))
    end = std::max(end, entry.offset + entry.size);
  return end;
}

}  // namespace

Image examine_image(const void* image) {
  if (image == nullptr) return {};
  const auto* const bytes = static_cast<const std::byte*>(image);
  if (is_elf(image)) return {"cubin", {bytes, elf_size(image)}};
  if (is_bundle(image)) return {"bundle", {bytes, bundle_size(image)}};
  const auto magic = value_at<std::uint32_t>(image);
  if (magic == wrapper_magic || magic == hip_wrapper_magic)
    return examine_image(value_at<FatbinWrapper>(image).data);
  if (magic == fatbin_magic) {
    const auto header = value_at<FatbinHeader>(image);
    return {"fatbin", {bytes, header.header_size + header.data_size}};
  }
  const auto* const text = static_cast<const char*>(image);
  if (is_ptx(text)) return {"ptx", {bytes, std::strlen(text)}};
  return {};
}

Image elf_in(const Image& image) {
  if (image.kind == "cubin") return image;
  if (image.kind != "bundle") return {};
  Image found;
  for (const Bundled& entry : entries_of_bundle(image.bytes.data())) {
    const bool is_code = entry.size >= sizeof(Elf64_Ehdr) && !entry.name.starts_with("host");
    if (!is_code || !is_elf(image.bytes.data() + entry.offset)) continue;
    if (!found.bytes.empty()) return {};
    found = {"cubin", image.bytes.subspan(entry.offset, entry.size)};
  }
  return found;
}

// ".b8 tunecheck_config[17] = {98, 108, ...};" in PTX: the text as numbers, with its zero.
std::string config_in_ptx(std::string_view text) {
  const std::size_t variable = text.find(" tunecheck_config[");
  const std::size_t first = text.find('{', variable);
  const std::size_t end = text.find('}', variable);
  if (variable == text.npos || first == text.npos || end == text.npos || first > end) return {};
  std::string config;
  int number = 0;
  for (const char each : text.substr(first + 1, end - first)) {
    if (each >= '0' && each <= '9') {
      number = number * 10 + (each - '0');
    } else if (each == ',' || each == '}') {
      if (number != 0) config += static_cast<char>(number);
      number = 0;
    }
  }
  return config;
}

std::string code_in(const Image& whole) {
  const Image image = elf_in(whole);
  if (image.bytes.empty()) return {};
  const void* const bytes = image.bytes.data();
  const auto header = value_at<Elf64_Ehdr>(bytes);
  if (header.e_shstrndx >= header.e_shnum) return {};
  const Elf64_Shdr names = section_of(bytes, header, header.e_shstrndx);
  std::string code;
  for (std::uint64_t index = 0; index < header.e_shnum; ++index) {
    const Elf64_Shdr section = section_of(bytes, header, index);
    const std::string_view name = until_zero(text_in(image, names, section.sh_name));
    if (section.sh_type == SHT_SYMTAB || section.sh_type == SHT_STRTAB ||
        section.sh_type == SHT_NOTE || name.find("debug") != name.npos)
      continue;
    code.append(name).append(1, '\0').append(text_in(image, section, 0)).append(1, '\0');
  }
  return code;
}

std::string config_in(const Image& whole) {
  if (whole.kind == "ptx")
    return config_in_ptx({reinterpret_cast<const char*>(whole.bytes.data()), whole.bytes.size()});
  const Image image = elf_in(whole);
  if (image.bytes.empty()) return {};
  const void* const bytes = image.bytes.data();
  const auto header = value_at<Elf64_Ehdr>(bytes);
  for (std::uint64_t index = 0; index < header.e_shnum; ++index) {
    const Elf64_Shdr table = section_of(bytes, header, index);
    const bool is_table = table.sh_type == SHT_SYMTAB || table.sh_type == SHT_DYNSYM;
    if (!is_table || table.sh_link >= header.e_shnum) continue;
    const Elf64_Shdr names = section_of(bytes, header, table.sh_link);
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
      const auto symbol = value_at<Elf64_Sym>(bytes, table.sh_offset + at);
      if (until_zero(text_in(image, names, symbol.st_name)) != "tunecheck_config" ||
          symbol.st_shndx >= header.e_shnum)
        continue;
      const Elf64_Shdr section = section_of(bytes, header, symbol.st_shndx);
      return std::string(until_zero(
          text_in(image, section, symbol.st_value - section.sh_addr).substr(0, symbol.st_size)));
    }
  }
  return {};
}

}  // namespace tunecheck::gpu
