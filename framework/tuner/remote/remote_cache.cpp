#include "tuner/remote/remote_cache.hpp"

#include <array>
#include <span>

#include "core/digest.hpp"
#include "tuner/store/entry_format.hpp"
#include "tuner/store/folder_store.hpp"

namespace tunecheck {
namespace {

RemoteFound refused(std::string reason) {
  return {RemoteUse::refused, std::move(reason), {}, {}};
}

Artifact artifact_of(std::string_view bytes) {
  const auto all = std::as_bytes(std::span(bytes));
  return {{all.begin(), all.end()}};
}

}  // namespace

std::string_view name_of(RemoteUse use) {
  constexpr std::array<std::string_view, 6> names = {"none", "hit",     "config",
                                                     "miss", "refused", "failed"};
  return names.at(static_cast<std::size_t>(use));
}

RemoteCache::RemoteCache(std::unique_ptr<RemoteStore> store, RemoteOptions options)
    : m_store(std::move(store)),
      m_options(std::move(options)),
      m_breaker(m_options.failures_until_pause, m_options.pause) {}

RemoteStore::Deadline RemoteCache::deadline() const {
  return std::chrono::steady_clock::now() + m_options.time_limit;
}

std::string RemoteCache::pause_text() const {
  return fmt::format("{} is left alone for up to {} s after {} failures in a row", where(),
                     std::chrono::ceil<std::chrono::seconds>(m_options.pause).count(),
                     m_options.failures_until_pause);
}

std::string RemoteCache::name_of_value(const Key& key) const {
  return remote_name(key, m_options.salt).value_or("");
}

RemoteFound RemoteCache::find(const Key& key) {
  const std::string name = name_of_value(key);
  if (name.empty()) return {};
  if (!m_breaker.allows(CircuitBreaker::Clock::now()))
    return {RemoteUse::failed, pause_text(), {}, {}};
  const auto value = m_store->get(name, deadline());
  if (!value) {
    m_breaker.failed(CircuitBreaker::Clock::now());
    return {RemoteUse::failed, value.error().text(), {}, {}};
  }
  m_breaker.succeeded();
  if (!*value) return {RemoteUse::miss, {}, {}, {}};
  return examine(key, name, **value);
}

// Nothing of the value is parsed before the signature has been compared, where there is a key.
RemoteFound RemoteCache::examine(const Key& key, const std::string& name,
                                 std::string_view value) const {
  if (value.size() > remote_value_limit)
    return refused(fmt::format("it has more than {} MiB", remote_value_limit >> 20));
  const auto record = split_remote_value(value);
  if (!record) return refused(record.error().message);
  const bool has_key = !m_options.key.empty();
  if (has_key && !is_signed_well(*record, name))
    return refused(record->hmac.empty() ? "the value is not signed" : "the signature does not fit");
  auto entry = parse_entry(record->entry);
  if (!entry) return refused(entry.error().message);
  entry->key = with_unknown_axes(entry->key);
  RemoteFound found{has_key ? RemoteUse::hit : RemoteUse::config, {}, std::move(*entry), {}};
  if (has_key) found.artifact = artifact_of(record->artifact);
  if (const auto good = check_entry(key, found.entry, found.artifact, has_key); !good)
    return refused(good.error().message);
  return found;
}

bool RemoteCache::is_signed_well(const RemoteRecord& record, const std::string& name) const {
  return is_signed_with(record, name, m_options.key);
}

Result<void> RemoteCache::check_entry(const Key& key, const Entry& entry, const Artifact& artifact,
                                      bool is_signed) const {
  if (!key.agrees_with(entry.key))
    return failure("the entry was written for another key ({})",
                   explain_difference(key, entry.key));
  if (is_signed && (artifact.bytes.size() != entry.artifact_bytes ||
                    artifact_digest(artifact.bytes) != entry.artifact_digest))
    return failure("the artifact is not the one that its entry was written for");
  return {};
}

Result<void> RemoteCache::put(const Entry& entry, const Artifact& artifact) {
  const std::string name = name_of_value(entry.key);
  if (name.empty()) return {};
  if (!m_breaker.allows(CircuitBreaker::Clock::now())) return failure("{}", pause_text());
  const auto done =
      m_store->put(name, to_remote_value(entry, artifact, name, m_options.key), deadline());
  if (done)
    m_breaker.succeeded();
  else
    m_breaker.failed(CircuitBreaker::Clock::now());
  return done;
}

}  // namespace tunecheck
