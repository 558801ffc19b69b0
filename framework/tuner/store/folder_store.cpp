#include "tuner/store/folder_store.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#include <sys/file.h>
#include <sys/stat.h>

#include "core/digest.hpp"
#include "core/text.hpp"
#include "tuner/store/entry_format.hpp"
#include "tuner/store/safe_file.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view format_folder = "v1";
// Names that nearest() and a lookup without a toolchain read of a folder at most.
constexpr std::size_t listed_names_limit = 4096;

Found stale(std::string reason) {
  return {Found::State::stale, std::move(reason), {}, {}};
}

Found not_opened(SafeOpen opened) {
  return opened.missing ? Found{} : stale(std::move(opened.reason));
}

std::string_view as_text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct Listed {
  fs::path path;
  fs::file_time_type time;
};

// The first names of a folder that `wanted` accepts, the newest first.
template <class Wanted>
std::vector<Listed> list_newest(const fs::path& folder, Wanted&& wanted) {
  std::vector<Listed> found;
  std::error_code error;
  std::size_t seen = 0;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (++seen > listed_names_limit) break;
    std::error_code gone;
    const auto time = fs::last_write_time(entry->path(), gone);
    if (!gone && wanted(entry->path())) found.push_back({entry->path(), time});
  }
  std::sort(found.begin(), found.end(),
            [](const Listed& a, const Listed& b) { return a.time > b.time; });
  return found;
}

constexpr std::chrono::milliseconds lock_pause(2);

// Asks again and again: flock() itself knows no limit. 0, or why there is no lock: EWOULDBLOCK
// where another process has had it all the while.
int lock_until(const FileDescriptor& folder, std::chrono::steady_clock::time_point end) {
  while (::flock(folder.get(), LOCK_EX | LOCK_NB) != 0) {
    if ((errno != EWOULDBLOCK && errno != EINTR) || std::chrono::steady_clock::now() >= end)
      return errno;
    std::this_thread::sleep_for(lock_pause);
  }
  return 0;
}

// Whether the name in the folder is that of the open file: no other process has removed or replaced
// it.
bool is_still_in(const FileDescriptor& folder, const std::string& name,
                 const FileDescriptor& file) {
  struct stat by_name {};
  struct stat opened {};
  return ::fstatat(folder.get(), name.c_str(), &by_name, AT_SYMLINK_NOFOLLOW) == 0 &&
         ::fstat(file.get(), &opened) == 0 && by_name.st_dev == opened.st_dev &&
         by_name.st_ino == opened.st_ino;
}

bool has_bytes(const fs::path& file, std::uint64_t bytes) {
  struct stat status {};
  return ::lstat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         static_cast<std::uint64_t>(status.st_size) == bytes;
}

class FolderLock : public StoreLock {
 public:
  explicit FolderLock(FileDescriptor folder) : m_folder(std::move(folder)) {}

 private:
  FileDescriptor m_folder;
};

}  // namespace

Key with_unknown_axes(const Key& read) {
  std::vector<KeyValue> values = read.values();
  for (const KeyAxis& axis : standard_key_axes())
    for (KeyValue& value : values)
      if (value.axis == axis.name) value.may_be_unknown = axis.may_be_unknown;
  return Key(std::move(values));
}

FolderStore::FolderStore(fs::path cache_folder, std::shared_ptr<Eviction> eviction,
                         std::chrono::milliseconds lock_time_limit)
    : m_root(std::move(cache_folder)),
      m_eviction(std::move(eviction)),
      m_lock_time_limit(lock_time_limit) {}

// A name that could leave the folder, or that the key does not have, becomes a digest.
fs::path FolderStore::kernel_folder(const Key& key) const {
  const std::string* const name = key.find("kernel");
  const std::string given = name != nullptr ? *name : std::string();
  return m_root / format_folder / (is_identifier(given) ? given : key_digest(given));
}

fs::path FolderStore::folder_of(const Key& key) const {
  return kernel_folder(key) / key.folder_digest();
}

fs::path FolderStore::file_of(const Key& key) const {
  return folder_of(key) / (key.file_digest().value_or("") + ".json");
}

SafeOpen FolderStore::open_key_folder(const fs::path& folder) const {
  SafeOpen opened = open_top_folder(m_root);
  for (const fs::path& name : folder.lexically_relative(m_root)) {
    if (!opened.descriptor.valid()) return opened;
    opened = open_safely(opened.descriptor, name.string(), FileKind::folder);
  }
  return opened;
}

Found FolderStore::find(const Key& key, const KeyContext& /*context*/) {
  SafeOpen folder = open_key_folder(folder_of(key));
  if (!folder.descriptor.valid()) return not_opened(std::move(folder));
  if (key.file_digest()) return read(folder.descriptor, *key.file_digest() + ".json", &key);
  return newest_of(folder.descriptor, key);
}

Found FolderStore::examine(const fs::path& file) const {
  SafeOpen folder = open_key_folder(file.parent_path());
  if (!folder.descriptor.valid()) return not_opened(std::move(folder));
  Found found = read(folder.descriptor, file.filename().string(), nullptr);
  if (found.state != Found::State::hit) return found;
  found.entry.key = with_unknown_axes(found.entry.key);
  if (file_of(found.entry.key) != file) return stale("the entry is not where its key belongs");
  return found;
}

// An entry that is pruned or replaced between its file and its artifact is looked up again: it is
// then missing, or another one. One that changes all the while is as good as missing.
Found FolderStore::read(const FileDescriptor& folder, const std::string& name,
                        const Key* key) const {
  constexpr int attempts = 16;
  for (int i = 0; i < attempts; ++i)
    if (std::optional<Found> found = read_once(folder, name, key)) return std::move(*found);
  return {};
}

// Nothing where the entry was removed or replaced meanwhile.
std::optional<Found> FolderStore::read_once(const FileDescriptor& folder, const std::string& name,
                                            const Key* key) const {
  SafeOpen opened = open_safely(folder, name, FileKind::file);
  if (!opened.descriptor.valid()) return not_opened(std::move(opened));
  const auto text = read_open_file(opened.descriptor, entry_size_limit);
  if (!text) return stale(fmt::format("{} {}", name, text.error().message));
  auto entry = parse_entry(as_text(*text));
  if (!entry) return stale(fmt::format("{}: {}", name, entry.error().message));
  if (key != nullptr && !key->agrees_with(entry->key))
    return stale(fmt::format("{} was written for another key ({})", name,
                             explain_difference(*key, entry->key)));
  const std::string artifact_name = entry->artifact_digest + ".so";
  SafeOpen artifact = open_safely(folder, artifact_name, FileKind::file);
  if (artifact.missing) {
    if (!is_still_in(folder, name, opened.descriptor)) return std::nullopt;
    return stale(fmt::format("the artifact {} is missing", artifact_name));
  }
  if (!artifact.descriptor.valid()) return stale(std::move(artifact.reason));
  auto bytes = read_open_file(artifact.descriptor);
  if (!bytes) return stale(fmt::format("{} {}", artifact_name, bytes.error().message));
  Found found{Found::State::hit, {}, std::move(*entry), {std::move(*bytes)}};
  if (const auto whole = verify_artifact(found.entry, found.artifact); !whole)
    return stale(fmt::format("{}: {}", artifact_name, whole.error().message));
  if (key != nullptr) stamp_as_used(artifact.descriptor);
  return found;
}

// Where there is no toolchain, whatever was compiled last for the rest of the key.
Found FolderStore::newest_of(const FileDescriptor& folder, const Key& key) const {
  Found first;
  for (const Listed& file :
       list_newest(fmt::format("/proc/self/fd/{}", folder.get()), is_entry_file)) {
    Found found = read(folder, file.path.filename().string(), &key);
    if (found.state == Found::State::hit) return found;
    if (first.state == Found::State::miss) first = std::move(found);
  }
  return first;
}

Result<void> FolderStore::verify_artifact(const Entry& entry, const Artifact& artifact) const {
  if (artifact.bytes.size() != entry.artifact_bytes)
    return failure("the artifact has {} bytes; expected {}", artifact.bytes.size(),
                   entry.artifact_bytes);
  if (artifact_digest(artifact.bytes) != entry.artifact_digest)
    return failure("the artifact's SHA-256 does not match its entry");
  return {};
}

Result<void> FolderStore::put(const Entry& entry, const Artifact& artifact) {
  if (!entry.key.file_digest())
    return failure("the toolchain is not known: the winner cannot be stored");
  const fs::path folder = folder_of(entry.key);
  const std::string text = to_json_text(entry);
  const auto is_whole = [&] {
    return has_bytes(folder / (entry.artifact_digest + ".so"), artifact.bytes.size()) &&
           ::access(file_of(entry.key).c_str(), F_OK) == 0;
  };
  // Without a lock, which not every folder has, another process may prune the folder or replace the
  // entry at any moment.
  constexpr int attempts = 16;
  Result<void> done = {};
  bool whole = false;
  for (int i = 0; i < attempts && !whole; ++i) {
    std::error_code ignored;
    done = put_once(entry, artifact, text);
    whole = done && is_whole();
    if (!done && fs::exists(folder, ignored)) break;
  }
  TUNECHECK_CHECK(std::move(done));
  if (!whole)
    return failure("another process removes what is written to {} each time", folder.string());
  if (m_eviction != nullptr) m_eviction->after_put(folder, artifact.bytes.size() + text.size());
  return {};
}

Result<void> FolderStore::put_once(const Entry& entry, const Artifact& artifact,
                                   const std::string& text) const {
  TUNECHECK_CHECK(prepare_folders(entry.key));
  const fs::path folder = folder_of(entry.key);
  TUNECHECK_CHECK(write_file_atomically(folder / (entry.artifact_digest + ".so"), artifact.bytes));
  TUNECHECK_CHECK(write_file_atomically(file_of(entry.key), text));
  remove_unused_artifacts(folder);
  return {};
}

Result<void> FolderStore::prepare_folders(const Key& key) const {
  const SafeOpen top = open_top_folder(m_root);
  if (top.missing) {
    TUNECHECK_CHECK(make_private_folder(m_root));
  } else if (!top.descriptor.valid()) {
    return failure("{}; winners are neither read from it nor written to it", top.reason);
  }
  const fs::path folder = folder_of(key);
  TUNECHECK_CHECK(make_private_folder(folder.parent_path().parent_path()));
  TUNECHECK_CHECK(make_private_folder(folder.parent_path()));
  return make_private_folder(folder);
}

std::optional<Key> FolderStore::nearest(const Key& key) {
  std::optional<Key> best;
  std::size_t fewest = 0;
  std::size_t read_entries = 0;
  const auto is_folder = [](const fs::path& path) { return fs::is_directory(path); };
  for (const Listed& folder : list_newest(kernel_folder(key), is_folder))
    for (const Listed& file : list_newest(folder.path, is_entry_file)) {
      if (read_entries++ == nearest_entry_limit) return best;
      const auto text = read_text_file(file.path, entry_size_limit);
      const auto entry = text ? parse_entry(*text) : failure("not readable");
      if (!entry) continue;
      const std::size_t differences = key.differing_axes(entry->key).size();
      if (differences == 0 || (best && differences >= fewest)) continue;
      best = entry->key;
      fewest = differences;
    }
  return best;
}

std::unique_ptr<StoreLock> FolderStore::lock(const Key& key) {
  const auto end = std::chrono::steady_clock::now() + m_lock_time_limit;
  for (int gone = 0;;) {
    if (!prepare_folders(key)) return nullptr;
    FileDescriptor folder = open_folder_of(key);
    // Another process may evict what this one has just made: it is empty, and nobody holds its
    // lock.
    if (!folder.valid() && errno == ENOENT && std::chrono::steady_clock::now() < end) {
      if (++gone % 100 == 0) std::this_thread::sleep_for(lock_pause);
      continue;
    }
    if (!folder.valid()) return nullptr;
    if (const int error = lock_until(folder, end); error != 0) {
      int none = 0;
      if (!is_held_elsewhere(error)) m_lock_error.compare_exchange_strong(none, error);
      return nullptr;
    }
    // Evicted while this process waited: then another folder has the name.
    if (still_names(folder_of(key), folder)) return std::make_unique<FolderLock>(std::move(folder));
  }
}

std::string FolderStore::take_lock_trouble() {
  const int error = m_lock_error;
  if (error == 0 || m_lock_trouble_told.exchange(true)) return {};
  return fmt::format("the cache folder {} cannot be locked ({})", m_root.string(),
                     std::system_category().message(error));
}

std::unique_ptr<TuningJournal> FolderStore::journal(const Key& key) {
  return open_journal(open_folder_of(key), key.file_digest().value_or("") + ".journal", key);
}

FileDescriptor FolderStore::open_folder_of(const Key& key) const {
  return FileDescriptor(
      ::open(folder_of(key).c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

}  // namespace tunecheck
