#include "core/expression.hpp"

#include <cmath>
#include <muParser.h>
#include <optional>

#include "core/expression_functions.hpp"

namespace tunecheck {
namespace {

// Each whole number up to it is a double.
constexpr double most_whole = 9e15;

bool is_whole(double value) {
  return std::abs(value) <= most_whole && value == std::floor(value);
}

// "n = 0, block = 64": what of `variables` the expression uses. It has been evaluated before.
std::string used_variables(const std::string& expression, const Variables& variables) {
  mu::Parser parser;
  define_functions(parser);
  Variables places = variables;
  for (auto& [name, value] : places)
    parser.DefineVar(name, &value);
  parser.SetExpr(expression);
  std::string text;
  for (const auto& [name, place] : parser.GetUsedVar())
    if (const auto found = variables.find(name); found != variables.end())
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, found->second);
  return text;
}

// Most of what kernel files say is a number or a name: a parser takes a hundred times as long to
// set up as it takes to look.
std::optional<double> evaluate_word(const std::string& expression, const Variables& variables) {
  if (const auto found = variables.find(expression); found != variables.end()) return found->second;
  constexpr std::size_t most_digits = 15;  // a double holds all of them
  const bool is_number = !expression.empty() && expression.size() <= most_digits &&
                         expression.find_first_not_of("0123456789") == expression.npos;
  if (!is_number) return std::nullopt;
  return std::stod(expression);
}

}  // namespace

Result<double> evaluate(const std::string& expression, const Variables& variables) {
  const std::optional<double> word = evaluate_word(expression, variables);
  if (word && std::isfinite(*word)) return *word;
  try {
    mu::Parser parser;
    define_functions(parser);
    for (const auto& [name, value] : variables)
      parser.DefineConst(name, value);
    parser.SetExpr(expression);
    const double value = parser.Eval();
    if (!std::isfinite(value)) {
      const std::string used = used_variables(expression, variables);
      return failure(ErrorKind::bad_input,
                     "\"{}\" is {}{}{}; expected a finite number: is something divided by 0? "
                     "max(1,...) keeps a divisor above 0",
                     expression, value, used.empty() ? "" : " with ", used);
    }
    return value;
  } catch (const mu::Parser::exception_type& error) {
    std::string known;
    for (const auto& [name, value] : variables)
      known += (known.empty() ? "" : ", ") + name;
    std::string message = error.GetMsg();
    if (message.ends_with('.')) message.pop_back();
    return failure(ErrorKind::bad_input, "\"{}\": {}; known names: {}", expression, message, known);
  }
}

Result<std::int64_t> evaluate_integer(const std::string& expression, const Variables& variables) {
  TUNECHECK_TRY(const double value, evaluate(expression, variables));
  if (!is_whole(value))
    return failure(ErrorKind::bad_input, "\"{}\" is {}; expected a whole number", expression,
                   value);
  return static_cast<std::int64_t>(value);
}

Result<std::int64_t> evaluate_size(const std::string& expression, const Variables& variables) {
  TUNECHECK_TRY(const double value, evaluate(expression, variables));
  if (!(value >= 0) || !is_whole(value))
    return failure(ErrorKind::bad_input, "\"{}\" is {}; expected a whole number of at {}",
                   expression, value, value > most_whole ? "most 9000000000000000" : "least 0");
  return static_cast<std::int64_t>(value);
}

}  // namespace tunecheck
