#include "judge/run/plain_judgement.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace tunecheck::plain {
namespace {

std::size_t bytes_of(DType dtype) {
  switch (dtype) {
    case DType::f64:
    case DType::i64:
      return 8;
    case DType::f32:
    case DType::i32:
      return 4;
    case DType::bf16:
    case DType::f16:
      return 2;
    case DType::u8:
      return 1;
  }
  return 0;
}

double half_of(std::uint64_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  const auto exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<double>(bits & 1023);
  if (exponent == 31)
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  if (exponent == 0) return sign * fraction * std::exp2(-24);
  return sign * (1 + fraction / 1024) * std::exp2(exponent - 15);
}

bool is_real(DType dtype) {
  return dtype == DType::f64 || dtype == DType::f32 || dtype == DType::bf16 || dtype == DType::f16;
}

bool close(double actual, double expected, double relative, double absolute) {
  const bool a_number = actual == actual;
  const bool b_number = expected == expected;
  if (!a_number || !b_number) return a_number == b_number;
  if (actual == expected) return true;
  const double most = std::numeric_limits<double>::max();
  if (std::fabs(actual) > most || std::fabs(expected) > most) return false;
  return std::fabs(actual - expected) <= absolute + relative * std::fabs(expected);
}

std::uint64_t poison_bits(DType dtype) {
  std::uint64_t bits = 0;
  const std::span<const std::byte> pattern = poison_pattern(dtype);
  for (std::size_t i = 0; i < pattern.size(); ++i)
    bits |= std::to_integer<std::uint64_t>(pattern[i]) << 8 * i;
  return bits;
}

// Stafford's mix 13.
std::uint64_t mixed(std::uint64_t bits) {
  bits ^= bits >> 30;
  bits *= 13787848793156543929U;
  bits ^= bits >> 27;
  bits *= 10723151780598845931U;
  return bits ^ bits >> 31;
}

// The first 32 bits of the fractions of the cube roots of the first primes, of which FIPS 180-4
// makes its constants, and of the square roots, with which it begins.
bool is_prime(int number) {
  for (int divisor = 2; divisor * divisor <= number; ++divisor)
    if (number % divisor == 0) return false;
  return true;
}

std::uint32_t fraction_of(long double root) {
  return static_cast<std::uint32_t>(std::floor((root - std::floor(root)) * 4294967296.0L));
}

struct Constants {
  std::array<std::uint32_t, 64> rounds{};
  std::array<std::uint32_t, 8> begin{};
};

Constants make_constants() {
  Constants constants;
  std::size_t found = 0;
  for (int number = 2; found < constants.rounds.size(); ++number) {
    if (!is_prime(number)) continue;
    constants.rounds[found] = fraction_of(std::cbrt(static_cast<long double>(number)));
    if (found < constants.begin.size())
      constants.begin[found] = fraction_of(std::sqrt(static_cast<long double>(number)));
    ++found;
  }
  return constants;
}

const Constants& constants() {
  static const Constants made = make_constants();
  return made;
}

std::vector<std::uint8_t> padded(std::span<const std::byte> bytes) {
  std::vector<std::uint8_t> message;
  for (const std::byte byte : bytes)
    message.push_back(std::to_integer<std::uint8_t>(byte));
  message.push_back(0x80);
  while (message.size() % 64 != 56)
    message.push_back(0);
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8)
    message.push_back(static_cast<std::uint8_t>(bits >> shift));
  return message;
}

void digest_block(const std::uint8_t* block, std::array<std::uint32_t, 8>& state) {
  std::array<std::uint32_t, 64> words{};
  for (std::size_t i = 0; i < 64; ++i) {
    if (i < 16) {
      for (std::size_t byte = 0; byte < 4; ++byte)
        words[i] = words[i] << 8 | block[4 * i + byte];
      continue;
    }
    const std::uint32_t near = words[i - 15];
    const std::uint32_t far = words[i - 2];
    words[i] = words[i - 16] + words[i - 7] +
               (std::rotr(near, 7) ^ std::rotr(near, 18) ^ near >> 3) +
               (std::rotr(far, 17) ^ std::rotr(far, 19) ^ far >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t one = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                              ((e & f) ^ (~e & g)) + constants().rounds[i] + words[i];
    const std::uint32_t two =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + one;
    d = c, c = b, b = a, a = one + two;
  }
  const std::array<std::uint32_t, 8> added = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i)
    state[i] += added[i];
}

}  // namespace

std::int64_t Tensor::count() const {
  std::int64_t product = 1;
  for (const std::int64_t size : shape)
    product *= size;
  return product;
}

std::int64_t Tensor::offset(std::int64_t linear) const {
  std::int64_t elements = 0;
  for (std::size_t d = shape.size(); d-- > 0;) {
    elements += linear % shape[d] * strides[d];
    linear /= shape[d];
  }
  return elements;
}

std::size_t Tensor::place(std::int64_t linear) const {
  return origin + static_cast<std::size_t>(offset(linear)) * bytes_of(dtype);
}

std::uint64_t Tensor::bits(std::int64_t linear) const {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes_of(dtype); ++i)
    value |= std::to_integer<std::uint64_t>(bytes.at(place(linear) + i)) << 8 * i;
  return value;
}

void Tensor::set_bits(std::int64_t linear, std::uint64_t value) {
  for (std::size_t i = 0; i < bytes_of(dtype); ++i)
    bytes.at(place(linear) + i) = static_cast<std::byte>(value >> 8 * i & 255);
}

Reach reach_of(const Tensor& tensor) {
  Reach reach;
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    const std::int64_t offset = tensor.offset(i);
    if (i == 0 || offset < reach.first) reach.first = offset;
    if (i == 0 || offset >= reach.end) reach.end = offset + 1;
  }
  return reach;
}

double value_of(DType dtype, std::uint64_t bits) {
  switch (dtype) {
    case DType::f64:
      return std::bit_cast<double>(bits);
    case DType::f32:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case DType::bf16:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16)));
    case DType::f16:
      return half_of(bits);
    case DType::i32:
      return static_cast<double>(static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)));
    case DType::i64:
      return static_cast<double>(static_cast<std::int64_t>(bits));
    case DType::u8:
      return static_cast<double>(bits);
  }
  return 0;
}

Difference difference(const Tensor& actual, std::span<const double> expected, double relative,
                      double absolute) {
  Difference found;
  for (std::int64_t i = 0; i < actual.count(); ++i) {
    const std::uint64_t bits = actual.bits(i);
    const bool same = close(value_of(actual.dtype, bits), expected[static_cast<std::size_t>(i)],
                            relative, absolute);
    const bool is_poison = bits == poison_bits(actual.dtype);
    const bool unwritten = is_poison && (is_real(actual.dtype) || !same);
    if (same && !unwritten) continue;
    if (found.wrong == 0) found.first = i;
    ++found.wrong;
    found.unwritten += unwritten ? 1 : 0;
  }
  return found;
}

std::string digest(const Tensor& tensor) {
  constexpr std::uint64_t step = 11400714819323198485U;  // 2^64 divided by the golden ratio
  const auto count = static_cast<std::uint64_t>(tensor.count());
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < count; ++i)
    sum += mixed(tensor.bits(static_cast<std::int64_t>(i)) ^ (i + 1) * step);
  const auto kind = static_cast<std::uint64_t>(tensor.dtype);
  return fmt::format("{:016x}", mixed(sum ^ mixed(count * 8 + kind)));
}

std::string sha256(std::span<const std::byte> bytes) {
  std::array<std::uint32_t, 8> state = constants().begin;
  const std::vector<std::uint8_t> message = padded(bytes);
  for (std::size_t at = 0; at < message.size(); at += 64)
    digest_block(message.data() + at, state);
  std::string text;
  for (const std::uint32_t word : state)
    text += fmt::format("{:08x}", word);
  return text;
}

}  // namespace tunecheck::plain
