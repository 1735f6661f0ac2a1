#include "show/words.hpp"

#include <array>
#include <bit>
#include <cstdio>

namespace licit::checker::detail {

namespace {

std::string made_by(unsigned maker, unsigned number) {
  return (maker == main_thread ? "" : std::to_string(maker) + ".") + std::to_string(number);
}

/// Whether they may be places of one array: the same name, or, in a block, a name that nobody has given as yet.
bool equals(const location& a, const location& b) {
  if (a.block != b.block || a.maker != b.maker || a.atomic != b.atomic || a.seen.place != b.seen.place) return false;
  if (a.seen.values != b.seen.values || a.seen.size != b.seen.size) return false;
  if (b.seen.name == nullptr) return a.block != no_block;
  return std::string_view(a.seen.name) == b.seen.name;
}

/// Its index among its equals; empty if it has none.
std::string place_among_equals(const memory& m, location_id l) {
  const location& place = m.location_at(l);
  unsigned before = 0;
  bool alone = true;
  for (std::size_t i = 0; i != m.locations(); ++i) {
    const location& other = m.location_at(static_cast<location_id>(i));
    if (i == l || !m.constructed(static_cast<location_id>(i)) || !equals(place, other)) continue;
    alone = false;
    before += other.number < place.number ? 1U : 0U;
  }
  return alone ? "" : "[" + std::to_string(before) + "]";
}

/// With its index; not with its block.
std::string given_name(const memory& m, location_id l) {
  const location& place = m.location_at(l);
  if (place.seen.place != look::alone) return place.seen.name + ("[" + std::to_string(place.seen.place) + "]");
  return place.seen.name + place_among_equals(m, l);
}

std::string hexadecimal(word value) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%#llx", static_cast<unsigned long long>(value));
  return text.data();
}

std::string real(const look& as, word value) {
  std::array<char, 32> text{};
  const double number = as.size == sizeof(float)
                            ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value)))
                            : std::bit_cast<double>(value);
  std::snprintf(text.data(), text.size(), "%g", number);
  return text.data();
}

/// An address by what is there; empty if that is nothing of the program's.
std::string pointee(const memory& m, word value) {
  const auto* const address = reinterpret_cast<const std::byte*>(value);  // NOLINT(performance-no-int-to-ptr)
  const block_id b = m.around(address);
  if (b != no_block && m.at(b).address == address) return "&" + block_name(m.at(b));
  for (std::size_t l = 0; l != m.locations(); ++l) {
    if (m.constructed(static_cast<location_id>(l)) &&
        m.location_at(static_cast<location_id>(l)).bytes.begin == address) {
      return "&" + short_name(m, static_cast<location_id>(l));
    }
  }
  if (b == no_block) return "";
  return "&" + block_name(m.at(b)) + "+" + std::to_string(address - m.at(b).address);
}

word widened(const look& as, word value) {
  const unsigned unused = as.size == 0 ? 0 : 8 * static_cast<unsigned>(sizeof(word) - as.size);
  return static_cast<word>(static_cast<std::int64_t>(value << unused) >> unused);
}

}  // namespace

std::string thread_name(unsigned thread) {
  return thread == main_thread ? "the main thread" : std::string("thread ").append(std::to_string(thread));
}

std::string block_name(const block& b) { return "B" + made_by(b.maker, b.number); }

std::string location_name(const memory& m, location_id l) {
  const location& place = m.location_at(l);
  if (place.seen.name != nullptr) return short_name(m, l);
  return std::string(place.atomic ? "atomic " : "plain cell ") + std::to_string(place.number) + " of " +
         thread_name(place.maker);
}

std::string short_name(const memory& m, location_id l) {
  const location& place = m.location_at(l);
  const std::string block = place.block == no_block ? "" : block_name(m.at(place.block)) + ".";
  if (place.seen.name != nullptr) return block + given_name(m, l);
  return (place.atomic ? "atomic " : "cell ") + made_by(place.maker, place.number);
}

std::string value_text(const memory& m, const look& as, word value) {
  constexpr word long_number = 1'000'000'000;
  switch (as.values) {
    case shape::hidden: return "";
    case shape::real: return real(as, value);
    case shape::integer: {
      const word number = widened(as, value);
      const auto as_signed = static_cast<std::int64_t>(number);
      if (number < long_number || word{0} - number < long_number) return std::to_string(as_signed);
      break;
    }
    case shape::pointer:
      if (value == 0) return "null";
      break;
    case shape::natural:
    case shape::bytes: break;
  }
  if (const std::string there = pointee(m, value); !there.empty()) return there;
  if (as.values == shape::pointer) return "an address";  // which one differs from run to run
  return value < long_number ? std::to_string(value) : hexadecimal(value);
}

std::string action_of(const operation& op) {
  constexpr std::array<std::string_view, 18> names{"read",      "write",   "read",     "fence",     "read",  "write",
                                                   "construct", "destroy", "allocate", "free",      "start", "begin",
                                                   "end",       "join",    "wake up",  "overwrite", "guess", "commit"};
  if (op.what == action::modify) {
    if (op.how == change::sleep) return "sleep";
    if (op.how == change::wake_one) return "notify one";
    if (op.how == change::wake_all) return "notify all";
  }
  return std::string(names[static_cast<std::size_t>(op.what)]);
}

std::string describe(const operation& op, const memory& m) {
  std::string text = op.site != nullptr ? std::string(op.site) : action_of(op);
  if (op.what == action::allocate || op.what == action::release) return text + " block " + std::to_string(op.location);
  if (m.known(op.location)) text.append(" [").append(location_name(m, op.location)).append("]");
  return text;
}

std::string outside_brackets(std::string_view function) {
  std::string all;
  int depth = 0;
  for (const char c : function) {
    if (c == '<' || c == '(') ++depth;
    if (depth == 0) all += c;
    if (c == '>' || c == ')') --depth;
  }
  return all;
}

}  // namespace licit::checker::detail
