#include <type_traits>

#include <licit/checker/letter.hpp>

namespace licit::checker {

namespace {

void put(std::string& bytes, const std::string& text) {
  const std::size_t size = text.size();
  bytes.append(reinterpret_cast<const char*>(&size), sizeof(size));
  bytes += text;
}

template <class T>
void put(std::string& bytes, const T& value) {
  static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

template <class T>
bool get(std::string_view& bytes, T& value) {
  static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
  if (bytes.size() < sizeof(value)) return false;
  bytes.copy(reinterpret_cast<char*>(&value), sizeof(value));
  bytes.remove_prefix(sizeof(value));
  return true;
}

bool get(std::string_view& bytes, std::string& text) {
  std::size_t size = 0;
  if (!get(bytes, size) || bytes.size() < size) return false;
  text = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return true;
}

/// Every field of a letter, in one order for both ways.
template <class Letter, class Each>
bool each_field(Letter& l, Each each) {
  auto& v = l.found;
  return each(v.end) && each(v.executions) && each(v.blocked) && each(v.deadlocked) && each(v.stalled) &&
         each(v.seconds) && each(v.kind) && each(v.message) && each(v.trace) && each(v.rejected) && each(v.depth) &&
         each(v.pieces) && each(v.taken) && each(l.error);
}

}  // namespace

std::string packed(const letter& l) {
  std::string bytes;
  each_field(l, [&](const auto& field) {
    put(bytes, field);
    return true;
  });
  return bytes;
}

bool unpack(std::string_view bytes, letter& l) {
  return each_field(l, [&](auto& field) { return get(bytes, field); }) && bytes.empty();
}

}  // namespace licit::checker
