#include "core/parsed_expression.hpp"

#include <algorithm>
#include <cmath>
#include <muParser.h>
#include <string_view>

#include "core/expression_functions.hpp"

namespace tunecheck {

struct ParsedExpression::Parser {
  std::string text;
  Variables constants;
  std::vector<std::string> names;
  std::vector<double> values;  // where the parser reads the variables; never moves
  mu::Parser parser;
};

namespace {

// True where it holds "=" for "==", which would change a variable.
bool assigns(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    if (i + 1 < text.size() && text[i + 1] == '=')
      ++i;
    else if (i == 0 || std::string_view("<>!").find(text[i - 1]) == std::string_view::npos)
      return true;
  }
  return false;
}

}  // namespace

ParsedExpression::ParsedExpression(std::string text, Variables constants,
                                   std::vector<std::string> variables)
    : m_parser(std::make_unique<Parser>()) {
  Parser& own = *m_parser;
  own.text = std::move(text);
  own.constants = std::move(constants);
  own.names = std::move(variables);
  own.values.resize(own.names.size());
  for (const std::string& name : own.names)
    own.constants.erase(name);
  try {
    define_functions(own.parser);
    for (std::size_t i = 0; i < own.names.size(); ++i)
      own.parser.DefineVar(own.names[i], &own.values[i]);
    for (const auto& [name, value] : own.constants)
      own.parser.DefineConst(name, value);
    own.parser.SetExpr(own.text);
    if (assigns(own.text)) own.parser = mu::Parser();  // evaluate() refuses it
  } catch (const mu::Parser::exception_type&) {
    own.parser = mu::Parser();  // has no expression, so that evaluate() says what is wrong
  }
}

ParsedExpression::ParsedExpression(ParsedExpression&&) noexcept = default;
ParsedExpression& ParsedExpression::operator=(ParsedExpression&&) noexcept = default;
ParsedExpression::~ParsedExpression() = default;

Result<double> ParsedExpression::evaluate(std::span<const double> values) {
  Parser& own = *m_parser;
  std::copy(values.begin(), values.end(), own.values.begin());
  try {
    const double value = own.parser.Eval();
    if (std::isfinite(value)) return value;
  } catch (const mu::Parser::exception_type&) {
    // Said below.
  }
  Variables all = own.constants;
  for (std::size_t i = 0; i < own.names.size(); ++i)
    all[own.names[i]] = own.values[i];
  return tunecheck::evaluate(own.text, all);
}

}  // namespace tunecheck
