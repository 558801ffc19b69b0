// Two versions of the tuner share a cache folder: bugs in what is made of entries whose format is
// not its own.
#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/digest.hpp"
#include "core/files.hpp"
#include "mutants/decorators.hpp"
#include "mutants/families.hpp"
#include "tuner/store/entry_format.hpp"
#include "tuner/store/folder_store.hpp"

namespace tunecheck::mutants {
namespace {

struct OtherEntry {
  std::filesystem::path file;
  std::string text;
};

// A store that also sees the entries of other versions.
class OtherFormats : public StoreDecorator {
 public:
  OtherFormats(std::unique_ptr<WinnerStore> inner, const std::filesystem::path& cache_folder)
      : StoreDecorator(std::move(inner)), m_folder(cache_folder) {}

 protected:
  static std::string own_word() { return std::string(prefix) + std::to_string(entry_format) + " "; }
  // The kernel that the key belongs to.
  [[nodiscard]] std::vector<OtherEntry> others(const Key& key) const {
    std::vector<OtherEntry> found;
    std::error_code error;
    const auto kernel = m_folder.folder_of(key).parent_path();
    for (std::filesystem::recursive_directory_iterator at(kernel, error), end; !error && at != end;
         at.increment(error)) {
      if (at->path().extension() != ".json") continue;
      auto text = read_text_file(at->path());
      if (text && text->starts_with(prefix) && !text->starts_with(own_word()))
        found.push_back({at->path(), std::move(*text)});
    }
    return found;
  }

 private:
  static constexpr std::string_view prefix = "tunecheck-entry-";

  FolderStore m_folder;
};

template <class Store, class... Shared>
void see_other_formats(ReferenceAdapterSetup& setup, Shared... shared) {
  setup.parts.make_store = [inner = std::move(setup.parts.make_store),
                            shared...](const TunerOptions& options) {
    return std::make_unique<Store>(inner(options), options.cache_folder, shared...);
  };
}

class BelievesAnyFormat : public OtherFormats {
 public:
  using OtherFormats::OtherFormats;
  Found find(const Key& key, const KeyContext& context) override {
    Found found = OtherFormats::find(key, context);
    if (found.state != Found::State::miss) return found;
    for (const OtherEntry& other : others(key)) {
      const std::size_t blank = other.text.find(' ');
      auto entry = parse_entry(own_word() + other.text.substr(blank + 1));
      if (!entry || key.differing_axes(entry->key) != std::vector<std::string>{"format"}) continue;
      auto bytes = read_binary_file(other.file.parent_path() / (entry->artifact_digest + ".so"));
      if (!bytes) continue;
      return {Found::State::hit, {}, std::move(*entry), {std::move(*bytes)}};
    }
    return found;
  }
};

using OthersSeen = std::shared_ptr<std::atomic<bool>>;

class NoticesOthers : public OtherFormats {
 public:
  NoticesOthers(std::unique_ptr<WinnerStore> inner, const std::filesystem::path& cache_folder,
                OthersSeen seen)
      : OtherFormats(std::move(inner), cache_folder), m_seen(std::move(seen)) {}
  Found find(const Key& key, const KeyContext& context) override {
    Found found = OtherFormats::find(key, context);
    *m_seen = found.state == Found::State::miss && !others(key).empty();
    return found;
  }

 private:
  OthersSeen m_seen;
};

// The first thing of a tuning that may fail.
class FailsIfSeen : public TrialArguments {
 public:
  FailsIfSeen(const CallArguments& call, OthersSeen seen)
      : TrialArguments(call), m_seen(std::move(seen)) {}
  Result<void> take_snapshot() override {
    if (m_seen->exchange(false)) return failure("an entry has an unknown format");
    return TrialArguments::take_snapshot();
  }

 private:
  OthersSeen m_seen;
};

void plant_other_format_is_an_error(ReferenceAdapterSetup& setup) {
  const auto seen = std::make_shared<std::atomic<bool>>(false);
  see_other_formats<NoticesOthers>(setup, seen);
  setup.parts.make_arguments = [seen](const CallArguments& call) {
    return std::make_unique<FailsIfSeen>(call, seen);
  };
}

class RemovesOtherFormats : public OtherFormats {
 public:
  using OtherFormats::OtherFormats;
  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    for (const OtherEntry& other : others(entry.key)) {
      std::error_code ignored;
      std::filesystem::remove(other.file, ignored);
    }
    return OtherFormats::put(entry, artifact);
  }
};

}  // namespace

std::vector<Mutant> version_mutants() {
  return {
      {"believes_any_format",
       "reads the entries of every version as if they were its own, whatever their format",
       see_other_formats<BelievesAnyFormat>},
      {"other_format_is_an_error",
       "fails a call if an entry of the kernel has a format that it does not know",
       plant_other_format_is_an_error},
      {"removes_other_formats",
       "removes the entries of other versions when it stores its own, so that two versions with "
       "one "
       "cache folder tune again in turn",
       see_other_formats<RemovesOtherFormats>},
  };
}

}  // namespace tunecheck::mutants
