#include "shard.hpp"

#include <charconv>
#include <fmt/core.h>
#include <string_view>
#include <system_error>

namespace licit::tool {

namespace {

bool parse_number(std::string_view text, unsigned& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

std::string parse_shard(const std::string& text, checker::share& which) {
  const std::size_t slash = text.find('/');
  const std::string_view all = text;
  if (slash == std::string::npos || !parse_number(all.substr(0, slash), which.index) ||
      !parse_number(all.substr(slash + 1), which.count)) {
    return fmt::format("'{}': write i/n, as in 0/8", text);
  }
  if (which.count == 0 || which.count > most_shards) return fmt::format("{}: n is 1 to {}", text, most_shards);
  if (which.index >= which.count) return fmt::format("{}: i is 0 to {}", text, which.count - 1);
  return {};
}

}  // namespace licit::tool
