#include "tuner/bundle/program_bundle.hpp"

#include <algorithm>
#include <array>

#include "core/digest.hpp"
#include "core/files.hpp"
#include "core/sources/normalised_source.hpp"
#include "tuner/key/key.hpp"
#include "tuner/store/safe_file.hpp"

namespace tunecheck {
namespace {

// Binaries of a large program; more is none.
constexpr std::uint64_t bundle_size_limit = file_size_limit;

BundleBegun without_bundle(BundleUse use, std::string reason = {}) {
  return {use, 0, std::move(reason)};
}

}  // namespace

std::string_view name_of(BundleUse use) {
  constexpr std::array<std::string_view, 4> names = {"none", "loaded", "absent", "refused"};
  return names.at(static_cast<std::size_t>(use));
}

void UsedEntries::add(const Key& key) {
  const std::lock_guard lock(m_mutex);
  m_keys.emplace(key.text(), key);
}

std::vector<Key> UsedEntries::all() const {
  const std::lock_guard lock(m_mutex);
  std::vector<Key> keys;
  for (const auto& [text, key] : m_keys)
    keys.push_back(key);
  return keys;
}

std::string ProgramBundle::name_of_program(const std::vector<std::string>& sources) const {
  std::string text = fmt::format("tunecheck-bundle-{} {} {} {}:{};", bundle_format, cache_format,
                                 decisions_version, m_options.device.size(), m_options.device);
  for (const std::string& source : sources) {
    const std::string normalised = normalised_source(source);
    text += fmt::format("{}:{};", normalised.size(), normalised);
  }
  return artifact_digest(std::string_view(text));
}

Result<std::vector<PackedEntry>> ProgramBundle::unpack(const std::string& text) const {
  return parse_bundle(text, m_file.string(), m_options.key);
}

// A bundle is native code. As with an entry of the cache, nobody but this user (or root) may have
// been able to write it, unless it is signed.
Result<std::string> ProgramBundle::read_safely() const {
  if (!m_options.key.empty()) return read_text_file(m_file, bundle_size_limit);
  const SafeOpen folder = open_top_folder(m_options.folder);
  if (!folder.descriptor.valid()) return failure("{}", folder.reason);
  const SafeOpen opened =
      open_safely(folder.descriptor, m_file.filename().string(), FileKind::file);
  if (!opened.descriptor.valid()) return failure("{}", opened.reason);
  TUNECHECK_TRY(const std::vector<std::byte> bytes,
                read_open_file(opened.descriptor, bundle_size_limit));
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Result<BundleBegun> ProgramBundle::begin() {
  std::vector<std::string> sources;
  for (const auto& source : m_options.sources) {
    TUNECHECK_TRY(std::string text, read_text_file(source));
    sources.push_back(std::move(text));
  }
  m_file = m_options.folder / (name_of_program(sources) + ".bundle");
  std::error_code unknown;
  if (!std::filesystem::exists(m_file, unknown)) return without_bundle(BundleUse::absent);
  const auto text = read_safely();
  if (!text) return without_bundle(BundleUse::refused, text.error().text());
  const auto entries = unpack(*text);
  if (!entries) return without_bundle(BundleUse::refused, entries.error().text());
  BundleBegun begun{BundleUse::loaded, 0, {}};
  for (const PackedEntry& packed : *entries) {
    const Key& key = packed.entry.key;
    const auto lock = m_store.lock(key);
    if (m_store.examine(m_store.file_of(key)).state == Found::State::hit) continue;
    TUNECHECK_CHECK(m_store.put(packed.entry, packed.artifact));
    ++begun.entries;
  }
  return begun;
}

Result<std::size_t> ProgramBundle::end(const std::vector<Key>& used) {
  std::vector<PackedEntry> entries;
  for (const Key& key : used) {
    if (!key.file_digest()) continue;  // nobody knows its file where there is no compiler
    Found found = m_store.examine(m_store.file_of(key));
    if (found.state != Found::State::hit) continue;  // evicted since, or damaged
    entries.push_back({std::move(found.entry), std::move(found.artifact)});
  }
  if (entries.empty()) return std::size_t{0};
  TUNECHECK_CHECK(make_private_folder(m_options.folder));
  TUNECHECK_CHECK(write_file_atomically(m_file, to_bundle_text(entries, m_options.key)));
  std::filesystem::permissions(
      m_file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  return entries.size();
}

}  // namespace tunecheck
