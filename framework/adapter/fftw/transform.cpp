#include "adapter/fftw/transform.hpp"

#include <algorithm>

#include "core/dtype.hpp"

namespace tunecheck {
namespace {

constexpr std::string_view kernel_name = "dft";
constexpr int planes = 3;  // dimensions of a tensor: rows, columns, parts of a number

const protocol::Tensor* find_tensor(const protocol::CallRequest& request, std::string_view name) {
  const auto found = std::find_if(request.tensors.begin(), request.tensors.end(),
                                  [&](const auto& tensor) { return tensor.name == name; });
  return found == request.tensors.end() ? nullptr : &*found;
}

// The numbers come from outside and must not overflow; up to 2^52 doubles are exact.
bool fits(const protocol::Tensor& tensor, std::size_t bytes) {
  double first = 0;
  double end = 1;
  for (std::size_t d = 0; d < tensor.layout.dimensions().size(); ++d) {
    if (tensor.layout.shape[d] < 0) return false;
    const double reach = (static_cast<double>(tensor.layout.shape[d]) - 1) *
                         static_cast<double>(tensor.layout.strides[d]);
    (reach < 0 ? first : end) += reach;
  }
  const auto offset = static_cast<double>(tensor.byte_offset);
  return offset + first * sizeof(double) >= 0 &&
         offset + end * sizeof(double) <= static_cast<double>(bytes);
}

}  // namespace

Result<Transform::Array> Transform::map(const protocol::Tensor& tensor,
                                        std::vector<MappedFile>& files,
                                        std::vector<std::string>& names) {
  if (tensor.dtype != DType::f64 || tensor.layout.rank != planes || tensor.layout.shape[2] != 2)
    return failure("tensor {}: expected numbers of two f64", tensor.name);
  auto known = std::find(names.begin(), names.end(), tensor.file.string());
  if (known == names.end()) {
    TUNECHECK_TRY(MappedFile file, MappedFile::open(tensor.file));
    files.push_back(std::move(file));
    names.push_back(tensor.file.string());
    known = std::prev(names.end());
  }
  const auto bytes = files.at(static_cast<std::size_t>(known - names.begin())).bytes();
  if (!fits(tensor, bytes.size()))
    return failure("tensor {} does not fit into the {} bytes of its file", tensor.name,
                   bytes.size());
  return Array{reinterpret_cast<double*>(bytes.data() + tensor.byte_offset), tensor.layout};
}

Result<Transform> Transform::open(const protocol::CallRequest& request) {
  const protocol::Tensor* const input = find_tensor(request, "x");
  const protocol::Tensor* const output = find_tensor(request, "y");
  const auto sign = request.scalars.find("sign");
  if (request.kernel != kernel_name || input == nullptr || output == nullptr ||
      sign == request.scalars.end())
    return failure("no such kernel: {}; FFTW is asked for {}", request.kernel, kernel_name);
  Transform transform;
  transform.m_files = std::make_shared<std::vector<MappedFile>>();
  std::vector<std::string> names;
  TUNECHECK_TRY(transform.m_input, map(*input, *transform.m_files, names));
  TUNECHECK_TRY(transform.m_output, map(*output, *transform.m_files, names));
  transform.m_sign = sign->second > 0 ? FFTW_BACKWARD : FFTW_FORWARD;
  return transform;
}

// The guru interface takes real and imaginary parts at any distance. It knows no sign: backward is
// forward with the two parts exchanged.
Plan Transform::plan(unsigned flags, int sign) const {
  const Layout& in = m_input.layout;
  const Layout& out = m_output.layout;
  const fftw_iodim64 loops[2] = {{in.shape[0], in.strides[0], out.strides[0]},
                                 {in.shape[1], in.strides[1], out.strides[1]}};
  double* input[2] = {m_input.data, m_input.data + in.strides[2]};
  double* output[2] = {m_output.data, m_output.data + out.strides[2]};
  const int real = sign == FFTW_FORWARD ? 0 : 1;
  return Plan(fftw_plan_guru64_split_dft(2, loops, 0, nullptr, input[real], input[1 - real],
                                         output[real], output[1 - real], flags));
}

std::vector<double> Transform::Array::numbers() const {
  std::vector<double> numbers;
  for_each_element(layout,
                   [&](std::int64_t, std::int64_t offset) { numbers.push_back(data[offset]); });
  return numbers;
}

void Transform::Array::set(const std::vector<double>& numbers) const {
  for_each_element(layout, [&](std::int64_t number, std::int64_t offset) {
    data[offset] = numbers.at(static_cast<std::size_t>(number));
  });
}

Transform::Content Transform::content() const {
  return {m_input.numbers(), m_output.numbers()};
}

// In place both are the same.
void Transform::set_content(const Content& content) const {
  m_output.set(content.output);
  m_input.set(content.input);
}

void Transform::execute(const Plan& plan) const {
  const std::int64_t in = m_input.layout.strides[2];
  const std::int64_t out = m_output.layout.strides[2];
  const int real = m_sign == FFTW_FORWARD ? 0 : 1;
  fftw_execute_split_dft(plan.get(), m_input.data + real * in, m_input.data + (1 - real) * in,
                         m_output.data + real * out, m_output.data + (1 - real) * out);
}

Transform Transform::copied() const {
  Transform copy = *this;
  copy.m_copies = std::make_shared<std::vector<std::vector<double>>>();
  copy.m_copies->reserve(2);
  for (Array* const array : {&copy.m_input, &copy.m_output}) {
    array->layout = Layout::contiguous(array->layout.dimensions());
    copy.m_copies->emplace_back(static_cast<std::size_t>(array->layout.count()));
    array->data = copy.m_copies->back().data();
  }
  copy.set_content(content());
  return copy;
}

}  // namespace tunecheck
