#include "tuner/store/eviction.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <set>
#include <system_error>
#include <tuple>
#include <unistd.h>

#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "core/text.hpp"
#include "tuner/store/entry_format.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::int64_t hour_ns = 3600 * second_ns;
constexpr std::int64_t never_ns = std::numeric_limits<std::int64_t>::max();

std::int64_t to_ns(const timespec& time) {
  return std::int64_t{time.tv_sec} * second_ns + time.tv_nsec;
}

std::int64_t file_clock_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return to_ns(now);
}

// Calls act(path) for each name in a folder; a folder that vanishes has none.
template <class Act>
void for_each_in(const fs::path& folder, Act&& act) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    act(at->path());
}

// ".NAME.PID.N.tmp", as atomic writes name them: the process, or 0 for any other name.
pid_t writer_of(const std::string& name) {
  if (!name.starts_with('.') || !name.ends_with(".tmp")) return 0;
  const std::size_t number = name.rfind('.', name.size() - 5);
  if (number == name.npos || number == 0) return 0;
  const std::size_t process = name.rfind('.', number - 1);
  if (process == name.npos) return 0;
  const auto id = parse_integer(std::string_view(name).substr(process + 1, number - process - 1));
  return id && *id > 0 && *id < std::int64_t{1} << 30 ? static_cast<pid_t>(*id) : 0;
}

// The process must be gone, too: one that is suspended for an hour goes on writing.
bool is_stale_temporary(const std::string& name, std::int64_t modified_ns, std::int64_t now) {
  const pid_t writer = writer_of(name);
  return writer != 0 && now - modified_ns > hour_ns && ::kill(writer, 0) != 0 && errno == ESRCH;
}

struct SeenFile {
  std::string name;
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;
};

// An entry with its artifact. Where a folder holds several, what no entry names counts for none.
StoredItem item_of(const fs::path& folder, const SeenFile& entry,
                   const std::vector<SeenFile>& files) {
  StoredItem item{folder, entry.name, entry.bytes, entry.modified_ns};
  const auto text = read_text_file(folder / entry.name, entry_size_limit);
  const auto parsed = text ? parse_entry(*text) : failure("not readable");
  for (const SeenFile& file : files)
    if (parsed && file.name == parsed->artifact_digest + ".so") {
      item.bytes += file.bytes;
      item.last_used_ns = file.modified_ns;
    }
  return item;
}

void add_key_folder(const fs::path& folder, std::int64_t now, Inventory& inventory) {
  std::vector<SeenFile> files;
  std::vector<SeenFile> entries;
  for_each_in(folder, [&](const fs::path& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) return;
    // A folder in place of an entry's file is an entry that no lookup believes.
    const bool is_folder = S_ISDIR(status.st_mode);
    if (is_folder && !is_entry_file(path)) return;
    SeenFile file{path.filename().string(),
                  is_folder ? 0 : static_cast<std::uint64_t>(status.st_size),
                  to_ns(status.st_mtim)};
    inventory.bytes += file.bytes;
    if (is_stale_temporary(file.name, file.modified_ns, now)) {
      inventory.stale_temporaries.push_back({path, file.bytes});
      return;
    }
    if (is_entry_file(path)) entries.push_back(file);
    files.push_back(std::move(file));
  });
  if (entries.size() > 1) {
    for (const SeenFile& entry : entries)
      inventory.items.push_back(item_of(folder, entry, files));
    return;
  }
  // The usual case, in which all of the folder belongs together and nothing has to be read.
  StoredItem item;
  item.folder = folder;
  if (!entries.empty()) item.entry = entries.front().name;
  for (const SeenFile& file : files) {
    item.bytes += file.bytes;
    item.last_used_ns = std::max(item.last_used_ns, file.modified_ns);
  }
  inventory.items.push_back(std::move(item));
}

std::int64_t modified_ns(const fs::path& file) {
  struct stat status {};
  return ::lstat(file.c_str(), &status) == 0 ? to_ns(status.st_mtim) : never_ns;
}

// False where flock() does not work, and on a file system that other machines may write: what is
// locked there is locked on this machine alone.
bool locks_reach_all(const fs::path& folder) {
  constexpr std::array shared_file_systems = {
      0x6969L,      // NFS
      0x517BL,      // SMB
      0xFE534D42L,  // SMB 2
      0xFF534D42L,  // CIFS
      0x65735546L,  // FUSE: sshfs and many others
      0x01021997L,  // 9P
      0x00C36400L,  // Ceph
      0x0BD00BD0L,  // Lustre
      0x47504653L,  // GPFS
      0x5346414FL,  // AFS
      0x19830326L,  // BeeGFS
  };
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct statfs system {};
  if (!opened.valid() || ::fstatfs(opened.get(), &system) != 0) return false;
  const auto type = static_cast<long>(static_cast<std::uint32_t>(system.f_type));
  if (std::find(shared_file_systems.begin(), shared_file_systems.end(), type) !=
      shared_file_systems.end())
    return false;
  return ::flock(opened.get(), LOCK_SH | LOCK_NB) == 0 || is_held_elsewhere(errno);
}

bool has_entry(const fs::path& folder) {
  bool found = false;
  for_each_in(folder, [&](const fs::path& path) { found = found || is_entry_file(path); });
  return found;
}

}  // namespace

Inventory take_inventory(const fs::path& cache_folder) {
  Inventory inventory;
  const std::int64_t now = file_clock_ns();
  std::error_code error;
  const fs::path top = cache_folder / "v1";
  if (fs::is_symlink(fs::symlink_status(top, error))) return inventory;
  for_each_in(top, [&](const fs::path& kernel) {
    if (!fs::is_directory(fs::symlink_status(kernel, error))) return;
    for_each_in(kernel, [&](const fs::path& folder) {
      std::error_code gone;
      if (fs::is_directory(fs::symlink_status(folder, gone)))
        add_key_folder(folder, now, inventory);
    });
  });
  return inventory;
}

void stamp_as_used(const FileDescriptor& artifact) noexcept {
  timespec times[2] = {{0, UTIME_OMIT}, {0, 0}};
  // Finer than what UTIME_NOW notes: two hits in a row keep their order.
  ::clock_gettime(CLOCK_REALTIME, &times[1]);
  (void)::futimens(artifact.get(), times);
}

Inventory take_key_inventory(const fs::path& folder) {
  Inventory inventory;
  add_key_folder(folder, file_clock_ns(), inventory);
  return inventory;
}

bool is_held_elsewhere(int error) {
  return error == EWOULDBLOCK || error == EINTR;
}

FileDescriptor try_lock_folder(const fs::path& folder) {
  FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (opened.valid() && ::flock(opened.get(), LOCK_EX | LOCK_NB) != 0 && is_held_elsewhere(errno))
    opened.reset();
  // Somebody else may have evicted it, and a third one made it anew.
  if (opened.valid() && !still_names(folder, opened)) opened.reset();
  return opened;
}

bool still_names(const fs::path& path, const FileDescriptor& folder) {
  struct stat by_name {};
  struct stat opened {};
  return ::lstat(path.c_str(), &by_name) == 0 && ::fstat(folder.get(), &opened) == 0 &&
         by_name.st_dev == opened.st_dev && by_name.st_ino == opened.st_ino;
}

void remove_unused_artifacts(const fs::path& folder) {
  std::set<std::string> used;
  std::vector<fs::path> artifacts;
  for_each_in(folder, [&](const fs::path& path) {
    if (path.extension() == ".so") artifacts.push_back(path);
    if (!is_entry_file(path)) return;
    const auto text = read_text_file(path, entry_size_limit);
    const auto entry = text ? parse_entry(*text) : failure("not readable");
    if (entry) used.insert(entry->artifact_digest);
  });
  std::error_code error;
  const std::int64_t written_before_ns =
      locks_reach_all(folder) ? never_ns : file_clock_ns() - hour_ns;
  for (const fs::path& artifact : artifacts)
    if (!used.contains(artifact.stem().string()) && modified_ns(artifact) < written_before_ns)
      fs::remove(artifact, error);
}

std::error_code remove_item(const StoredItem& item) {
  std::error_code first;
  const auto remove = [&](const fs::path& path) {
    std::error_code error;
    fs::remove(path, error);
    if (!first) first = error;
  };
  if (!item.entry.empty()) remove(item.folder / item.entry);
  if (has_entry(item.folder)) {
    remove_unused_artifacts(item.folder);
    return first;
  }
  for_each_in(item.folder, [&](const fs::path& path) {
    // A living process may be about to rename its temporary file.
    if (writer_of(path.filename().string()) == 0) remove(path);
  });
  std::error_code not_empty;
  fs::remove(item.folder, not_empty);
  return first;
}

void Eviction::order(std::vector<StoredItem>& items) const {
  std::sort(items.begin(), items.end(), [](const StoredItem& a, const StoredItem& b) {
    return std::tie(a.last_used_ns, a.folder, a.entry) <
           std::tie(b.last_used_ns, b.folder, b.entry);
  });
}

bool Eviction::remove_temporary(const fs::path& file, std::error_code& error) const {
  return fs::remove(file, error);
}

Eviction::Removed Eviction::shrink(const Target& target, const fs::path& keep, bool dry) {
  Inventory inventory = take_inventory(m_root);
  std::error_code ignored;
  Removed removed;
  removed.bytes_before = removed.bytes_after = inventory.bytes;
  for (const StaleTemporary& temporary : inventory.stale_temporaries) {
    std::error_code error;
    if (!dry && !remove_temporary(temporary.file, error)) {
      if (error) removed.not_removed.push_back({temporary.file, error});
      continue;
    }
    removed.bytes_after -= temporary.bytes;
    removed.temporaries.push_back(temporary.file);
  }
  if (removed.bytes_after <= target.above_bytes) return removed;
  order(inventory.items);
  for (StoredItem& item : inventory.items) {
    if (removed.bytes_after <= target.down_to_bytes) break;
    if (must_stay(item, keep)) continue;
    const FileDescriptor held = lock(item);
    if (!held.valid()) {
      if (fs::exists(item.folder, ignored)) removed.in_use.push_back(std::move(item));
      continue;
    }
    if (const std::error_code error = dry ? std::error_code() : remove_item(item)) {
      removed.not_removed.push_back({item.path(), error});
      continue;
    }
    removed.bytes_after -= std::min(removed.bytes_after, item.bytes);
    removed.items.push_back(std::move(item));
  }
  return removed;
}

void Eviction::after_put(const fs::path& folder, std::uint64_t bytes) {
  if (m_limit_bytes == no_cache_limit) return;
  const std::scoped_lock lock(m_mutex);
  m_written += bytes;
  // Others write, too: what they wrote is seen at the next walk.
  const bool near = m_bytes + m_written > m_limit_bytes;
  if (m_known && !near && m_written < m_limit_bytes / 16) return;
  m_bytes = shrink({m_limit_bytes, m_limit_bytes / 10 * 9}, folder).bytes_after;
  m_written = 0;
  m_known = true;
}

}  // namespace tunecheck
