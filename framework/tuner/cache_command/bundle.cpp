#include "tuner/cache_command/bundle.hpp"

#include "core/files.hpp"
#include "tuner/bundle/cache_archive.hpp"

namespace tunecheck::cache {
namespace {

std::string id_of(const Key& key) {
  return key.folder_digest().substr(0, 12) + "-" + key.file_digest().value_or("").substr(0, 6);
}

}  // namespace

Result<std::vector<std::string>> write_bundle(const Contents& contents,
                                              const std::filesystem::path& bundle,
                                              const std::string& key) {
  std::vector<std::string> left_out;
  std::vector<PackedEntry> entries;
  for (const StoredEntry& stored : contents.entries)
    if (stored.trouble.empty())
      entries.push_back({stored.entry, stored.artifact});
    else
      left_out.push_back(stored.id);
  TUNECHECK_CHECK(write_output(bundle, to_bundle_text(entries, key)));
  return left_out;
}

Result<Imported> read_bundle(const std::filesystem::path& bundle,
                             const std::filesystem::path& cache_folder, const std::string& key) {
  TUNECHECK_TRY(const ImportedEntries all, CacheArchive(cache_folder, key).import_from(bundle));
  Imported imported;
  for (const Key& added : all.added)
    imported.added.push_back(id_of(added));
  for (const Key& kept : all.kept)
    imported.kept.push_back(id_of(kept));
  return imported;
}

}  // namespace tunecheck::cache
