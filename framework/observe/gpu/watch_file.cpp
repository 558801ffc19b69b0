#include "observe/gpu/watch_file.hpp"

#include <sstream>
#include <stdexcept>
#include <string_view>

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
  watched.offset = json.value("offset", std::int64_t{0});
  watched.bound_bytes = json.value("bytes", std::int64_t{0});
  if (watched.offset < 0 || watched.bound_bytes < 0) throw std::invalid_argument("no binding");
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
  m_lines.clear();
  m_last.clear();
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
      m_last[symbol] = m_lines.size();
      m_lines.push_back({symbol, std::move(watched)});
    } catch (const std::exception&) {
      ++m_damaged_lines;
    }
  }
}

bool WatchFile::Line::is_of(const std::string& kernel) const {
  if (!symbol.ends_with('*')) return symbol == kernel;
  return kernel.starts_with(std::string_view(symbol).substr(0, symbol.size() - 1));
}

void WatchFile::read_if_changed() {
  const State now = m_path.empty() ? State{} : state();
  if (now == m_read) return;
  read();
  m_read = now;
}

const WatchedKernel* WatchFile::find(const std::string& kernel) {
  read_if_changed();
  if (const auto found = m_last.find(kernel); found != m_last.end())
    return &m_lines[found->second].watched;
  for (auto line = m_lines.rbegin(); line != m_lines.rend(); ++line)
    if (line->is_of(kernel)) return &line->watched;
  return nullptr;
}

const WatchedKernel* WatchFile::find_fitting(
    const std::string& kernel, const std::function<bool(const WatchedKernel&)>& fits) {
  read_if_changed();
  const WatchedKernel* last = nullptr;
  for (auto line = m_lines.rbegin(); line != m_lines.rend(); ++line) {
    if (!line->is_of(kernel)) continue;
    if (fits(line->watched)) return &line->watched;
    if (last == nullptr) last = &line->watched;
  }
  return last;
}

}  // namespace tunecheck::gpu
