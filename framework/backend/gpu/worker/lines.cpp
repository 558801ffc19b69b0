#include "backend/gpu/worker/lines.hpp"

#include <bit>

#include <nlohmann/json.hpp>

#include "core/parse_json.hpp"

namespace tunecheck::gpu {
namespace {

using Json = nlohmann::json;

Json to_json(const TensorView& tensor) {
  return {reinterpret_cast<Address>(tensor.data), static_cast<int>(tensor.dtype),
          std::vector<std::int64_t>(tensor.layout.dimensions().begin(),
                                    tensor.layout.dimensions().end()),
          std::vector<std::int64_t>(tensor.layout.steps().begin(), tensor.layout.steps().end())};
}

TensorView tensor_from(const Json& json) {
  const auto shape = json.at(2).get<std::vector<std::int64_t>>();
  const auto strides = json.at(3).get<std::vector<std::int64_t>>();
  TensorView tensor{reinterpret_cast<std::byte*>(json.at(0).get<Address>()),
                    static_cast<DType>(json.at(1).get<int>()),
                    {}};
  if (!shape.empty()) tensor.layout = Layout::strided(shape, strides);
  return tensor;
}

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string to_line(const WorkerRequest& request) {
  Json tensors = Json::array();
  for (const TensorView& tensor : request.tensors)
    tensors.push_back(to_json(tensor));
  Json scalars = Json::array();
  for (const Scalar& scalar : request.scalars)
    // By its bits: JSON has no NaN and no infinity.
    scalars.push_back({static_cast<int>(scalar.dtype), std::bit_cast<std::uint64_t>(scalar.value)});
  return dumped({{"kind", static_cast<int>(request.kind)},
                 {"number", request.number},
                 {"file", request.file.string()},
                 {"handle", request.kind == WorkerRequest::Kind::map ? Json(request.handle.bytes)
                                                                     : Json(nullptr)},
                 {"address", request.address},
                 {"bytes", request.bytes},
                 {"value", request.value},
                 {"timed", request.timed},
                 {"cold", request.cold},
                 {"tensors", tensors},
                 {"scalars", scalars}});
}

Result<WorkerRequest> parse_worker_request(const std::string& line) {
  try {
    const Json json = parse_json<Json>(line);
    WorkerRequest request;
    request.kind = static_cast<WorkerRequest::Kind>(json.at("kind").get<int>());
    request.number = json.at("number").get<std::uint64_t>();
    request.file = json.at("file").get<std::string>();
    if (!json.at("handle").is_null())
      request.handle.bytes = json.at("handle").get<std::array<unsigned char, 64>>();
    request.address = json.at("address").get<Address>();
    request.bytes = json.at("bytes").get<std::uint64_t>();
    request.value = json.at("value").get<unsigned>();
    request.timed = json.at("timed").get<bool>();
    request.cold = json.at("cold").get<bool>();
    for (const Json& tensor : json.at("tensors"))
      request.tensors.push_back(tensor_from(tensor));
    for (const Json& scalar : json.at("scalars"))
      request.scalars.push_back({static_cast<DType>(scalar.at(0).get<int>()),
                                 std::bit_cast<double>(scalar.at(1).get<std::uint64_t>())});
    return request;
  } catch (const std::exception& error) {
    return failure("expected a request as JSON: {}", json_problem(error));
  }
}

std::string to_line(const WorkerAnswer& answer) {
  return dumped({{"trouble", answer.trouble},
                 {"status", answer.launch.status},
                 {"elapsed_ns", answer.launch.elapsed_ns},
                 {"flush_ns", answer.launch.flush_ns}});
}

Result<WorkerAnswer> parse_worker_answer(const std::string& line) {
  try {
    const Json json = parse_json<Json>(line);
    return WorkerAnswer{json.at("trouble").get<std::string>(),
                        {json.at("status").get<int>(), json.at("elapsed_ns").get<std::int64_t>(),
                         json.at("flush_ns").get<std::int64_t>()}};
  } catch (const std::exception&) {
    return failure("the trial process answers \"{:.200}\"", line);
  }
}

}  // namespace tunecheck::gpu
