#include "observe/watch/dynamic_symbols.hpp"

#include <algorithm>
#include <cstring>
#include <elf.h>

namespace tunecheck::watch {
namespace {

constexpr std::uint32_t word_bits = 8 * sizeof(ElfW(Addr));

std::uint32_t hash_of(const char* name) {
  std::uint32_t hash = 5381;
  for (; *name != '\0'; ++name)
    hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

// As the System V ABI has it.
std::uint32_t old_hash_of(const char* name) {
  std::uint32_t hash = 0;
  for (; *name != '\0'; ++name) {
    hash = (hash << 4) + static_cast<unsigned char>(*name);
    const std::uint32_t high = hash & 0xf0000000;
    hash = (hash ^ high >> 24) & ~high;
  }
  return hash;
}

}  // namespace

DynamicSymbols::DynamicSymbols(const LoadedImage& object)
    : m_symbols(static_cast<ElfW(Sym) *>(const_cast<void*>(object.table(DT_SYMTAB)))),
      m_texts(static_cast<const char*>(object.table(DT_STRTAB))),
      m_hash(static_cast<const Hash*>(object.table(DT_GNU_HASH))),
      m_old_hash(static_cast<const OldHash*>(object.table(DT_HASH))) {
  const bool is_whole = m_symbols != nullptr && m_texts != nullptr;
  if (!is_whole || m_hash == nullptr || m_hash->buckets == 0 || m_hash->filter_words == 0)
    m_hash = nullptr;
  if (!is_whole || m_old_hash == nullptr || m_old_hash->buckets == 0) m_old_hash = nullptr;
}

bool DynamicSymbols::is_defined(const ElfW(Sym) & symbol) {
  const int type = ELF64_ST_TYPE(symbol.st_info);
  return symbol.st_shndx != SHN_UNDEF && symbol.st_shndx != SHN_ABS &&
         (type == STT_FUNC || type == STT_OBJECT);
}

const char* DynamicSymbols::name_of(const ElfW(Sym) & symbol) const {
  return m_texts + symbol.st_name;
}

bool DynamicSymbols::is(const char* name, std::uint32_t index) const {
  return is_defined(m_symbols[index]) && std::strcmp(name_of(m_symbols[index]), name) == 0;
}

const std::uint32_t* DynamicSymbols::buckets() const {
  const auto* const filter = reinterpret_cast<const ElfW(Addr)*>(m_hash + 1);
  return reinterpret_cast<const std::uint32_t*>(filter + m_hash->filter_words);
}

std::uint32_t DynamicSymbols::hash_at(std::uint32_t index) const {
  return buckets()[m_hash->buckets + index - m_hash->first];
}

bool DynamicSymbols::may_have(std::uint32_t hash) const {
  const auto* const filter = reinterpret_cast<const ElfW(Addr)*>(m_hash + 1);
  const ElfW(Addr) word = filter[hash / word_bits % m_hash->filter_words];
  const std::uint32_t other = hash >> m_hash->filter_shift;
  return (word >> hash % word_bits & word >> other % word_bits & 1) != 0;
}

ElfW(Sym) * DynamicSymbols::find(const char* name) const {
  if (m_hash == nullptr) return find_by_old_hash(name);
  const std::uint32_t hash = hash_of(name);
  if (!may_have(hash)) return nullptr;
  std::uint32_t index = buckets()[hash % m_hash->buckets];
  for (; index >= m_hash->first; ++index) {
    if ((hash_at(index) | 1) == (hash | 1) && is(name, index)) return &m_symbols[index];
    if ((hash_at(index) & 1) != 0) break;
  }
  return nullptr;
}

ElfW(Sym) * DynamicSymbols::find_by_old_hash(const char* name) const {
  if (m_old_hash == nullptr) return nullptr;
  const auto* const first = reinterpret_cast<const std::uint32_t*>(m_old_hash + 1);
  const std::uint32_t* const chain = first + m_old_hash->buckets;
  for (std::uint32_t index = first[old_hash_of(name) % m_old_hash->buckets]; index != 0;
       index = chain[index])
    if (is(name, index)) return &m_symbols[index];
  return nullptr;
}

std::uint32_t DynamicSymbols::count() const {
  if (m_old_hash != nullptr) return m_old_hash->symbols;
  if (m_hash == nullptr) return 0;
  std::uint32_t last = 0;
  for (std::uint32_t bucket = 0; bucket < m_hash->buckets; ++bucket)
    last = std::max(last, buckets()[bucket]);
  if (last < m_hash->first) return 0;
  while ((hash_at(last) & 1) == 0)
    ++last;
  return last + 1;
}

}  // namespace tunecheck::watch
