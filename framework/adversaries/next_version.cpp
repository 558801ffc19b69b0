// The reference tuner as its next version may be: the same, with entries of another format.
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "adversaries/adversary.hpp"
#include "core/digest.hpp"
#include "core/files.hpp"
#include "tuner/store/entry_format.hpp"
#include "tuner/store/folder_store.hpp"

namespace tunecheck::adversaries {
namespace {

std::string first_word(int format) {
  return "tunecheck-entry-" + std::to_string(format) + " ";
}

// Its entries begin with another word and are otherwise as this version's. Everything but that is
// the inner store's work.
class NextFormatStore : public WinnerStore {
 public:
  NextFormatStore(std::unique_ptr<WinnerStore> inner, const std::filesystem::path& cache_folder)
      : m_inner(std::move(inner)), m_folder(cache_folder) {}

  Found find(const Key& key, const KeyContext& /*context*/) override {
    if (!key.file_digest()) return {};
    const auto text = read_text_file(m_folder.file_of(key));
    if (!text) return {};
    const auto entry = parse_next(*text);
    if (!entry || !key.agrees_with(entry->key))
      return {Found::State::stale, "the entry is damaged", {}, {}};
    auto bytes = read_binary_file(m_folder.folder_of(key) / (entry->artifact_digest + ".so"));
    if (!bytes || artifact_digest(*bytes) != entry->artifact_digest)
      return {Found::State::stale, "the artifact is damaged", {}, {}};
    return {Found::State::hit, {}, *entry, {std::move(*bytes)}};
  }
  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    TUNECHECK_CHECK(m_inner->put(entry, artifact));
    const auto text = to_json_text(entry).substr(first_word(entry_format).size());
    return write_file_atomically(m_folder.file_of(entry.key), first_word(entry_format + 1) + text);
  }
  std::optional<Key> nearest(const Key& key) override { return m_inner->nearest(key); }
  std::unique_ptr<StoreLock> lock(const Key& key) override { return m_inner->lock(key); }
  std::string take_lock_trouble() override { return m_inner->take_lock_trouble(); }
  std::unique_ptr<TuningJournal> journal(const Key& key) override { return m_inner->journal(key); }

 private:
  static Result<Entry> parse_next(const std::string& text) {
    const std::string next = first_word(entry_format + 1);
    if (!text.starts_with(next)) return failure("it has another format");
    return parse_entry(first_word(entry_format) + text.substr(next.size()));
  }

  std::unique_ptr<WinnerStore> m_inner;
  FolderStore m_folder;
};

class NextFormatArchive : public CacheArchive {
 public:
  using CacheArchive::CacheArchive;

 protected:
  std::string pack(std::span<const PackedEntry> entries) const override {
    return to_bundle_text(entries, key(), bundle_format + 1);
  }
};

void write_next_format(ReferenceAdapterSetup& setup) {
  for (KeyAxis& axis : setup.parts.key_axes)
    if (axis.name == "format")
      axis.collect = [](const KeyContext&) { return std::to_string(entry_format + 1); };
  setup.parts.make_store = [inner = setup.parts.make_store](const TunerOptions& options) {
    return std::make_unique<NextFormatStore>(inner(options), options.cache_folder);
  };
  setup.make_archive = [](const std::filesystem::path& folder, const std::string& key) {
    return std::make_unique<NextFormatArchive>(folder, key);
  };
}

}  // namespace

std::vector<Adversary> versions() {
  return {{"next_version", "writes and reads entries of the next format, and no others",
           write_next_format}};
}

}  // namespace tunecheck::adversaries
