// Which store an address is of, where this build has them.
#include "tuner/remote/http_store.hpp"
#include "tuner/remote/redis_store.hpp"
#include "tuner/remote/remote_cache.hpp"

namespace tunecheck {
namespace {

// Stands for a remote that this machine cannot use, whatever is asked of it.
class UnusableStore : public RemoteStore {
 public:
  explicit UnusableStore(Error error) : m_error(std::move(error)) {}

  Result<std::optional<std::string>> get(const std::string& /*name*/,
                                         Deadline /*deadline*/) override {
    return failure(m_error);
  }
  Result<void> put(const std::string& /*name*/, const std::string& /*value*/,
                   Deadline /*deadline*/) override {
    return failure(m_error);
  }
  [[nodiscard]] const std::string& where() const override { return m_where; }

 private:
  Error m_error;
  std::string m_where = "the remote cache";
};

Result<std::unique_ptr<RemoteStore>> try_to_open(const RemoteOptions& options) {
  TUNECHECK_TRY(const CurlLibrary* const curl, curl_library());
  TUNECHECK_TRY(RemoteAddress address, parse_remote_address(*curl, options.address));
  if (address.scheme.starts_with("redis"))
    return RedisStore::create(*curl, std::move(address), options.authorities_file);
  return std::unique_ptr<RemoteStore>(
      std::make_unique<HttpStore>(*curl, std::move(address), options.authorities_file));
}

}  // namespace

Result<void> check_remote_address(const RemoteOptions& options) {
  const auto store = try_to_open(options);
  if (!store && store.error().kind == ErrorKind::bad_input) return failure(store.error());
  return {};
}

std::unique_ptr<RemoteStore> open_remote_store(const RemoteOptions& options) {
  auto store = try_to_open(options);
  if (store) return std::move(*store);
  return std::make_unique<UnusableStore>(std::move(store).error());
}

}  // namespace tunecheck
