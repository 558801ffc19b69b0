#include "harness/process/cache_damage.hpp"

#include <algorithm>
#include <set>
#include <system_error>
#include <vector>

#include "core/files.hpp"
#include "core/text.hpp"
#include "observe/evidence.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;
using Kind = CacheAction::Kind;

bool changes_content(Kind kind) {
  return kind == Kind::truncate || kind == Kind::flip;
}

fs::path place_above(const fs::path& cache, const fs::path& file, int levels) {
  fs::path place = cache / file;
  for (; levels > 0 && place != cache; --levels)
    place = place.parent_path();
  return place;
}

Result<void> change_content(const fs::path& file, const CacheAction& action) {
  TUNECHECK_TRY(std::vector<std::byte> bytes, read_binary_file(file));
  const std::size_t at = bytes.size() * static_cast<std::size_t>(action.at_percent) / 100;
  if (action.kind == Kind::truncate)
    bytes.resize(std::min(at, bytes.size() - 1));
  else
    bytes[std::min(at, bytes.size() - 1)] ^= std::byte{1};
  return write_file(file, bytes);
}

Result<void> replace(const fs::path& place) {
  std::error_code error;
  const bool was_folder = fs::is_directory(place, error);
  fs::remove_all(place, error);
  if (!error && was_folder) return write_file(place, std::string_view());
  if (!error) fs::create_directory(place, error);
  if (!error) fs::permissions(place, fs::perms::owner_all, error);
  if (error)
    return failure(ErrorKind::machine, "cannot replace {}: {}", place.string(), error.message());
  return {};
}

Result<void> take_away(const fs::path& place, fs::perms bits) {
  std::error_code error;
  fs::permissions(place, bits, fs::perm_options::remove, error);
  if (error)
    return failure(ErrorKind::machine, "cannot change the mode of {}: {}", place.string(),
                   error.message());
  return {};
}

Result<void> damage(const fs::path& place, const CacheAction& action) {
  switch (action.kind) {
    case Kind::replace:
      return replace(place);
    case Kind::protect:
      return take_away(place,
                       fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write);
    case Kind::hide:
      return take_away(place,
                       fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
    case Kind::remove: {
      std::error_code error;
      fs::remove_all(place, error);
      if (!error) return {};
      return failure(ErrorKind::machine, "cannot remove {}: {}", place.string(), error.message());
    }
    default:
      return change_content(place, action);
  }
}

}  // namespace

Result<void> damage_cache(const fs::path& cache, const CacheAction& action,
                          const std::string& glob) {
  TUNECHECK_TRY(const FolderSnapshot snapshot, take_snapshot(cache));
  std::set<fs::path> places;
  for (const FileRecord& file : snapshot.files)
    if (matches_glob(glob, file.path) && (file.size > 0 || !changes_content(action.kind)) &&
        (!action.among || action.among->contains(file.path)))
      places.insert(place_above(cache, file.path, action.up));
  if (places.empty()) return failure("no file of the cache folder matches \"{}\"", glob);
  for (const fs::path& place : places)
    TUNECHECK_CHECK(damage(place, action));
  return {};
}

}  // namespace tunecheck
