#pragma once
// The remote tier behind the cache folder: names keys, seals and checks values, and leaves a server
// alone that fails. docs/remote-cache.md has the rules.
#include <memory>
#include <string>

#include "tuner/remote/circuit_breaker.hpp"
#include "tuner/remote/remote_options.hpp"
#include "tuner/remote/remote_record.hpp"
#include "tuner/remote/remote_store.hpp"
#include "tuner/store/store.hpp"

namespace tunecheck {

/// What came of one look into the remote cache.
enum class RemoteUse {
  none,     ///< it was not asked: there is none, or this key is not for it
  hit,      ///< a signed entry with its artifact
  config,   ///< an entry without a signature: its config is worth a trial, and nothing more
  miss,     ///< it has nothing under this name
  refused,  ///< it has something that must not be used
  failed,   ///< it cannot be reached, is too slow, or is left alone after failures
};
[[nodiscard]] std::string_view name_of(RemoteUse use);

struct RemoteFound {
  RemoteUse use = RemoteUse::none;
  std::string reason;  ///< why it was refused or failed
  Entry entry;         ///< of a hit or a config
  Artifact artifact;   ///< of a hit
};

/// May be used by several threads and processes at once. One member call waits no longer than the
/// options' time limit. Seam: what is protected decides what is believed.
class RemoteCache {
 public:
  /// `store` must not be null.
  RemoteCache(std::unique_ptr<RemoteStore> store, RemoteOptions options);
  virtual ~RemoteCache() = default;
  RemoteCache(const RemoteCache&) = delete;
  RemoteCache& operator=(const RemoteCache&) = delete;

  /// Never an error: a remote that lies or fails is as good as none.
  [[nodiscard]] virtual RemoteFound find(const Key& key);
  /// An error says why other machines will not find the winner.
  [[nodiscard]] virtual Result<void> put(const Entry& entry, const Artifact& artifact);

  [[nodiscard]] const RemoteOptions& options() const { return m_options; }
  [[nodiscard]] const std::string& where() const { return m_store->where(); }

 protected:
  [[nodiscard]] virtual bool is_signed_well(const RemoteRecord& record,
                                            const std::string& name) const;
  [[nodiscard]] virtual Result<void> check_entry(const Key& key, const Entry& entry,
                                                 const Artifact& artifact, bool is_signed) const;
  [[nodiscard]] virtual std::string name_of_value(const Key& key) const;

 private:
  [[nodiscard]] RemoteFound examine(const Key& key, const std::string& name,
                                    std::string_view value) const;
  [[nodiscard]] RemoteStore::Deadline deadline() const;
  [[nodiscard]] std::string pause_text() const;

  std::unique_ptr<RemoteStore> m_store;
  RemoteOptions m_options;
  CircuitBreaker m_breaker;
};

/// The store that the address names; connects to nothing yet. Never null: for a mistake in the
/// address, or on a machine that cannot use any, a store whose every use fails with the reason, so
/// that the tuner works on without it.
[[nodiscard]] std::unique_ptr<RemoteStore> open_remote_store(const RemoteOptions& options);

}  // namespace tunecheck
