#include "reports/html/html_pack.hpp"

#include <cmath>

namespace tunecheck {
namespace {

using Kind = TypeDescription::Kind;

// 12.0 is two characters longer than 12.
HtmlJson packed_number(const HtmlJson& number) {
  if (!number.is_number_float()) return number;
  const auto value = number.get<double>();
  if (std::abs(value) < 1e15 && value == std::floor(value)) return static_cast<std::int64_t>(value);
  return number;
}

HtmlJson packed(const TypeDescription& type, const HtmlJson& value, HtmlTexts& texts) {
  switch (type.kind) {
    case Kind::text:
      return texts.place_of(value.get<std::string>());
    case Kind::truth:
      return value.get<bool>() ? 1 : 0;
    case Kind::whole:
    case Kind::number:
      return type.is_rough ? html_microseconds(value.get<double>()) : packed_number(value);
    case Kind::list: {
      HtmlJson list = HtmlJson::array();
      for (const HtmlJson& item : value)
        list.push_back(packed(type.item.front(), item, texts));
      return list;
    }
    case Kind::dictionary: {
      HtmlJson object = HtmlJson::object();
      for (const auto& [name, item] : value.items())
        object[html_text(name, 200)] = packed(type.item.front(), item, texts);
      return object;
    }
    case Kind::object:
      return html_pack(*type.object, value, texts);
  }
  return {};
}

// null is something: a number that is not known.
bool is_nothing(const HtmlJson& value) {
  return value.is_number() ? value == 0 : value.is_structured() && value.empty();
}

}  // namespace

HtmlJson html_pack(const ObjectDescription& described, const HtmlJson& object, HtmlTexts& texts) {
  HtmlJson list = HtmlJson::array();
  std::size_t size = 0;  // up to the last that is something
  for (const FieldDescription& field : described.fields) {
    const auto found = object.find(field.name);
    const bool is_there = found != object.end();
    list.push_back(is_there ? packed(field.type, *found, texts) : HtmlJson());
    if (is_there && !is_nothing(list.back())) size = list.size();
  }
  list.get_ref<HtmlJson::array_t&>().resize(size);
  return list;
}

}  // namespace tunecheck
