#include "observe/probe/modules.hpp"

#include <charconv>
#include <compare>
#include <cstdint>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "observe/file_digest.hpp"

namespace tunecheck::probe {
namespace {

// One file at one time. The base address alone is not enough: after an unload, or in a forked
// child, it may hold another artifact, and a descriptor's number may name another file.
struct Identity {
  const void* base = nullptr;
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  std::int64_t modified_ns = 0;
  auto operator<=>(const Identity&) const = default;
};

// What /proc/self/maps says of the mapping around an address.
struct Mapping {
  unsigned device_major = 0;
  unsigned device_minor = 0;
  std::uint64_t inode = 0;
  std::string path;
};

std::optional<Mapping> mapping_of(const void* address) {
  std::ifstream maps("/proc/self/maps");
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t first = 0;
    std::uintptr_t end = 0;
    const char* const text_end = line.data() + line.size();
    const auto dash = std::from_chars(line.data(), text_end, first, 16);
    if (dash.ptr == text_end) continue;
    std::from_chars(dash.ptr + 1, text_end, end, 16);
    if (wanted < first || wanted >= end) continue;
    Mapping mapping;
    unsigned long inode = 0;
    int path_at = 0;
    // address range, permissions, offset, device, inode, path
    if (std::sscanf(line.c_str(), "%*s %*s %*s %x:%x %lu %n", &mapping.device_major,
                    &mapping.device_minor, &inode, &path_at) != 3)
      return std::nullopt;
    mapping.inode = inode;
    mapping.path = line.substr(static_cast<std::size_t>(path_at));
    return mapping;
  }
  return std::nullopt;
}

// True where the file found by name is the one in memory. An overlay file system shows other
// numbers in maps than in stat; there the name must be the same, which ends in " (deleted)" once
// the file has been removed or replaced.
bool is_mapped(const void* address, const char* name, const struct stat& status) {
  const auto mapping = mapping_of(address);
  if (!mapping) return false;
  if (mapping->inode == status.st_ino && mapping->device_major == major(status.st_dev) &&
      mapping->device_minor == minor(status.st_dev))
    return true;
  std::error_code error;
  return std::filesystem::canonical(name, error) == mapping->path && !error;
}

}  // namespace

std::string module_digest(const void* address) {
  Dl_info info{};
  struct stat status {};
  if (::dladdr(address, &info) == 0 || info.dli_fname == nullptr ||
      ::stat(info.dli_fname, &status) != 0)
    return {};
  const Identity identity{
      info.dli_fbase, status.st_dev, status.st_ino, status.st_size,
      std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
  thread_local std::map<Identity, std::string> known;
  const auto found = known.find(identity);
  if (found != known.end()) return found->second;
  std::string digest;
  if (is_mapped(address, info.dli_fname, status)) digest = file_digest(info.dli_fname);
  return known.emplace(identity, std::move(digest)).first->second;
}

}  // namespace tunecheck::probe
