// A kill or a refusal while the cache folder is written: bugs in the order of what is written, and
// in what is made of the rest.
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <mutex>
#include <unistd.h>

#include "core/files.hpp"
#include "mutants/decorators.hpp"
#include "mutants/families.hpp"
#include "tuner/store/entry_format.hpp"
#include "tuner/store/folder_store.hpp"

namespace tunecheck::mutants {
namespace {

// Writes the entry itself, where the tuner would write beside it and rename.
class OwnWriter : public StoreDecorator {
 public:
  OwnWriter(std::unique_ptr<WinnerStore> inner, const std::filesystem::path& cache_folder)
      : StoreDecorator(std::move(inner)), m_folder(cache_folder), m_root(cache_folder) {}

 protected:
  [[nodiscard]] const FolderStore& folder() const { return m_folder; }
  [[nodiscard]] const std::filesystem::path& root() const { return m_root; }
  [[nodiscard]] std::filesystem::path artifact_of(const Entry& entry) const {
    return m_folder.folder_of(entry.key) / (entry.artifact_digest + ".so");
  }

 private:
  FolderStore m_folder;
  std::filesystem::path m_root;
};

template <class Store>
void write_with(ReferenceAdapterSetup& setup) {
  setup.parts.make_store = [inner =
                                std::move(setup.parts.make_store)](const TunerOptions& options) {
    return std::make_unique<Store>(inner(options), options.cache_folder);
  };
}

// Into the final files, the entry first.
class WritesInPlace : public OwnWriter {
 public:
  using OwnWriter::OwnWriter;

  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    TUNECHECK_CHECK(create_folders(folder().folder_of(entry.key)));
    TUNECHECK_CHECK(write_file(folder().file_of(entry.key), to_json_text(entry)));
    return write_file(artifact_of(entry), artifact.bytes);
  }
};

// Beside the final files and renamed, as it should be, but nothing waits for the disk.
class RenamesUnsynced : public OwnWriter {
 public:
  using OwnWriter::OwnWriter;

  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    TUNECHECK_CHECK(create_folders(folder().folder_of(entry.key)));
    TUNECHECK_CHECK(publish(artifact_of(entry), artifact.bytes));
    const std::string text = to_json_text(entry);
    return publish(folder().file_of(entry.key), std::as_bytes(std::span(text)));
  }

 private:
  static Result<void> publish(const std::filesystem::path& file, std::span<const std::byte> bytes) {
    std::filesystem::path temporary = file;
    temporary += fmt::format(".{}.tmp", ::getpid());
    TUNECHECK_CHECK(write_file(temporary, bytes));
    if (::rename(temporary.c_str(), file.c_str()) == 0) return {};
    return failure("cannot write {}: {}", file.string(), last_system_error());
  }
};

// What it tears it cannot read either.
void plant_writes_in_place(ReferenceAdapterSetup& setup) {
  for (const Mutant& mutant : damage_mutants())
    if (mutant.name == "damaged_entry_is_an_error") mutant.plant(setup);
  write_with<WritesInPlace>(setup);
}

// Always the same temporary name, which must not be there: that of a dead process stays for good.
class FixedTemporaryName : public OwnWriter {
 public:
  using OwnWriter::OwnWriter;

  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    const std::filesystem::path temporary = root() / "entry.tmp";
    if (!create_folders(root())) return OwnWriter::put(entry, artifact);
    const FileDescriptor made(
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!made.valid())
      return failure("cannot write {}: {}", temporary.string(), last_system_error());
    auto stored = OwnWriter::put(entry, artifact);
    ::unlink(temporary.c_str());
    return stored;
  }
};

// Makes the folder of a key itself, and takes one that is there for somebody else's.
class ExpectsNoFolder : public OwnWriter {
 public:
  using OwnWriter::OwnWriter;

  Found find(const Key& key, const KeyContext& context) override {
    {
      const std::lock_guard guard(m_mutex);
      const bool is_left = std::filesystem::exists(folder().folder_of(key)) &&
                           !std::filesystem::exists(folder().file_of(key));
      m_is_left.emplace(folder().folder_of(key), is_left);  // at the first look: then it is its own
    }
    return OwnWriter::find(key, context);
  }
  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    const std::filesystem::path made = folder().folder_of(entry.key);
    const std::lock_guard guard(m_mutex);
    if (m_is_left[made]) return failure("cannot create {}: File exists", made.string());
    return OwnWriter::put(entry, artifact);
  }

 private:
  std::mutex m_mutex;
  std::map<std::filesystem::path, bool> m_is_left;
};

// Makes room by throwing everything away, which helps nobody.
class ClearsFolder : public OwnWriter {
 public:
  using OwnWriter::OwnWriter;

  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    auto stored = OwnWriter::put(entry, artifact);
    if (stored) return stored;
    std::error_code ignored;
    for (std::filesystem::directory_iterator at(root(), ignored), end; !ignored && at != end;
         at.increment(ignored))
      std::filesystem::remove_all(at->path(), ignored);
    return stored;
  }
};

}  // namespace

std::vector<Mutant> fault_mutants() {
  return {
      {"writes_in_place",
       "writes into the final file, entry before artifact, and raises an error if it finds a torn "
       "one (pytorch#153791)",
       plant_writes_in_place},
      {"renames_unsynced",
       "gives a file its name before its bytes are on the disk, so that a power failure leaves an "
       "empty one (pytorch#153791)",
       write_with<RenamesUnsynced>},
      {"fixed_temporary_name",
       "writes to a temporary file with a fixed name, so that nothing can be stored once a process "
       "was killed while it wrote (triton#2688)",
       write_with<FixedTemporaryName>},
      {"expects_no_folder",
       "stores nothing if the folder of the key already exists, as after a killed process",
       write_with<ExpectsNoFolder>},
      {"clears_folder_when_full", "discards all entries if a new one cannot be written",
       write_with<ClearsFolder>},
  };
}

}  // namespace tunecheck::mutants
