#include "harness/kernel/question.hpp"

#include <algorithm>

namespace tunecheck {

Oracle::Question make_question(const KernelDefinition& kernel, std::span<const TensorFile> files,
                               bool zeroed, const std::map<std::string, double>& scalars) {
  Oracle::Question question;
  question.kernel = &kernel;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const TensorView initial = files[i].initial();
    question.shapes.emplace_back(initial.layout.dimensions().begin(),
                                 initial.layout.dimensions().end());
    question.contents.push_back(to_doubles(initial));
    if (zeroed && kernel.resets(kernel.tensors[i].name))
      std::fill(question.contents.back().begin(), question.contents.back().end(), 0.0);
  }
  for (const ScalarParameter& scalar : kernel.scalars) {
    const auto chosen = scalars.find(scalar.name);
    std::byte rounded[8];
    store_element(scalar.dtype, rounded, chosen == scalars.end() ? scalar.value : chosen->second);
    question.scalars.push_back(load_element(scalar.dtype, rounded));
  }
  return question;
}

}  // namespace tunecheck
