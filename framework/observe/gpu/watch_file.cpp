#include "observe/gpu/watch_file.hpp"

#include <sstream>
#include <stdexcept>

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "core/files.hpp"
#include "core/parse_json.hpp"

namespace tunecheck::gpu {
namespace {

using Json = nlohmann::json;

WatchedParameter watched_parameter(const Json& json) {
  WatchedParameter watched;
  json.at("parameter").get_to(watched.parameter);
  const auto dtype = parse_dtype(json.at("dtype").get<std::string>());
  const auto shape = json.at("shape").get<std::vector<std::int64_t>>();
  const auto strides = json.at("strides").get<std::vector<std::int64_t>>();
  if (!dtype || shape.size() != strides.size() || shape.size() > max_rank)
    throw std::invalid_argument("no tensor");
  for (const std::int64_t size : shape)
    if (size < 0) throw std::invalid_argument("a negative shape");
  watched.dtype = *dtype;
  watched.layout = Layout::strided(shape, strides);
  return watched;
}

}  // namespace

WatchFile::State WatchFile::state() const {
  struct stat status {};
  if (::stat(m_path.c_str(), &status) != 0) return {};
  return {status.st_ino, status.st_size,
          std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
}

void WatchFile::read() {
  m_kernels.clear();
  m_damaged_lines = 0;
  const auto text = read_text_file(m_path);
  if (!text) return;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    try {
      const Json json = parse_json<Json>(line);
      const auto symbol = json.at("kernel").get<std::string>();
      WatchedKernel watched;
      watched.as = json.value("as", symbol);
      for (const Json& tensor : json.at("tensors"))
        watched.tensors.push_back(watched_parameter(tensor));
      m_kernels[symbol] = std::move(watched);
    } catch (const std::exception&) {
      ++m_damaged_lines;
    }
  }
}

const WatchedKernel* WatchFile::find(const std::string& kernel) {
  if (m_path.empty()) return nullptr;
  if (const State now = state(); now != m_read) {
    read();
    m_read = now;
  }
  const auto found = m_kernels.find(kernel);
  return found != m_kernels.end() ? &found->second : nullptr;
}

}  // namespace tunecheck::gpu
