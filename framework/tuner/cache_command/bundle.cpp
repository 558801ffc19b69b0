#include "tuner/cache_command/bundle.hpp"

#include "core/files.hpp"
#include "tuner/bundle/bundle_format.hpp"

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
  TUNECHECK_TRY(const std::string text, read_text_file(bundle));
  TUNECHECK_TRY(const std::vector<PackedEntry> all, parse_bundle(text, bundle.string(), key));
  FolderStore store(cache_folder);
  Imported imported;
  for (const PackedEntry& packed : all) {
    const Key& key = packed.entry.key;
    const auto lock = store.lock(key);
    const Found present = store.examine(store.file_of(key));
    if (present.state == Found::State::hit && present.entry.created_ns >= packed.entry.created_ns) {
      imported.kept.push_back(id_of(key));
      continue;
    }
    TUNECHECK_CHECK(store.put(packed.entry, packed.artifact));
    imported.added.push_back(id_of(key));
  }
  return imported;
}

}  // namespace tunecheck::cache
