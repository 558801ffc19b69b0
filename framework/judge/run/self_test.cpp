#include "judge/run/self_test.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/run/plain_judgement.hpp"

namespace tunecheck {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// How a dtype writes some values: the judge's own conversions are under test too.
struct Written {
  DType dtype;
  std::array<double, 3> values;
  std::array<std::uint64_t, 3> bits;
  // Of floating dtypes alone: a NaN, infinity, 0.1 rounded, and what comes behind that.
  std::uint64_t nan_bits = 0, infinity_bits = 0, tenth_bits = 0, next_bits = 0;
};

constexpr std::array<Written, 7> all_written = {{
    {DType::f64,
     {1, -2, 0.5},
     {0x3ff0000000000000, 0xc000000000000000, 0x3fe0000000000000},
     0x7ff8000000000000,
     0x7ff0000000000000,
     0x3fb999999999999a,
     0x3fb999999999999b},
    {DType::f32,
     {1, -2, 0.5},
     {0x3f800000, 0xc0000000, 0x3f000000},
     0x7fc00000,
     0x7f800000,
     0x3dcccccd,
     0x3dccccce},
    {DType::bf16, {1, -2, 0.5}, {0x3f80, 0xc000, 0x3f00}, 0x7fc0, 0x7f80, 0x3dcd, 0x3dce},
    {DType::f16, {1, -2, 0.5}, {0x3c00, 0xc000, 0x3800}, 0x7e00, 0x7c00, 0x2e66, 0x2e67},
    {DType::i32, {1, -2, 77}, {1, 0xfffffffe, 77}},
    {DType::i64, {1, -2, 77}, {1, 0xfffffffffffffffe, 77}},
    {DType::u8, {1, 254, 77}, {1, 254, 77}},
}};

struct Form {
  const char* name;
  std::vector<std::int64_t> shape, strides;
};

std::vector<Form> forms() {
  return {{"one element", {}, {}},
          {"a row", {5}, {1}},
          {"a long row", {35}, {1}},
          {"a matrix", {2, 3}, {3, 1}},
          {"a transposed matrix", {2, 3}, {1, 2}},
          {"padded rows", {3, 2}, {5, 1}},
          {"every third element", {4}, {3}},
          {"a reversed row", {4}, {-1}},
          {"a cube in another order", {2, 3, 4}, {4, 8, 1}},
          {"no element", {0, 3}, {3, 1}}};
}

// Room behind the last element and in front of the first one, for what must not count.
constexpr std::size_t margin = 16;

plain::Tensor tensor_of(const Written& written, const Form& form) {
  plain::Tensor tensor;
  tensor.dtype = written.dtype;
  tensor.shape = form.shape;
  tensor.strides = form.strides;
  const plain::Reach reach = plain::reach_of(tensor);
  const std::size_t size = size_of(written.dtype);
  tensor.origin = margin + static_cast<std::size_t>(-reach.first) * size;
  tensor.bytes.resize(2 * margin + static_cast<std::size_t>(reach.end - reach.first) * size,
                      std::byte{0x33});
  for (std::int64_t i = 0; i < tensor.count(); ++i)
    tensor.set_bits(i, written.bits[static_cast<std::size_t>(i) % 3]);
  return tensor;
}

std::vector<double> values_of(const Written& written, const Form& form) {
  std::vector<double> values;
  const std::int64_t count = tensor_of(written, form).count();
  for (std::int64_t i = 0; i < count; ++i)
    values.push_back(written.values[static_cast<std::size_t>(i) % 3]);
  return values;
}

Layout layout_of(const plain::Tensor& tensor) {
  Layout layout;
  layout.rank = static_cast<int>(tensor.shape.size());
  std::copy(tensor.shape.begin(), tensor.shape.end(), layout.shape.begin());
  std::copy(tensor.strides.begin(), tensor.strides.end(), layout.strides.begin());
  return layout;
}

TensorView view_of(plain::Tensor& tensor) {
  return {tensor.bytes.data() + tensor.origin, tensor.dtype, layout_of(tensor)};
}

std::uint64_t poison_of(DType dtype) {
  const auto pattern = poison_pattern(dtype);
  std::uint64_t bits = 0;
  for (std::size_t i = pattern.size(); i-- > 0;)
    bits = bits << 8 | std::to_integer<std::uint64_t>(pattern[i]);
  return bits;
}

// Asks one function after the other. run() is called once, and ends with the first answer that is
// not the plain one. Nothing is changed but this object's own tensors.
class SelfTest {
 public:
  explicit SelfTest(const JudgingFunctions& functions) : m_judge(functions) {}

  Result<void> run() {
    for (const Form& form : forms()) {
      ask_layout(form);
      for (const Written& written : all_written) {
        ask_comparison(written, form);
        ask_digest(written, form);
      }
    }
    for (const Written& written : all_written)
      ask_about_limits(written);
    ask_artifact_digest();
    if (m_trouble.empty()) return {};
    return failure(ErrorKind::internal,
                   "tunecheck cannot judge: {}; this is a mistake in tunecheck itself, and nothing "
                   "was judged",
                   m_trouble);
  }

 private:
  template <class Answer>
  void expect(const Answer& expected, const Answer& found, const std::string& question) {
    if (m_trouble.empty() && !(expected == found))
      m_trouble = fmt::format("{}: expected {}, found {}", question, expected, found);
  }

  void ask_layout(const Form& form) {
    plain::Tensor tensor = tensor_of(all_written[6], form);
    const Layout layout = layout_of(tensor);
    std::vector<std::int64_t> offsets;
    for (std::int64_t i = 0; i < tensor.count(); ++i)
      offsets.push_back(tensor.offset(i));
    expect(offsets, m_judge.offsets_of(layout), fmt::format("the elements of {}", form.name));
    const plain::Reach reach = plain::reach_of(tensor);
    const Extent extent = m_judge.extent_of(layout);
    expect(std::vector{reach.first, reach.end}, std::vector{extent.first, extent.end},
           fmt::format("the extent of {}", form.name));
    ask_contiguous(form);
  }

  // Row by row, one element behind the other.
  void ask_contiguous(const Form& form) {
    std::vector<std::int64_t> numbers;
    const std::int64_t count = tensor_of(all_written[6], form).count();
    for (std::int64_t i = 0; i < count; ++i)
      numbers.push_back(i);
    expect(numbers, m_judge.offsets_of(m_judge.contiguous(form.shape)),
           fmt::format("a contiguous tensor with the shape of {}", form.name));
  }

  // So many elements are wrong: were both computations wrong in the same way, they would still
  // agree.
  void compare(std::int64_t wrong, plain::Tensor tensor, const std::vector<double>& expected,
               double relative, double absolute, const std::string& question) {
    const plain::Difference plain = plain::difference(tensor, expected, relative, absolute);
    expect(wrong, plain.wrong, question + " (wrong, as computed in the plain way)");
    const Comparison found = m_judge.compare(view_of(tensor), expected, {relative, absolute});
    expect(std::vector{tensor.count(), plain.wrong, plain.unwritten},
           std::vector{found.elements, found.wrong, found.unwritten},
           question + " (elements, wrong, unwritten)");
    std::int64_t first = plain.wrong == 0 ? -1 : 0;
    for (std::size_t d = 0; plain.wrong > 0 && d < found.first_wrong.size(); ++d)
      first = first * tensor.shape.at(d) + found.first_wrong[d];
    expect(plain.first, first, question + " (the first wrong element)");
  }

  void ask_comparison(const Written& written, const Form& form) {
    const plain::Tensor right = tensor_of(written, form);
    const std::vector<double> values = values_of(written, form);
    const std::string where = fmt::format("in {} of {}", form.name, name_of(written.dtype));
    compare(0, right, values, 0, 0, "what is right " + where);
    for (std::int64_t i = 0; i < right.count(); ++i) {
      const auto spoilt = [&](std::uint64_t bits, const std::string& what) {
        plain::Tensor tensor = right;
        tensor.set_bits(i, bits);
        compare(1, std::move(tensor), values, 1e-3, 1e-3, what + " " + where);
      };
      spoilt(written.bits[static_cast<std::size_t>(i + 1) % 3], "another value");
      spoilt(poison_of(written.dtype), "an element that was never written");
      if (!is_floating(written.dtype)) continue;
      spoilt(written.nan_bits, "a NaN instead of a number");
      spoilt(written.infinity_bits, "infinity instead of a number");
      expecting(right, values, i, nan, "a number instead of a NaN " + where);
      expecting(right, values, i, infinity, "a number instead of infinity " + where);
    }
  }

  void expecting(const plain::Tensor& tensor, std::vector<double> values, std::int64_t element,
                 double value, const std::string& question) {
    values[static_cast<std::size_t>(element)] = value;
    compare(1, tensor, values, 1e-3, 1e-3, question);
  }

  plain::Tensor single(DType dtype, std::uint64_t bits) {
    Written written{dtype, {}, {bits}};
    return tensor_of(written, {"one element", {}, {}});
  }

  void ask_about_limits(const Written& written) {
    if (!is_floating(written.dtype)) return;
    const std::string of = fmt::format(" of {}", name_of(written.dtype));
    const auto one = [&](bool right, std::uint64_t bits, double expected,
                         const Tolerance& tolerance, const std::string& question) {
      compare(right ? 0 : 1, single(written.dtype, bits), {expected}, tolerance.relative,
              tolerance.absolute, question + of);
    };
    const auto same = [&](auto&&... about) { one(true, about...); };
    const auto other = [&](auto&&... about) { one(false, about...); };
    same(written.nan_bits, nan, Tolerance{}, "a NaN for a NaN");
    same(written.infinity_bits, infinity, Tolerance{}, "infinity for infinity");
    other(written.infinity_bits, -infinity, Tolerance{1, 1}, "infinity for minus infinity");
    other(written.infinity_bits, 32768, Tolerance{1e9, 1e300}, "infinity for a large number");
    other(poison_of(written.dtype), nan, Tolerance{},
          "an element that was never written for a NaN");
    same(written.bits[0], 1.25, Tolerance{0.2, 0}, "the relative tolerance");
    other(written.bits[0], 1.25, Tolerance{0.19, 0}, "just outside of the relative tolerance");
    same(written.bits[0], 1.25, Tolerance{0, 0.25}, "the absolute tolerance");
    other(written.bits[0], 1.25, Tolerance{0, 0.24}, "just outside of the absolute tolerance");
    round(written, written.tenth_bits, 0, "0.1, rounded");
    round(written, written.next_bits, 1, "not 0.1, but what comes behind it");
  }

  // What is rounded right is right, whatever the tolerance.
  void round(const Written& written, std::uint64_t bits, std::int64_t wrong,
             const std::string& question) {
    plain::Tensor tensor = single(written.dtype, bits);
    const std::vector<double> tenth = {0.1};
    expect(wrong, m_judge.compare(view_of(tensor), tenth, {}).wrong,
           fmt::format("{} of {}", question, name_of(written.dtype)));
  }

  // Each byte of each element counts, and what lies around elements does not.
  void ask_digest(const Written& written, const Form& form) {
    plain::Tensor tensor = tensor_of(written, form);
    const std::string where = fmt::format("of {} of {}", form.name, name_of(written.dtype));
    const std::string before = m_judge.digest_elements(view_of(tensor));
    expect(plain::digest(tensor), before, "the digest " + where);
    // Of many elements the last byte of each: what one byte does, small tensors have shown.
    const std::size_t step = tensor.count() > 8 ? size_of(written.dtype) : 1;
    for (std::size_t at = step - 1; at < tensor.bytes.size(); at += step) {
      tensor.bytes[at] ^= std::byte{0x80};
      const std::string expected = plain::digest(tensor);
      const std::string found = m_judge.digest_elements(view_of(tensor));
      if (expected != found)
        expect(expected, found, fmt::format("the digest {} with another byte {}", where, at));
      tensor.bytes[at] ^= std::byte{0x80};
    }
  }

  void ask_artifact_digest() {
    std::vector<std::byte> bytes;
    for (int length = 0; length <= 200; ++length) {
      expect(plain::sha256(bytes), m_judge.artifact_digest(bytes),
             fmt::format("the SHA-256 of {} bytes", length));
      if (!bytes.empty()) {
        bytes.back() ^= std::byte{1};
        expect(plain::sha256(bytes), m_judge.artifact_digest(bytes),
               fmt::format("the SHA-256 of {} bytes, the last one another", length));
      }
      bytes.push_back(static_cast<std::byte>(length * 37 + 11));
    }
  }

  const JudgingFunctions& m_judge;
  std::string m_trouble;  // the first one
};

}  // namespace

Result<void> test_judgement(const JudgingFunctions& functions) {
  return SelfTest(functions).run();
}

}  // namespace tunecheck
