#include "tuner/request.hpp"

#include <algorithm>

namespace tunecheck {

TuneRequest TuneRequest::of(KernelDefinition kernel, const std::string& size) {
  TuneRequest request;
  const auto found = kernel.sizes.find(size);
  if (found != kernel.sizes.end()) request.sizes = found->second;
  request.space = kernel.space;
  request.kernel = std::move(kernel);
  return request;
}

const SearchOptions& search_for(const TuneRequest& request, const TunerOptions& options) {
  return request.search ? *request.search : options.search;
}

bool takes_any_winner(const TuneRequest& request, const TunerOptions& options) {
  return !request.search && !options.search.effort;
}

std::optional<std::size_t> place_of_default(const TuneRequest& request,
                                            std::span<const Config> configs) {
  const auto chosen = request.kernel.default_for(request.sizes);
  const auto found = chosen ? std::find(configs.begin(), configs.end(), *chosen) : configs.end();
  if (found == configs.end()) return std::nullopt;
  return static_cast<std::size_t>(found - configs.begin());
}

}  // namespace tunecheck
