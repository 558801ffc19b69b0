// In place of open_remote.cpp where this build was made without libcurl's headers or hiredis.
#include "tuner/remote/remote_cache.hpp"

namespace tunecheck {
namespace {

class AbsentStore : public RemoteStore {
 public:
  Result<std::optional<std::string>> get(const std::string& /*name*/,
                                         Deadline /*deadline*/) override {
    return why();
  }
  Result<void> put(const std::string& /*name*/, const std::string& /*value*/,
                   Deadline /*deadline*/) override {
    return why();
  }
  [[nodiscard]] const std::string& where() const override { return m_where; }

 private:
  static tl::unexpected<Error> why() {
    return failure(ErrorKind::unsupported,
                   "this tunecheck was built without remote caches: build it where "
                   "libcurl4-openssl-dev and libhiredis-dev are installed");
  }

  std::string m_where = "the remote cache";
};

}  // namespace

Result<void> check_remote_address(const RemoteOptions& /*options*/) {
  return {};
}

std::unique_ptr<RemoteStore> open_remote_store(const RemoteOptions& /*options*/) {
  return std::make_unique<AbsentStore>();
}

}  // namespace tunecheck
