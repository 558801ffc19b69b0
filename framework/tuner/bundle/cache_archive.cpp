#include "tuner/bundle/cache_archive.hpp"

#include "core/files.hpp"
#include "tuner/store/eviction.hpp"
#include "tuner/store/folder_store.hpp"

namespace tunecheck {

Result<std::size_t> CacheArchive::export_to(const std::filesystem::path& file) const {
  const FolderStore store(m_folder);
  std::vector<PackedEntry> entries;
  for (const StoredItem& item : take_inventory(m_folder).items) {
    if (item.entry.empty()) continue;
    Found found = store.examine(item.folder / item.entry);
    if (found.state == Found::State::hit)
      entries.push_back({std::move(found.entry), std::move(found.artifact)});
  }
  TUNECHECK_CHECK(write_file_atomically(file, pack(entries)));
  return entries.size();
}

Result<ImportedEntries> CacheArchive::import_from(const std::filesystem::path& file) const {
  TUNECHECK_TRY(const std::string text, read_text_file(file));
  TUNECHECK_TRY(const std::vector<PackedEntry> all, unpack(text, file.string()));
  prepare_import();
  FolderStore store(m_folder);
  ImportedEntries imported;
  for (const PackedEntry& packed : all) {
    const Key& key = packed.entry.key;
    const auto lock = store.lock(key);
    if (keeps(store.examine(store.file_of(key)), packed.entry)) {
      imported.kept.push_back(key);
      continue;
    }
    TUNECHECK_CHECK(store.put(packed.entry, packed.artifact));
    imported.added.push_back(key);
  }
  return imported;
}

std::string CacheArchive::pack(std::span<const PackedEntry> entries) const {
  return to_bundle_text(entries, m_key);
}

Result<std::vector<PackedEntry>> CacheArchive::unpack(const std::string& text,
                                                      const std::string& file) const {
  return parse_bundle(text, file, m_key);
}

bool CacheArchive::keeps(const Found& present, const Entry& imported) const {
  return present.state == Found::State::hit && present.entry.created_ns >= imported.created_ns;
}

}  // namespace tunecheck
