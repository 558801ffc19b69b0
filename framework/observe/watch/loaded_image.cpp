#include "observe/watch/loaded_image.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <span>
#include <unistd.h>

#include <sys/mman.h>

namespace tunecheck::watch {
namespace {

std::uintptr_t page_size() {
  static const auto size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

bool contains(const ElfW(Phdr) & header, std::uintptr_t offset) {
  return header.p_vaddr <= offset && offset < header.p_vaddr + header.p_memsz;
}

}  // namespace

LoadedImage::LoadedImage(const dl_phdr_info& told)
    : m_base(told.dlpi_addr),
      m_dynamic(nullptr),
      m_name(told.dlpi_name),
      m_headers(told.dlpi_phdr),
      m_header_count(told.dlpi_phnum) {
  for (const ElfW(Phdr) & header : std::span(m_headers, m_header_count))
    if (header.p_type == PT_DYNAMIC)
      m_dynamic = reinterpret_cast<const ElfW(Dyn)*>(m_base + header.p_vaddr);
}

const void* LoadedImage::table(ElfW(Sxword) tag) const {
  const auto value = static_cast<ElfW(Addr)>(number(tag));
  if (value == 0) return nullptr;
  // Some loaders have added the object's own address.
  return reinterpret_cast<const void*>(value < m_base ? value + m_base : value);
}

std::size_t LoadedImage::number(ElfW(Sxword) tag) const {
  if (m_dynamic != nullptr)
    for (const ElfW(Dyn)* entry = m_dynamic; entry->d_tag != DT_NULL; ++entry)
      if (entry->d_tag == tag) return entry->d_un.d_val;
  return 0;
}

void LoadedImage::each_binding(const std::function<void(ElfW(Addr) & word)>& see) const {
  see_relocations(table(DT_RELA), number(DT_RELASZ), see);
  see_relocations(table(DT_JMPREL), number(DT_PLTRELSZ), see);
}

void LoadedImage::see_relocations(const void* table, std::size_t bytes,
                                  const std::function<void(ElfW(Addr) & word)>& see) const {
  if (table == nullptr) return;
  for (const ElfW(Rela) & each :
       std::span(static_cast<const ElfW(Rela)*>(table), bytes / sizeof(ElfW(Rela))))
    if (ELF64_R_SYM(each.r_info) != 0) see(*reinterpret_cast<ElfW(Addr)*>(m_base + each.r_offset));
}

std::optional<int> LoadedImage::protection_at(std::uintptr_t address) const {
  const std::uintptr_t offset = address - m_base;
  std::optional<int> found;
  for (const ElfW(Phdr) & header : std::span(m_headers, m_header_count)) {
    if (header.p_type == PT_LOAD && contains(header, offset))
      found = ((header.p_flags & PF_R) != 0 ? PROT_READ : 0) |
              ((header.p_flags & PF_W) != 0 ? PROT_WRITE : 0) |
              ((header.p_flags & PF_X) != 0 ? PROT_EXEC : 0);
    // Made unwritable when it had been filled in; whole pages alone.
    const std::uintptr_t end = (m_base + header.p_vaddr + header.p_memsz) / page_size();
    if (header.p_type == PT_GNU_RELRO && contains(header, offset) && address / page_size() < end)
      return PROT_READ;
  }
  return found;
}

bool LoadedImage::write(ElfW(Addr) & word, ElfW(Addr) value) const {
  const auto address = reinterpret_cast<std::uintptr_t>(&word);
  const auto allowed = protection_at(address);
  if (!allowed) return false;
  if ((*allowed & PROT_WRITE) != 0) return word = value, true;
  const std::uintptr_t begin = address / page_size() * page_size();
  const std::size_t size = address + sizeof word - begin;
  auto* const pages = reinterpret_cast<void*>(begin);
  if (::mprotect(pages, size, *allowed | PROT_WRITE) != 0) return false;
  word = value;
  ::mprotect(pages, size, *allowed);
  return true;
}

std::vector<LoadedImage> loaded_images() {
  std::vector<LoadedImage> images;
  ::dl_iterate_phdr(
      [](dl_phdr_info* told, std::size_t, void* all) {
        static_cast<std::vector<LoadedImage>*>(all)->emplace_back(*told);
        return 0;
      },
      &images);
  return images;
}

std::optional<LoadedImage> image_at(const void* address) {
  static const auto find = reinterpret_cast<decltype(&::_dl_find_object)>(
      ::dlsym(RTLD_DEFAULT, "_dl_find_object"));  // glibc 2.35
  if (find != nullptr) {
    dl_find_object found{};
    if (find(const_cast<void*>(address), &found) != 0) return std::nullopt;
    return LoadedImage(found.dlfo_link_map->l_addr, found.dlfo_link_map->l_ld);
  }
  struct Search {
    std::uintptr_t address;
    std::optional<LoadedImage> found;
  } search{reinterpret_cast<std::uintptr_t>(address), {}};
  ::dl_iterate_phdr(
      [](dl_phdr_info* told, std::size_t, void* of) {
        auto& wanted = *static_cast<Search*>(of);
        for (const ElfW(Phdr) & header : std::span(told->dlpi_phdr, told->dlpi_phnum))
          if (header.p_type == PT_LOAD && contains(header, wanted.address - told->dlpi_addr))
            wanted.found.emplace(*told);
        return wanted.found ? 1 : 0;
      },
      &search);
  return search.found;
}

}  // namespace tunecheck::watch
