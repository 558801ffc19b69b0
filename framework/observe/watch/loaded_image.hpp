#pragma once
// The objects that the loader of this process has mapped: the program and its libraries.
#include <cstdint>
#include <functional>
#include <link.h>
#include <optional>
#include <vector>

namespace tunecheck::watch {

/// Valid as long as the object is loaded. Reads the object's own tables, which do not change; only
/// write() changes anything. Any thread may call.
class LoadedImage {
 public:
  LoadedImage(ElfW(Addr) base, const ElfW(Dyn) * dynamic) : m_base(base), m_dynamic(dynamic) {}
  explicit LoadedImage(const dl_phdr_info& told);

  [[nodiscard]] ElfW(Addr) base() const { return m_base; }
  /// What an entry of the dynamic section points to; null without it.
  [[nodiscard]] const void* table(ElfW(Sxword) tag) const;
  [[nodiscard]] std::size_t number(ElfW(Sxword) tag) const;
  /// Its file; "" for the program, and where it is not known.
  [[nodiscard]] const char* name() const { return m_name; }
  [[nodiscard]] bool has_dynamic() const { return m_dynamic != nullptr; }

  /// The words that the loader has filled in with a symbol's address.
  void each_binding(const std::function<void(ElfW(Addr) & word)>& see) const;

  /// Writes to the object's memory, wherever it is. False where the system does not allow it.
  [[nodiscard]] bool write(ElfW(Addr) & word, ElfW(Addr) value) const;

 private:
  [[nodiscard]] std::optional<int> protection_at(std::uintptr_t address) const;
  void see_relocations(const void* table, std::size_t bytes,
                       const std::function<void(ElfW(Addr) & word)>& see) const;

  ElfW(Addr) m_base;
  const ElfW(Dyn) * m_dynamic;
  const char* m_name = "";
  const ElfW(Phdr) * m_headers = nullptr;
  std::size_t m_header_count = 0;
};

/// All of them, each with what write() needs.
[[nodiscard]] std::vector<LoadedImage> loaded_images();
/// The one that an address lies in; nothing where there is none.
[[nodiscard]] std::optional<LoadedImage> image_at(const void* address);

}  // namespace tunecheck::watch
