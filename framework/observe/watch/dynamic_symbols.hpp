#pragma once
// The dynamic symbols that an object defines.
#include <cstdint>
#include <link.h>
#include <string_view>

#include "observe/watch/loaded_image.hpp"

namespace tunecheck::watch {

/// Reads the object's own tables: dlsym() answers for an object and all that it needs, by a copy of
/// a name's meaning. NVRTC before CUDA 13 has only the older of the two kinds of hash tables, most
/// libraries only the newer one. The object must outlive it. Any thread that may read the object.
class DynamicSymbols {
 public:
  explicit DynamicSymbols(const LoadedImage& object);

  /// The function or variable that the object defines by this name, of any version; null without.
  [[nodiscard]] ElfW(Sym) * find(const char* name) const;
  /// Calls `see(name, symbol)` with each that it defines.
  template <class See>
  void each(const See& see) const {
    for (std::uint32_t index = 0, end = count(); index < end; ++index)
      if (is_defined(m_symbols[index]))
        see(std::string_view(name_of(m_symbols[index])), m_symbols[index]);
  }

 private:
  // What the table of DT_GNU_HASH begins with. Then come the words of a filter, a bucket for each
  // remainder of a hash, and the hashes of all symbols from `first` on.
  struct Hash {
    std::uint32_t buckets, first, filter_words, filter_shift;
  };
  // What that of DT_HASH begins with. Then come its buckets and a chain for each symbol.
  struct OldHash {
    std::uint32_t buckets, symbols;
  };
  [[nodiscard]] static bool is_defined(const ElfW(Sym) & symbol);
  [[nodiscard]] const char* name_of(const ElfW(Sym) & symbol) const;
  [[nodiscard]] bool is(const char* name, std::uint32_t index) const;
  [[nodiscard]] ElfW(Sym) * find_by_old_hash(const char* name) const;
  [[nodiscard]] bool may_have(std::uint32_t hash) const;
  [[nodiscard]] const std::uint32_t* buckets() const;
  // The lowest bit says that it is the last of its bucket.
  [[nodiscard]] std::uint32_t hash_at(std::uint32_t index) const;
  [[nodiscard]] std::uint32_t count() const;

  ElfW(Sym) * m_symbols;
  const char* m_texts;
  const Hash* m_hash;
  const OldHash* m_old_hash;
};

}  // namespace tunecheck::watch
