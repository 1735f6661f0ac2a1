/// A string as JSON has it.
#ifndef LICIT_SCHEDULER_JSON_STRING_HPP
#define LICIT_SCHEDULER_JSON_STRING_HPP

#include <string>
#include <string_view>

namespace licit::inline v0::detail {

/// With its quotes (RFC 8259, section 7). Bytes of 0x80 and more are as they are: UTF-8 if the text is.
inline std::string json_string(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string made = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      made += '\\';
      made += c;
    } else if (byte < 0x20) {
      made += "\\u00";
      made += digits[byte >> 4];
      made += digits[byte & 15];
    } else {
      made += c;
    }
  }
  return made + '"';
}

}  // namespace licit::inline v0::detail

#endif
