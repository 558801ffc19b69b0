#include "tuner/meanwhile.hpp"

#include "tuner/background_tunings.hpp"
#include "tuner/request.hpp"

namespace tunecheck {

bool Meanwhile::waits(const TuneRequest& request, const TunerOptions& options) const {
  return request.may_wait.value_or(options.may_wait);
}

Result<std::shared_ptr<const HeldArguments>> Meanwhile::hold(const CallArguments& call) const {
  TUNECHECK_TRY(detail::OwnArguments own, detail::OwnArguments::copy(call));
  return std::make_shared<const detail::OwnArguments>(std::move(own));
}

}  // namespace tunecheck
