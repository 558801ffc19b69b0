#include "harness/remote/exchange_site.hpp"

#include "core/files.hpp"
#include "harness/process/cache_damage.hpp"
#include "harness/remote/key_files.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view place_word = "PLACE";

std::string with_place(std::string text, const fs::path& place) {
  if (const std::size_t at = text.find(place_word); at != text.npos)
    text.replace(at, place_word.size(), place.string());
  return text;
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator each(folder, error), end; !error && each != end;
       each.increment(error))
    if (each->is_regular_file()) files.push_back(each->path());
  return files;
}

}  // namespace

// No name of a process has a dot: folders of processes stand beside it.
fs::path ExchangeSite::place_of(ExchangeKind kind) const {
  switch (kind) {
    case ExchangeKind::table:
      return m_folder / "exchange.table";
    case ExchangeKind::bundle:
      return m_folder / "exchange.bundle";
    case ExchangeKind::archive:
      break;
  }
  return m_folder / "exchange.archive";
}

Result<Environment> ExchangeSite::variables_of(const AdapterInfo& adapter, TableUse use) const {
  Environment variables;
  if (use == TableUse::none) return variables;
  const fs::path place = place_of(ExchangeKind::table);
  TUNECHECK_CHECK(create_folders(place));
  for (const auto& [name, value] :
       use == TableUse::write ? adapter.table.write : adapter.table.read)
    variables[name] = with_place(value, place);
  return variables;
}

Result<Environment> ExchangeSite::variables_of(const AdapterInfo& adapter,
                                               const BundleChoice& choice) const {
  const fs::path place = place_of(ExchangeKind::bundle);
  TUNECHECK_CHECK(create_folders(place));
  Environment variables;
  for (const auto& [name, value] : adapter.bundle.variables)
    variables[name] = with_place(value, place);
  if (choice.key == RemoteKey::none || adapter.bundle.key_variable.empty()) return variables;
  TUNECHECK_TRY(const fs::path file, write_key_file(m_folder, choice.key));
  variables[adapter.bundle.key_variable] = file.string();
  return variables;
}

Result<ArchiveFiles> ExchangeSite::files_of(const AdapterInfo& adapter,
                                            const ArchiveChoice& choice) const {
  const fs::path place = place_of(ExchangeKind::archive);
  TUNECHECK_CHECK(create_folders(place));
  ArchiveFiles files{place / "entries", {}};
  if (choice.key == RemoteKey::none || !adapter.has("archive_key")) return files;
  TUNECHECK_TRY(files.key, write_key_file(m_folder, choice.key));
  return files;
}

std::size_t ExchangeSite::count(ExchangeKind kind) const {
  return files_below(place_of(kind)).size();
}

Result<void> ExchangeSite::damage(ExchangeKind kind, ExchangeDamage damage, int percent) const {
  const std::vector<fs::path> files = files_below(place_of(kind));
  if (files.empty()) return failure("no process has left a file there");
  if (damage == ExchangeDamage::replace) {
    for (const fs::path& file : files)
      TUNECHECK_CHECK(write_file(file, "# written by another program\n"));
    return {};
  }
  CacheAction action;
  action.kind = damage == ExchangeDamage::clear  ? CacheAction::Kind::remove
                : damage == ExchangeDamage::flip ? CacheAction::Kind::flip
                                                 : CacheAction::Kind::truncate;
  action.at_percent = percent;
  return damage_cache(place_of(kind), action, "*");
}

}  // namespace tunecheck
