#include "backend/gpu/loader_answer.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <memory>
#include <string>
#include <vector>

#include "core/files.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;
using Kind = LoaderAnswer::Kind;

// glibc, sysdeps/generic/dl-cache.h.
struct CacheHeader {
  std::array<char, 20> magic;
  std::uint32_t count;
  std::uint32_t text_bytes;
  std::uint8_t flags;
  std::array<std::uint8_t, 3> padding;
  std::uint32_t extension;
  std::array<std::uint32_t, 3> unused;
};
static_assert(sizeof(CacheHeader) == 48);

struct CacheEntry {
  std::int32_t flags;
  std::uint32_t name;  // both from the file's beginning
  std::uint32_t path;
  std::uint32_t system_version;
  std::uint64_t processor;
};
static_assert(sizeof(CacheEntry) == 24);

constexpr std::string_view cache_magic = "glibc-ld.so.cache1.1";
constexpr std::uint64_t most_cache_bytes = 16 << 20;

#if defined(__x86_64__) && defined(__LP64__)
constexpr std::int32_t own_flags = 0x0303;
#elif defined(__aarch64__) && defined(__LP64__)
constexpr std::int32_t own_flags = 0x0a03;
#else
constexpr std::int32_t own_flags = -1;
#endif

std::optional<std::string> text_at(std::string_view cache, std::uint32_t offset) {
  if (offset >= cache.size()) return std::nullopt;
  const std::string_view rest = cache.substr(offset);
  const std::size_t end = rest.find('\0');
  if (end == rest.npos) return std::nullopt;
  return std::string(rest.substr(0, end));
}

#ifdef __GLIBC__

// Folders that the loader tries for this library, all but the cache, in its order.
std::optional<std::vector<fs::path>> search_folders() {
  static const char here = 0;
  Dl_info place{};
  link_map* own = nullptr;
  if (::dladdr1(&here, &place, reinterpret_cast<void**>(&own), RTLD_DL_LINKMAP) == 0 ||
      own == nullptr)
    return std::nullopt;
  Dl_serinfo size{};
  if (::dlinfo(own, RTLD_DI_SERINFOSIZE, &size) != 0 || size.dls_size < sizeof size)
    return std::nullopt;
  std::vector<std::max_align_t> space(size.dls_size / sizeof(std::max_align_t) + 1);
  auto* const all = reinterpret_cast<Dl_serinfo*>(space.data());
  *all = size;
  if (::dlinfo(own, RTLD_DI_SERINFO, all) != 0) return std::nullopt;
  std::vector<fs::path> folders;
  for (unsigned i = 0; i < all->dls_cnt; ++i)
    folders.emplace_back(all->dls_serpath[i].dls_name);
  return folders;
}

// Asked after the cache, unless a variable or the program names them too.
bool is_usual(const fs::path& folder) {
  const std::string text = folder.string();
  return text.starts_with("/lib") || text.starts_with("/usr/lib");
}

// The loader prefers libraries for this processor, in folders whose names depend on its version.
bool has_one_for_processors(const fs::path& folder, const std::string& name) {
  static constexpr std::array<const char*, 9> below = {"glibc-hwcaps", "tls",      "haswell",
                                                       "xeon_phi",     "avx512_1", "x86_64",
                                                       "sse2",         "aarch64",  "atomics"};
  for (const char* const each : below) {
    std::error_code error;
    for (fs::recursive_directory_iterator file(folder / each, error), end; !error && file != end;
         file.increment(error))
      if (file->path().filename() == name) return true;
  }
  return false;
}

LoaderAnswer place_of(const std::string& name) {
  const auto folders = search_folders();
  const auto content = read_text_file("/etc/ld.so.cache", most_cache_bytes);
  if (!folders || !content) return {};
  const auto cached = find_in_loader_cache(*content, name);
  if (!cached) return {};
  for (const fs::path& folder : *folders) {
    std::error_code error;
    if (has_one_for_processors(folder, name)) return {};
    const fs::path file = folder / name;
    if (!fs::exists(file, error)) continue;
    // It may come before the cache or after it.
    if (is_usual(folder) && !cached->path.empty() && !fs::equivalent(file, cached->path, error))
      return {};
    return {Kind::file, file};
  }
  std::error_code error;
  if (cached->path.empty() || !fs::exists(cached->path, error)) return {};
  return {Kind::file, cached->path};
}

// What dlopen() says if it may not load: nothing and no complaint where it found the file.
Kind ask_to_find(const fs::path& path) {
  (void)::dlerror();
  if (void* const loaded = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD)) {
    (void)::dlclose(loaded);
    return Kind::unknown;
  }
  return ::dlerror() == nullptr ? Kind::file : Kind::nothing;
}

#endif

}  // namespace

std::optional<CachedLibrary> find_in_loader_cache(std::string_view cache, std::string_view name) {
  CacheHeader header;
  if (own_flags < 0 || cache.size() < sizeof header || !cache.starts_with(cache_magic))
    return std::nullopt;
  std::memcpy(&header, cache.data(), sizeof header);
  constexpr unsigned order_bits = 3;
  constexpr unsigned little_endian = 2;
  const unsigned order = header.flags & order_bits;
  if ((order != 0 && order != little_endian) ||
      header.count > (cache.size() - sizeof header) / sizeof(CacheEntry))
    return std::nullopt;
  CachedLibrary found;
  for (std::uint32_t i = 0; i < header.count; ++i) {
    CacheEntry entry;
    std::memcpy(&entry, cache.data() + sizeof header + i * sizeof entry, sizeof entry);
    const auto own_name = text_at(cache, entry.name);
    if (!own_name) return std::nullopt;
    if (*own_name != name || entry.flags != own_flags) continue;
    const auto path = text_at(cache, entry.path);
    if (!path || path->empty() || entry.system_version != 0 || entry.processor != 0 ||
        !found.path.empty())
      return std::nullopt;
    found.path = *path;
  }
  return found;
}

#ifdef __GLIBC__
LoaderAnswer ask_loader(const fs::path& name) {
  // An auditor may send the loader elsewhere.
  if (std::getenv("LD_AUDIT") != nullptr) return {};
  const Kind kind = ask_to_find(name);
  if (kind != Kind::file) return {kind, {}};
  LoaderAnswer answer =
      name.has_parent_path() ? LoaderAnswer{Kind::file, name} : place_of(name.string());
  // It may refuse the one that was worked out, and have found another.
  if (answer.kind == Kind::file && ask_to_find(answer.file) != Kind::file) return {};
  return answer;
}
#else
// Other loaders do not say whether they would have found a file.
LoaderAnswer ask_loader(const fs::path&) {
  return {};
}
#endif

}  // namespace tunecheck
