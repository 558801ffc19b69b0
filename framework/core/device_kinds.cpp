#include "core/device_kinds.hpp"

namespace tunecheck {

const std::vector<std::string>& known_backends() {
  static const std::vector<std::string> names = {"cpu", "sim", "cuda", "hip"};
  return names;
}

bool is_gpu(std::string_view backend) {
  return backend == "cuda" || backend == "hip";
}

}  // namespace tunecheck
