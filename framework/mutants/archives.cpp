// Bugs in what is exported, and in what an import believes.
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/digest.hpp"
#include "mutants/decorators.hpp"
#include "mutants/families.hpp"
#include "tuner/bundle/cache_archive.hpp"

namespace tunecheck::mutants {
namespace {

template <class Archive>
void use_archive(ReferenceAdapterSetup& setup) {
  setup.make_archive = [](const std::filesystem::path& folder, const std::string& key) {
    return std::make_unique<Archive>(folder, key);
  };
}

// The lines between the first and the last one, with ends that fit them.
std::string closed_again(const std::vector<std::string>& lines) {
  std::string text = fmt::format("{{\"tunecheck_bundle\":{}}}\n", bundle_format);
  for (const std::string& line : lines)
    text += line + "\n";
  return text + fmt::format("{{\"entries\":{},\"sha256\":\"{}\"}}\n", lines.size(),
                            artifact_digest(std::string_view(text)));
}

// Whole lines that hold an entry.
std::vector<std::string> entry_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t at = 0;
  for (std::size_t end; (end = text.find('\n', at)) != text.npos; at = end + 1)
    if (text.compare(at, 9, "{\"entry\":") == 0) lines.push_back(text.substr(at, end - at));
  return lines;
}

class TakesWholeLines : public CacheArchive {
 public:
  using CacheArchive::CacheArchive;

 protected:
  Result<std::vector<PackedEntry>> unpack(const std::string& text,
                                          const std::string& file) const override {
    auto all = CacheArchive::unpack(text, file);
    if (all) return all;
    std::vector<PackedEntry> good;
    for (const std::string& line : entry_lines(text))
      if (auto one = parse_bundle(closed_again({line}), file, ""))
        good.push_back(std::move(one->front()));
    if (good.empty()) return all;
    return good;
  }
};

class ArchiveOfAnybody : public CacheArchive {
 public:
  using CacheArchive::CacheArchive;

 protected:
  Result<std::vector<PackedEntry>> unpack(const std::string& text,
                                          const std::string& file) const override {
    return parse_bundle(text, file, "");
  }
};

class ArchiveOfAnyVersion : public CacheArchive {
 public:
  using CacheArchive::CacheArchive;

 protected:
  Result<std::vector<PackedEntry>> unpack(const std::string& text,
                                          const std::string& file) const override {
    const std::string next = fmt::format("{{\"tunecheck_bundle\":{}}}", bundle_format + 1);
    if (!text.starts_with(next)) return CacheArchive::unpack(text, file);
    return parse_bundle(closed_again(entry_lines(text)), file, "");
  }
};

class OverwritesNewer : public CacheArchive {
 public:
  using CacheArchive::CacheArchive;

 protected:
  bool keeps(const Found& /*present*/, const Entry& /*imported*/) const override { return false; }
};

class ClearsFirst : public CacheArchive {
 public:
  using CacheArchive::CacheArchive;

 protected:
  void prepare_import() const override { std::filesystem::remove_all(folder() / "v1"); }
};

class ExportsOne : public CacheArchive {
 public:
  using CacheArchive::CacheArchive;

 protected:
  std::string pack(std::span<const PackedEntry> entries) const override {
    return CacheArchive::pack(entries.first(std::min<std::size_t>(1, entries.size())));
  }
};

void plant_import_trouble_is_silent(ReferenceAdapterSetup& setup) {
  setup.before_archive_answer = [](protocol::ArchiveAnswer& answer) { answer.done = true; };
}

}  // namespace

std::vector<Mutant> archive_mutants() {
  return {
      {"export_of_one_entry", "exports one entry of the cache folder, and not the others",
       use_archive<ExportsOne>},
      {"import_clears_first", "removes the entries of the cache folder before it imports others",
       use_archive<ClearsFirst>},
      {"import_of_anybody", "imports entries that were signed with another key or not at all",
       use_archive<ArchiveOfAnybody>},
      {"import_of_any_version", "imports a file of another format version as if it were its own",
       use_archive<ArchiveOfAnyVersion>},
      {"import_overwrites_newer", "replaces newer entries of the cache folder by imported ones",
       use_archive<OverwritesNewer>},
      {"import_takes_whole_lines",
       "imports of a damaged file the entries that look whole, and not all or none",
       use_archive<TakesWholeLines>},
      {"import_trouble_is_silent", "says of an import that was refused that it is done",
       plant_import_trouble_is_silent},
  };
}

}  // namespace tunecheck::mutants
