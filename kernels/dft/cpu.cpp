// y(p, k) = sum over r and j of x(r, j) * exp(sign * 2 pi i (r p / rows + j k / cols)): the rows
// first, and then the columns of what came of them.
//
// A line of n numbers is split into RADIX lines where RADIX divides n, or else into as many as the
// least prime that does (Cooley and Tukey). RADIX 1 splits nothing. With TABLE the factors come
// from a table that is made for the launch. A line is copied before it is overwritten, so that y
// may be x.
#include <tunecheck/cpu_kernel.h>

namespace {

struct Complex {
  double real, imaginary;
};
Complex operator+(Complex a, Complex b) {
  return {a.real + b.real, a.imaginary + b.imaginary};
}
Complex operator*(Complex a, Complex b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}

// Owned by one launch.
struct Numbers {
  explicit Numbers(int64_t count) : data(new Complex[static_cast<size_t>(count)]) {}
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;
  ~Numbers() { delete[] data; }

  Complex* data;
};

// The powers of exp(sign * 2 pi i / length).
class Powers {
 public:
  Powers(int64_t length, double sign)
      : m_length(length), m_sign(sign), m_table(TABLE == 0 ? 0 : length) {
    if (TABLE != 0)
      for (int64_t j = 0; j < length; ++j)
        m_table.data[j] = power(j);
  }

  Complex operator()(int64_t j) const { return TABLE == 0 ? power(j) : m_table.data[j]; }

 private:
  Complex power(int64_t j) const {
    const double angle =
        m_sign * 6.283185307179586477 * static_cast<double>(j) / static_cast<double>(m_length);
    return {__builtin_cos(angle), __builtin_sin(angle)};
  }

  int64_t m_length;
  double m_sign;
  Numbers m_table;
};

int64_t parts_of(int64_t length) {
  if (RADIX == 1) return length;
  if (RADIX == 4 && length % 4 == 0) return 4;
  for (int64_t prime = 2; prime * prime <= length; ++prime)
    if (length % prime == 0) return prime;
  return length;
}

// Transforms `length` numbers that lie `step` apart; length * step is the length of the powers.
// `scratch` has room for `length` numbers.
void transform(const Powers& powers, const Complex* in, int64_t step, Complex* out, int64_t length,
               Complex* scratch) {
  const int64_t parts = parts_of(length);
  const int64_t part = length / parts;
  if (part == 1) {
    for (int64_t k = 0; k < length; ++k) {
      Complex sum = in[0];
      for (int64_t j = 1; j < length; ++j)
        sum = sum + in[j * step] * powers(j * k % length * step);
      out[k] = sum;
    }
    return;
  }
  for (int64_t q = 0; q < parts; ++q)
    transform(powers, in + q * step, step * parts, out + q * part, part, scratch);
  for (int64_t k = 0; k < part; ++k) {
    for (int64_t q = 0; q < parts; ++q)
      scratch[q] = out[q * part + k] * powers(q * k * step);
    for (int64_t p = 0; p < parts; ++p) {
      Complex sum = scratch[0];
      for (int64_t q = 1; q < parts; ++q)
        sum = sum + scratch[q] * powers(p * q % parts * part * step);
      out[p * part + k] = sum;
    }
  }
}

// Room for one line, and what it is transformed with.
class Line {
 public:
  Line(int64_t length, double sign)
      : m_length(length), m_powers(length, sign), m_in(length), m_out(length), m_scratch(length) {}

  // Numbers lie `step` apart, and their imaginary parts `part` behind the real ones.
  void transform_line(const double* from, int64_t from_step, int64_t from_part, double* to,
                      int64_t to_step, int64_t to_part) const {
    for (int64_t j = 0; j < m_length; ++j)
      m_in.data[j] = {from[j * from_step], from[j * from_step + from_part]};
    transform(m_powers, m_in.data, 1, m_out.data, m_length, m_scratch.data);
    for (int64_t j = 0; j < m_length; ++j) {
      to[j * to_step] = m_out.data[j].real;
      to[j * to_step + to_part] = m_out.data[j].imaginary;
    }
  }

 private:
  int64_t m_length;
  Powers m_powers;
  Numbers m_in, m_out, m_scratch;
};

}  // namespace

void dft(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y, long sign) {
  const int64_t rows = x.size(0);
  const int64_t cols = x.size(1);
  if (rows == 0 || cols == 0) return;
  const Line row(cols, static_cast<double>(sign));
  for (int64_t r = 0; r < rows; ++r)
    row.transform_line(&x(r, 0, 0), x.stride(1), x.stride(2), &y(r, 0, 0), y.stride(1),
                       y.stride(2));
  if (rows == 1) return;
  const Line column(rows, static_cast<double>(sign));
  for (int64_t c = 0; c < cols; ++c)
    column.transform_line(&y(0, c, 0), y.stride(0), y.stride(2), &y(0, c, 0), y.stride(0),
                          y.stride(2));
}
TUNECHECK_KERNEL(dft)
