#include "tuner/request.hpp"

namespace tunecheck {

TuneRequest TuneRequest::of(KernelDefinition kernel, const std::string& size) {
  TuneRequest request;
  const auto found = kernel.sizes.find(size);
  if (found != kernel.sizes.end()) request.sizes = found->second;
  request.space = kernel.space;
  request.kernel = std::move(kernel);
  return request;
}

}  // namespace tunecheck
