#include "code_object.hpp"

#include <cstdint>
#include <cstring>
#include <elf.h>

#include <nlohmann/json.hpp>

#include "observe/gpu/elf_image.hpp"
#include "observe/gpu/image.hpp"

namespace tunecheck::shim {
namespace {

constexpr std::string_view code_section = ".shim.code";
constexpr std::uint64_t alignment = 16;

template <class Value>
std::string bytes_of(const Value& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string padded(std::string text, std::uint64_t to) {
  text.resize((text.size() + to - 1) / to * to);
  return text;
}

std::string metadata_of(const std::vector<Kernel>& kernels) {
  nlohmann::json all = nlohmann::json::array();
  for (const Kernel& kernel : kernels) {
    nlohmann::json arguments = nlohmann::json::array();
    for (const gpu::Parameter& parameter : kernel.parameters)
      arguments.push_back(
          {{".offset", parameter.offset}, {".size", parameter.size}, {".value_kind", "by_value"}});
    // As compilers do: what the kernel's author knows nothing of.
    arguments.push_back(
        {{".offset", 4096}, {".size", 8}, {".value_kind", "hidden_global_offset_x"}});
    all.push_back({{".args", arguments}, {".name", kernel.name}, {".symbol", kernel.name + ".kd"}});
  }
  const auto packed = nlohmann::json::to_msgpack(
      {{"amdhsa.kernels", all}, {"amdhsa.version", nlohmann::json::array({1, 1})}});
  return {packed.begin(), packed.end()};
}

std::string note_of(const std::string& metadata) {
  constexpr std::uint32_t amdgpu_metadata = 32;
  const std::string owner("AMDGPU", 7);
  Elf64_Nhdr head{};
  head.n_namesz = static_cast<std::uint32_t>(owner.size());
  head.n_descsz = static_cast<std::uint32_t>(metadata.size());
  head.n_type = amdgpu_metadata;
  return bytes_of(head) + padded(owner, 4) + padded(metadata, 4);
}

// Sections one after the other; the table of them follows.
class ElfFile {
 public:
  ElfFile() { m_sections.emplace_back(); }

  std::uint32_t add(std::string_view name, std::uint32_t type, const std::string& content,
                    std::uint32_t link = 0) {
    Elf64_Shdr section{};
    section.sh_name = static_cast<std::uint32_t>(m_names.size());
    section.sh_type = type;
    m_content = padded(m_content, alignment);
    section.sh_offset = sizeof(Elf64_Ehdr) + m_content.size();
    section.sh_size = content.size();
    section.sh_link = link;
    if (type == SHT_SYMTAB) section.sh_entsize = sizeof(Elf64_Sym);
    m_content += content;
    m_names.append(name).append(1, '\0');
    m_sections.push_back(section);
    return static_cast<std::uint32_t>(m_sections.size() - 1);
  }

  std::string finish(std::uint16_t machine) {
    const std::string name = ".shstrtab";
    const std::uint32_t names = add(name, SHT_STRTAB, m_names + name + '\0');
    m_content = padded(m_content, alignment);
    Elf64_Ehdr head{};
    std::memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_ident[EI_DATA] = ELFDATA2LSB;
    head.e_ident[EI_VERSION] = EV_CURRENT;
    head.e_type = ET_DYN;
    head.e_machine = machine;
    head.e_version = EV_CURRENT;
    head.e_ehsize = sizeof head;
    head.e_shoff = sizeof head + m_content.size();
    head.e_shentsize = sizeof(Elf64_Shdr);
    head.e_shnum = static_cast<std::uint16_t>(m_sections.size());
    head.e_shstrndx = static_cast<std::uint16_t>(names);
    std::string file = bytes_of(head) + m_content;
    for (const Elf64_Shdr& section : m_sections)
      file += bytes_of(section);
    return file;
  }

 private:
  static_assert(sizeof(Elf64_Ehdr) % alignment == 0);
  std::string m_content;
  std::string m_names = std::string(1, '\0');
  std::vector<Elf64_Shdr> m_sections;
};

// Calls `see(name, section, content)` for each section of an ELF image.
template <class See>
void each_section(const gpu::Image& image, See&& see) {
  if (image.bytes.empty()) return;
  const void* const bytes = image.bytes.data();
  const auto head = gpu::value_at<Elf64_Ehdr>(bytes);
  const Elf64_Shdr names = gpu::section_of(bytes, head, head.e_shstrndx);
  for (std::uint64_t index = 0; index < head.e_shnum; ++index) {
    const Elf64_Shdr section = gpu::section_of(bytes, head, index);
    see(gpu::until_zero(gpu::text_in(image, names, section.sh_name)),
        gpu::text_in(image, section, 0));
  }
}

// Records of a kind, a number, a size, and as many bytes as that or none.
std::vector<gpu::Parameter> parameters_in_info(std::string_view info) {
  constexpr std::uint8_t sized = 4;         // EIFMT_SVAL
  constexpr std::uint8_t parameter = 0x17;  // EIATTR_KPARAM_INFO
  struct Head {
    std::uint8_t kind, number;
    std::uint16_t size;
  };
  struct Described {
    std::uint32_t index;
    std::uint16_t ordinal, offset;
    std::uint32_t bits;
  };
  constexpr int size_shift = 18;
  std::vector<gpu::Parameter> parameters;
  while (info.size() >= sizeof(Head)) {
    const auto head = gpu::value_at<Head>(info.data());
    info.remove_prefix(sizeof head);
    if (head.kind != sized) continue;
    if (head.size > info.size()) return {};
    if (head.number == parameter && head.size == sizeof(Described)) {
      const auto described = gpu::value_at<Described>(info.data());
      if (parameters.size() <= described.ordinal) parameters.resize(described.ordinal + 1U);
      parameters[described.ordinal] = {described.offset, described.bits >> size_shift};
    }
    info.remove_prefix(head.size);
  }
  return parameters;
}

}  // namespace

std::string make_code_object(const std::vector<Kernel>& kernels, const std::string& config,
                             std::string_view code) {
  ElfFile file;
  file.add(".note", SHT_NOTE, note_of(metadata_of(kernels)));
  file.add(code_section, SHT_PROGBITS, std::string(code));
  if (!config.empty()) {
    const std::uint32_t data = file.add(".data", SHT_PROGBITS, config + '\0');
    const std::string names = std::string(1, '\0') + "tunecheck_config" + '\0';
    const std::uint32_t strings = file.add(".strtab", SHT_STRTAB, names);
    Elf64_Sym symbol{};
    symbol.st_name = 1;
    symbol.st_shndx = static_cast<std::uint16_t>(data);
    symbol.st_size = config.size() + 1;
    file.add(".symtab", SHT_SYMTAB, bytes_of(Elf64_Sym{}) + bytes_of(symbol), strings);
  }
  return file.finish(EM_AMDGPU);
}

std::optional<std::string_view> code_in_object(const void* image) {
  const gpu::Image examined = gpu::examine_image(image);
  std::optional<std::string_view> found;
  if (examined.kind == "cubin")
    each_section(examined, [&](std::string_view name, std::string_view content) {
      if (name == code_section) found = content;
    });
  return found;
}

std::vector<Kernel> kernels_in_object(const void* image) {
  std::vector<Kernel> kernels;
  for (const auto& [name, parameters] : gpu::kernel_parameters_in(gpu::examine_image(image)))
    kernels.push_back({name, parameters});
  return kernels;
}

std::vector<Kernel> kernels_in_cubin(std::string_view cubin) {
  constexpr std::string_view beginning = ".nv.info.";
  std::vector<Kernel> kernels;
  const gpu::Image image = gpu::examine_image(cubin.data());
  if (image.kind == "cubin" && image.bytes.size() <= cubin.size())
    each_section(image, [&](std::string_view name, std::string_view content) {
      if (name.starts_with(beginning))
        kernels.push_back(
            {std::string(name.substr(beginning.size())), parameters_in_info(content)});
    });
  return kernels;
}

}  // namespace tunecheck::shim
