#include "core/expression.hpp"

#include <cmath>
#include <muParser.h>

namespace tunecheck {

Result<double> evaluate(const std::string& expression, const Variables& variables) {
  try {
    mu::Parser parser;
    parser.DefineOprt("%",
                      static_cast<mu::value_type (*)(mu::value_type, mu::value_type)>(std::fmod),
                      static_cast<int>(mu::prMUL_DIV), mu::oaLEFT, true);
    for (const auto& [name, value] : variables)
      parser.DefineConst(name, value);
    parser.SetExpr(expression);
    const double value = parser.Eval();
    if (!std::isfinite(value))
      return failure("\"{}\" is {}; expected a finite number", expression, value);
    return value;
  } catch (const mu::Parser::exception_type& error) {
    std::string known;
    for (const auto& [name, value] : variables)
      known += (known.empty() ? "" : ", ") + name;
    std::string message = error.GetMsg();
    if (message.ends_with('.')) message.pop_back();
    return failure("\"{}\": {}; known names: {}", expression, message, known);
  }
}

Result<std::int64_t> evaluate_size(const std::string& expression, const Variables& variables) {
  TUNECHECK_TRY(const double value, evaluate(expression, variables));
  if (!(value >= 0) || value > 9e15 || value != std::floor(value))
    return failure("\"{}\" is {}; expected a whole number of at least 0", expression, value);
  return static_cast<std::int64_t>(value);
}

}  // namespace tunecheck
