// Bugs in what is made of a remote cache.
#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "mutants/decorators.hpp"
#include "mutants/families.hpp"
#include "tuner/remote/remote_cache.hpp"

namespace tunecheck::mutants {
namespace {

template <class Remote, class... Shared>
void use_remote(ReferenceAdapterSetup& setup, Shared... shared) {
  setup.parts.make_remote = [shared...](const RemoteOptions& options) {
    return std::make_unique<Remote>(open_remote_store(options), options, shared...);
  };
}

class TakesUnsigned : public RemoteCache {
 public:
  using RemoteCache::RemoteCache;

 protected:
  bool is_signed_well(const RemoteRecord& /*record*/, const std::string& /*name*/) const override {
    return true;
  }
};

class BelievesTheRemote : public TakesUnsigned {
 public:
  using TakesUnsigned::TakesUnsigned;

 protected:
  Result<void> check_entry(const Key& /*key*/, const Entry& /*entry*/, const Artifact& /*artifact*/,
                           bool /*is_signed*/) const override {
    return {};
  }
};

// Other options alone.
template <class Change>
void change_remote_options(ReferenceAdapterSetup& setup, Change change) {
  setup.parts.make_remote = [change](RemoteOptions options) {
    change(options);
    return std::make_unique<RemoteCache>(open_remote_store(options), options);
  };
}

void plant_no_limit(ReferenceAdapterSetup& setup) {
  change_remote_options(
      setup, [](RemoteOptions& options) { options.time_limit = std::chrono::minutes(10); });
}

void plant_no_salt(ReferenceAdapterSetup& setup) {
  change_remote_options(setup, [](RemoteOptions& options) { options.salt.clear(); });
}

// Keys whose winners came from the remote cache.
struct RemoteHits {
  std::mutex mutex;
  std::set<std::string> keys;
};

class NotesHits : public RemoteCache {
 public:
  NotesHits(std::unique_ptr<RemoteStore> store, RemoteOptions options,
            std::shared_ptr<RemoteHits> hits)
      : RemoteCache(std::move(store), std::move(options)), m_hits(std::move(hits)) {}
  RemoteFound find(const Key& key) override {
    RemoteFound found = RemoteCache::find(key);
    const std::scoped_lock lock(m_hits->mutex);
    if (found.use == RemoteUse::hit) m_hits->keys.insert(key.text());
    return found;
  }

 private:
  std::shared_ptr<RemoteHits> m_hits;
};

class KeepsNoHits : public StoreDecorator {
 public:
  KeepsNoHits(std::unique_ptr<WinnerStore> inner, std::shared_ptr<RemoteHits> hits)
      : StoreDecorator(std::move(inner)), m_hits(std::move(hits)) {}
  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    {
      const std::scoped_lock lock(m_hits->mutex);
      if (m_hits->keys.contains(entry.key.text())) return {};
    }
    return StoreDecorator::put(entry, artifact);
  }

 private:
  std::shared_ptr<RemoteHits> m_hits;
};

void plant_hit_not_kept(ReferenceAdapterSetup& setup) {
  const auto hits = std::make_shared<RemoteHits>();
  use_remote<NotesHits>(setup, hits);
  decorate_store<KeepsNoHits>(setup, hits);
}

// Asks it although the winner may be in the folder.
class AsksRemoteFirst : public StoreDecorator {
 public:
  AsksRemoteFirst(std::unique_ptr<WinnerStore> inner, std::unique_ptr<RemoteCache> remote)
      : StoreDecorator(std::move(inner)), m_remote(std::move(remote)) {}
  Found find(const Key& key, const KeyContext& context) override {
    RemoteFound found = m_remote->find(key);
    if (found.use != RemoteUse::hit) return StoreDecorator::find(key, context);
    (void)StoreDecorator::put(found.entry, found.artifact);
    return {Found::State::hit, {}, std::move(found.entry), std::move(found.artifact)};
  }

 private:
  std::unique_ptr<RemoteCache> m_remote;
};

void plant_remote_first(ReferenceAdapterSetup& setup) {
  setup.parts.make_store = [inner = std::move(setup.parts.make_store)](
                               const TunerOptions& options) -> std::unique_ptr<WinnerStore> {
    auto store = inner(options);
    if (!options.remote) return store;
    auto remote =
        std::make_unique<RemoteCache>(open_remote_store(*options.remote), *options.remote);
    return std::make_unique<AsksRemoteFirst>(std::move(store), std::move(remote));
  };
}

class NeverTellsRemote : public RemoteCache {
 public:
  using RemoteCache::RemoteCache;
  Result<void> put(const Entry& /*entry*/, const Artifact& /*artifact*/) override { return {}; }
};

class NeverAsksRemote : public RemoteCache {
 public:
  using RemoteCache::RemoteCache;
  RemoteFound find(const Key& /*key*/) override { return {}; }
};

// What it had to say is lost: neither the caller nor the log hears of it.
class SilentRemote : public RemoteCache {
 public:
  using RemoteCache::RemoteCache;
  RemoteFound find(const Key& key) override {
    RemoteFound found = RemoteCache::find(key);
    if (found.use == RemoteUse::refused || found.use == RemoteUse::failed)
      return {RemoteUse::miss, {}, {}, {}};
    return found;
  }
  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    (void)RemoteCache::put(entry, artifact);
    return {};
  }
};

void plant_trouble_fails_the_call(ReferenceAdapterSetup& setup) {
  setup.before_answer = [](const protocol::CallRequest&, protocol::CallAnswer& answer) {
    if (answer.remote == "failed" || answer.remote == "refused") answer.done = false;
  };
}

}  // namespace

std::vector<Mutant> remote_mutants() {
  return {
      {"asks_remote_first",
       "asks the remote cache for what is in the cache folder, so that every start waits for it",
       plant_remote_first},
      {"believes_the_remote",
       "uses whatever the remote cache has under a name, without a look at its signature or its "
       "key",
       use_remote<BelievesTheRemote>},
      {"never_asks_remote", "tells the remote cache its winners and never asks it for one",
       use_remote<NeverAsksRemote>},
      {"never_tells_remote", "asks the remote cache for winners and never tells it one",
       use_remote<NeverTellsRemote>},
      {"remote_hit_not_kept",
       "does not write a winner of the remote cache to the cache folder, so that the next process "
       "fails where the remote cache does",
       plant_hit_not_kept},
      {"remote_trouble_fails_the_call", "fails a call if the remote cache fails",
       plant_trouble_fails_the_call},
      {"remote_trouble_is_silent",
       "says nothing of a remote cache that does not answer, or that has damaged entries",
       use_remote<SilentRemote>},
      {"remote_without_limit", "waits for a remote cache that hangs", plant_no_limit},
      {"remote_without_salt",
       "names the values of a remote cache without the salt, so that two "
       "groups on one server share winners",
       plant_no_salt},
      {"takes_unsigned",
       "runs binaries of a remote cache that were signed with another key or not at all",
       use_remote<TakesUnsigned>},
  };
}

}  // namespace tunecheck::mutants
