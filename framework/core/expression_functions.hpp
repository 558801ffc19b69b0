#pragma once
// What expressions have beside muParser's own; for the two files that make parsers.
#include <cmath>
#include <muParser.h>

namespace tunecheck {

inline void define_functions(mu::Parser& parser) {
  const auto remainder = [](mu::value_type a, mu::value_type b) { return std::fmod(a, b); };
  const auto ceil_div = [](mu::value_type a, mu::value_type b) { return std::ceil(a / b); };
  parser.DefineOprt("%", +remainder, static_cast<int>(mu::prMUL_DIV), mu::oaLEFT, true);
  parser.DefineFun("ceil_div", +ceil_div);
}

}  // namespace tunecheck
