#include "small_tuner.hpp"

#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <stdexcept>

namespace watched {
namespace {

namespace fs = std::filesystem;

std::string key_of(const TunerOptions& options, const std::vector<Matrix*>& tensors,
                   const std::vector<double>& numbers) {
  std::string key = options.kernel;
  for (const Matrix* const tensor : tensors)
    key += "-" + std::to_string(tensor->shape[0]);
  if (options.numbers_are_in_key)
    for (const double number : numbers)
      key += "-" + std::to_string(number);
  return key;
}

}  // namespace

void launch(Entry entry, const std::vector<Matrix*>& tensors, const std::vector<double>& numbers) {
  std::vector<tunecheck_tensor> arguments;
  for (Matrix* const tensor : tensors)
    arguments.push_back({tensor->data.data(), tensor->shape.data(), tensor->strides.data(), 1, 1});
  std::vector<tunecheck_scalar> scalars;
  for (const double number : numbers)
    scalars.push_back({number, static_cast<std::int64_t>(number)});
  const tunecheck_launch all{arguments.data(), scalars.data(),
                             static_cast<std::int32_t>(arguments.size()),
                             static_cast<std::int32_t>(scalars.size())};
  if (entry(&all) != 0) throw std::runtime_error("the kernel failed");
}

SmallTuner::SmallTuner(TunerOptions options) : m_options(std::move(options)) {
  const char* const home = std::getenv("HOME");
  m_folder = fs::path(home != nullptr ? home : "/tmp") / ".cache/small_tuner" / m_options.folder;
  fs::create_directories(m_folder);
}

fs::path SmallTuner::artifact(int config) const {
  return m_folder / (m_options.kernel + "-" + std::to_string(config) + ".so");
}

Entry SmallTuner::load(int config) {
  if (const auto known = m_loaded.find(config); known != m_loaded.end()) return known->second;
  const fs::path file = artifact(config);
  if (!m_options.is_remembered || m_options.compiles_always || !fs::exists(file)) {
    const std::string block = std::to_string(1 << config);
    const std::string sources = m_options.sources.empty() ? WATCHED_KERNELS : m_options.sources;
    const std::string command = std::string(WATCHED_COMPILER) + " -shared -fPIC -O1 -g -I" +
                                WATCHED_INCLUDE + " -DBLOCK=" + block +
                                " -DTUNECHECK_CONFIG=block=" + block + " -o " + file.string() +
                                " " + sources + "/" + m_options.kernel + ".cpp";
    if (std::system(command.c_str()) != 0) throw std::runtime_error("cannot compile");
  }
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(::dlerror());
  const auto entry = reinterpret_cast<Entry>(::dlsym(library, "tunecheck_entry"));
  return m_loaded[config] = entry;
}

int SmallTuner::tune(const std::vector<Matrix*>& tensors, const std::vector<double>& numbers,
                     const std::vector<int>& configs) {
  using Clock = std::chrono::steady_clock;
  std::vector<std::vector<float>> saved;
  for (const Matrix* const tensor : tensors)
    saved.push_back(tensor->data);
  std::vector<Matrix> copies;
  for (const Matrix* const tensor : tensors)
    copies.push_back(*tensor);
  std::vector<Matrix> fresh = copies;
  int best = configs.front();
  auto best_time = Clock::duration::max();
  for (const int config : configs) {
    const Entry entry = load(config);
    for (int i = 0; i < m_options.repetitions; ++i) {
      std::vector<Matrix*> arguments = tensors;
      std::vector<Matrix> own;
      if (m_options.is_on_fresh_copies) own = copies;
      for (std::size_t k = 0; k < tensors.size(); ++k) {
        if (m_options.is_on_copies) arguments[k] = &fresh[k];
        if (m_options.is_on_fresh_copies) arguments[k] = &own[k];
        if (m_options.zeroed.contains(k))
          std::fill(arguments[k]->data.begin(), arguments[k]->data.end(), 0.0F);
      }
      const auto begun = Clock::now();
      launch(entry, arguments, numbers);
      const auto time = Clock::now() - begun;
      if (time < best_time) {
        best_time = time;
        best = config;
      }
      for (const std::size_t k : m_options.restored)
        arguments[k]->data.assign(saved[k].begin(), saved[k].end());
    }
  }
  if (m_options.restores_at_end)
    for (std::size_t k = 0; k < tensors.size(); ++k)
      tensors[k]->data.assign(saved[k].begin(), saved[k].end());
  for (const std::size_t k : m_options.zeroed)
    std::fill(tensors[k]->data.begin(), tensors[k]->data.end(), 0.0F);
  return m_options.choose(best);
}

void SmallTuner::operator()(const std::vector<Matrix*>& tensors,
                            const std::vector<double>& numbers) {
  const std::string key = key_of(m_options, tensors, numbers);
  const fs::path entry = m_folder / (key + ".winner");
  if (const auto known = m_winners.find(key); known != m_winners.end())
    return launch(load(known->second), tensors, numbers);
  int winner = -1;
  if (m_options.is_remembered) std::ifstream(entry) >> winner;
  std::vector<int> configs;
  for (int config = 0; config < m_options.configs; ++config)
    if (winner < 0 || (m_options.tries_neighbours && std::abs(config - winner) <= 1))
      configs.push_back(config);
  if (!configs.empty()) {
    winner = tune(tensors, numbers, configs);
    if (m_options.is_remembered) std::ofstream(entry) << winner;
  }
  m_winners[key] = winner;
  launch(load(winner), tensors, numbers);
}

}  // namespace watched
