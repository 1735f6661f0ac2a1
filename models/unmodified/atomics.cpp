/// Atomic operations: the compiler hands them over, the engine says what they read.
///
/// A location is an address and a life: it begins when something that is not atomic is written there. It is made at its
/// first atomic access, with what memory then holds as its initial value, and memory keeps the newest value.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <unordered_map>

#include "reports.hpp"
#include "runtime.hpp"

namespace licit::unmodified {

namespace {

using name_text = std::array<char, 64>;

struct life {
  location_id location;
  std::unique_ptr<name_text> name;
};

struct atom {
  std::uint32_t in_execution = 0;
  unsigned size = 0;
  std::size_t life = 0;  ///< in this execution
  bool begun = false;
  event_id newest = initial;  ///< of its writes, in modification order
  std::vector<unmodified::life> lives = {};
};
std::unordered_map<address, atom> atoms;
std::uint32_t this_execution = 0;

/// Those of this execution, and what their lives began as.
struct met_atom {
  atom* what;
  address at;
};
struct beginning {
  location_id location;
  word value;
};
std::vector<met_atom> met;
std::vector<beginning> beginnings;

__extension__ using wide = unsigned __int128;

/// Sixteen bytes do not fit into a word: their values are numbered, equal values by equal numbers. That is enough for
/// all but arithmetic.
std::vector<wide> wide_values{0};
std::map<wide, word> wide_numbers{{0, 0}};

word number_of(wide value) {
  const auto [known, is_new] = wide_numbers.try_emplace(value, wide_values.size());
  if (is_new) wide_values.push_back(value);
  return known->second;
}

void* pointer(address a) { return reinterpret_cast<void*>(a); }  // NOLINT(performance-no-int-to-ptr)

/// The builtins, as their size is known: this library's own memcpy is for the program.
template <class T>
T value_at(address at) {
  T value{};
  __builtin_memcpy(&value, pointer(at), sizeof value);
  return value;
}
template <class T>
void put_at(address at, T value) {
  __builtin_memcpy(pointer(at), &value, sizeof value);
}

word peek(address at, unsigned size) {
  switch (size) {
    case sizeof(std::uint8_t): return value_at<std::uint8_t>(at);
    case sizeof(std::uint16_t): return value_at<std::uint16_t>(at);
    case sizeof(std::uint32_t): return value_at<std::uint32_t>(at);
    case sizeof(std::uint64_t): return value_at<std::uint64_t>(at);
    default: return number_of(value_at<wide>(at));
  }
}

void poke(address at, unsigned size, word value) {
  switch (size) {
    case sizeof(std::uint8_t): return put_at(at, static_cast<std::uint8_t>(value));
    case sizeof(std::uint16_t): return put_at(at, static_cast<std::uint16_t>(value));
    case sizeof(std::uint32_t): return put_at(at, static_cast<std::uint32_t>(value));
    case sizeof(std::uint64_t): return put_at(at, static_cast<std::uint64_t>(value));
    default: return put_at(at, wide_values[value]);
  }
}

/// The location of its life, which is made when there was none.
location_id location_of(atom& a, address at, unsigned size) {
  while (a.life >= a.lives.size()) {
    auto name = std::make_unique<name_text>();
    const checker::detail::look seen{.size = static_cast<std::uint8_t>(std::min<unsigned>(size, sizeof(word))),
                                     .name = name->data()};
    a.lives.push_back({engine().permanent({pointer(at), size}, seen), std::move(name)});
  }
  return a.lives[a.life].location;
}

/// With a life that has begun.
atom& begun(atom& a, address at, unsigned size) {
  if (a.in_execution != this_execution) {
    a.in_execution = this_execution;
    a.life = 0;
    a.begun = false;
    met.push_back({&a, at});
  }
  if (a.begun) return a;
  a.begun = true;
  a.size = size;
  a.newest = initial;
  beginnings.push_back({location_of(a, at, size), peek(at, size)});
  engine().set_initial(beginnings.back().location, beginnings.back().value);
  return a;
}

/// The order by the compiler's number for it; consume is acquire.
order order_of(int number) {
  constexpr std::array orders{order::relaxed, order::acquire, order::acquire,
                              order::release, order::acq_rel, order::seq_cst};
  return orders[static_cast<std::size_t>(std::clamp(number & 0x7fff, 0, 5))];
}

bool is_weaker(order a, order b) {
  if (a == b || a == order::seq_cst || b == order::relaxed) return false;
  return b == order::seq_cst || b == order::acq_rel || a == order::relaxed;
}

/// Several operations may have a site: one that has no stronger order than what is tried keeps its own.
void weaken(operation& op, site& s) {
  s.orders |= static_cast<std::uint8_t>(1U << static_cast<unsigned>(op.success));
  if (s.what == deed::compare_exchange)
    s.failures |= static_cast<std::uint8_t>(1U << static_cast<unsigned>(op.failure));
  const auto apply = [](order& now, int weakened) {
    if (weakened >= 0 && is_weaker(static_cast<order>(weakened), now)) now = static_cast<order>(weakened);
  };
  apply(op.success, s.weakened);
  apply(op.failure, s.weakened_failure);
}

bool has_sixteen = false;  ///< some atomic has

/// Whether what begins at a half of sixteen bytes overlaps them, or they overlap what begins at their second half.
bool overlaps_sixteen(address at, unsigned size) {
  has_sixteen = has_sixteen || size == sizeof(wide);
  if (!has_sixteen || (size != sizeof(wide) && at % sizeof(wide) == 0)) return false;
  const address other = size == sizeof(wide) ? at + sizeof(word) : at / sizeof(wide) * sizeof(wide);
  const auto known = atoms.find(other);
  if (known == atoms.end() || known->second.in_execution != this_execution || !known->second.begun) return false;
  return size == sizeof(wide) || known->second.size == sizeof(wide);
}

/// Those asked for of late, by the bits of the address.
struct recent_atom {
  address at = 0;
  atom* found = nullptr;
};
std::array<recent_atom, 256> recent_atoms;

atom& find_atom(address at) {
  recent_atom& last = recent_atoms[(at ^ at >> 8U) % recent_atoms.size()];
  if (last.at != at || last.found == nullptr) last = {at, &atoms[at]};
  return *last.found;
}

atom& atom_at(address at, unsigned size) { return begun(find_atom(at), at, size); }

}  // namespace

location_id locate(address at, unsigned size) {
  const atom& a = atom_at(at, size);
  return a.lives[a.life].location;
}

void begin_new_life(address at, std::size_t size) {
  for (address x = at - (sizeof(wide) - 1); x != at + size; ++x) {
    const auto known = atoms.find(x);
    if (known == atoms.end() || known->second.in_execution != this_execution || !known->second.begun) continue;
    if (x + known->second.size <= at) continue;
    ++known->second.life;
    known->second.begun = false;
  }
}

word newest_at(address at, unsigned size) {
  const inside in;
  return peek(at, size);
}

void name_locations() {
  for (auto& [at, a] : atoms) {
    const std::string place = place_name(at, true);
    for (std::size_t i = 0; i != a.lives.size(); ++i) {
      std::snprintf(a.lives[i].name->data(), a.lives[i].name->size(), i == 0 ? "%s" : "%s'%zu", place.c_str(), i);
    }
  }
}

void forget_atomics() {
  ++this_execution;
  met.clear();
  beginnings.clear();
}

void keep_atomics(image& in) {
  in.put(met);
  for (const auto& [a, at] : met) {
    in.put(a->size);
    in.put(a->life);
    in.put(a->begun);
    in.put(a->newest);
    in.put(a->begun ? peek(at, a->size) : 0);
  }
  in.put(beginnings);
}

/// With the newest values of those too that lie in memory that is not put back.
void put_back_atomics(image::reader& to) {
  forget_atomics();
  to.get(met);
  for (const auto& [a, at] : met) {
    a->in_execution = this_execution;
    to.get(a->size);
    to.get(a->life);
    to.get(a->begun);
    to.get(a->newest);
    word value = 0;
    to.get(value);
    if (a->begun) poke(at, a->size, value);
  }
  to.get(beginnings);
  for (const auto& [location, value] : beginnings) engine().set_initial(location, value);
}

void forget_locations() {
  forget_atomics();
  atoms.clear();
  recent_atoms.fill({});
}

std::vector<known_atomic> known_atomics() {
  std::vector<known_atomic> all;
  for (const auto& [at, a] : atoms) {
    for (std::size_t i = 0; i != a.lives.size(); ++i) all.push_back({a.lives[i].location, at, a.size, i});
  }
  std::ranges::sort(all, {}, &known_atomic::location);
  return all;
}

void make_atomic(address at, unsigned size, std::size_t life) {
  atom& a = atoms[at];
  a.size = size;
  a.life = life;
  (void)location_of(a, at, size);
}

namespace {

[[gnu::cold, gnu::noinline]] void refuse_overlap(address at, const site& s) {
  name_sites();
  refuse("accesses " + place_name(at) + " " + where(s) + " by atomics of different sizes: atomics that overlap");
}

/// The running thread's next event as reports number it: an update, which is two events of the engine, counts once.
unsigned next_number(const executor& e) {
  const checker::detail::graph& g = e.current();
  const auto done = g.thread(e.thread()).first(e.cursor());
  return static_cast<unsigned>(
      std::ranges::count_if(done, [&](event_id id) { return g[id].half != checker::detail::part::write; }));
}

}  // namespace

/// The operation stays where the caller has it, which is on a stack that images have.
answer perform_atomic(address at, unsigned size, operation&& op, site& s) {
  const bool writes = op.what != action::load;
  const bool may_fail = op.what == action::modify && op.how == change::compare_exchange;  // it is a load then
  note(at, size, writes && !may_fail ? touch::atomic_write : touch::atomic_read, s);
  atom& a = find_atom(at);
  if ((a.in_execution == this_execution && a.begun && a.size != size) || overlaps_sixteen(at, size)) {
    refuse_overlap(at, s);
  }
  weaken(op, s);
  op.location = begun(a, at, size).lives[a.life].location;
  op.mask = size >= sizeof(word) ? ~word{0} : (word{1} << (8 * size)) - 1;
  op.operand &= op.mask;
  op.expected &= op.mask;
  op.site = s.text.data();
  come_to(s);
  executor& e = engine();
  if (is_replayed()) licit_step(e.thread(), next_number(e));
  if (e.may_loop(op)) checker::detail::clear_stack_below();
  const answer result = e.access(op);
  // A store that is replayed is no success to the engine; it writes nevertheless.
  if (!writes || (op.what == action::modify && !result.success)) return result;
  // Who reads this event comes after the write.
  if (may_fail) note(at, size, touch::atomic_write, s, 1);
  begun(a, at, size);  // others ran meanwhile
  const checker::detail::graph& g = e.current();
  const event_id write = g.at(e.thread(), static_cast<unsigned>(e.cursor() - 1));
  if (a.newest == initial || g[write].rank > g[a.newest].rank) {
    a.newest = write;
    poke(at, size, g[write].value);
  }
  return result;
}

namespace {

/// What the compiler's calls come to: a value of `size` bytes, as a word.
[[gnu::noinline]] answer ask(const volatile void* at, unsigned size, operation&& op, deed what, const void* caller) {
  const inside in;
  return perform_atomic(reinterpret_cast<address>(at), size, std::move(op), site_of(caller, what));
}

template <class T>
word as_word(T value) {
  if constexpr (sizeof(T) == sizeof(wide)) {
    const inside in;
    return number_of(value);
  } else {
    return value;
  }
}
template <class T>
T from_word(word value) {
  if constexpr (sizeof(T) == sizeof(wide)) {
    return wide_values[value];
  } else {
    return static_cast<T>(value);
  }
}

void clear_for_loops() {
  if (engine().suspects_loops()) checker::detail::clear_stack_below();
}

template <class T>
T load(const volatile T* p, int o, const void* caller) {
  clear_for_loops();
  return from_word<T>(ask(p, sizeof(T), {.what = action::load, .success = order_of(o)}, deed::load, caller).value);
}
template <class T>
void store(volatile T* p, T value, int o, const void* caller) {
  clear_for_loops();
  ask(p, sizeof(T), {.what = action::store, .success = order_of(o), .operand = as_word(value)}, deed::store, caller);
}
template <class T>
T update(volatile T* p, change how, T value, int o, const void* caller) {
  clear_for_loops();
  return from_word<T>(ask(p, sizeof(T),
                          {.what = action::modify, .success = order_of(o), .how = how, .operand = as_word(value)},
                          deed::update, caller)
                          .value);
}
/// Six arguments: a seventh would lie on the stack, beside eight bytes that nobody writes, and rounds of a loop would
/// differ by them.
template <class T, bool Weak>
bool compare_exchange(volatile T* p, T* expected, T value, int o, int failure, const void* caller) {
  note_plain(expected, sizeof(T), touch::read, caller);
  clear_for_loops();
  const answer result = ask(p, sizeof(T),
                            {.what = action::modify,
                             .success = order_of(o),
                             .failure = order_of(failure),
                             .how = change::compare_exchange,
                             .weak = Weak,
                             .operand = as_word(value),
                             .expected = as_word(*expected)},
                            deed::compare_exchange, caller);
  if (result.success) return true;
  note_plain(expected, sizeof(T), touch::write, caller);
  *expected = from_word<T>(result.value);
  return false;
}

/// Outside of executions: with nobody else about.
template <class T>
bool exchange_alone(volatile T* p, T* expected, T value) {
  if (*p != *expected) {
    *expected = *p;
    return false;
  }
  *p = value;
  return true;
}
template <class T>
T set_alone(volatile T* p, T value) {
  const T before = *p;
  *p = value;
  return before;
}

void fence(int o, const void* caller) {
  const inside in;
  site& s = site_of(caller, deed::fence);
  operation op{.what = action::fence, .success = order_of(o)};
  weaken(op, s);
  come_to(s);
  if (op.success != order::relaxed) engine().fence(op.success, checker::detail::asymmetry::none, s.text.data());
}

}  // namespace

}  // namespace licit::unmodified

using namespace licit::unmodified;  // NOLINT(google-build-using-namespace): what follows is its interface

// NOLINTBEGIN(cppcoreguidelines-macro-usage): functions that differ in their names only
#define LICIT_UPDATE(BITS, T, NAME, HOW, ALONE)                                                        \
  LICIT_INTERPOSED T __tsan_atomic##BITS##_##NAME(volatile T* p, T value, int o) {                     \
    return is_explored() ? update<T>(p, change::HOW, value, o, LICIT_CALLER) : set_alone<T>(p, ALONE); \
  }
#define LICIT_COMPARE(BITS, T, STRENGTH, WEAK)                                                                        \
  LICIT_INTERPOSED bool __tsan_atomic##BITS##_compare_exchange_##STRENGTH(volatile T* p, T* expected, T value, int o, \
                                                                          int failure) {                              \
    return is_explored() ? compare_exchange<T, WEAK>(p, expected, value, o, failure, LICIT_CALLER)                    \
                         : exchange_alone<T>(p, expected, value);                                                     \
  }
#define LICIT_ATOMIC(BITS, T)                                                                              \
  LICIT_INTERPOSED T __tsan_atomic##BITS##_load(const volatile T* p, int o) {                              \
    return is_explored() ? load<T>(p, o, LICIT_CALLER) : *p;                                               \
  }                                                                                                        \
  LICIT_INTERPOSED void __tsan_atomic##BITS##_store(volatile T* p, T value, int o) {                       \
    if (is_explored()) return store<T>(p, value, o, LICIT_CALLER);                                         \
    *p = value;                                                                                            \
  }                                                                                                        \
  LICIT_UPDATE(BITS, T, exchange, exchange, value)                                                         \
  LICIT_COMPARE(BITS, T, strong, false)                                                                    \
  LICIT_COMPARE(BITS, T, weak, true)                                                                       \
  LICIT_INTERPOSED T __tsan_atomic##BITS##_compare_exchange_val(volatile T* p, T expected, T value, int o, \
                                                                int failure) {                             \
    is_explored() ? compare_exchange<T, false>(p, &expected, value, o, failure, LICIT_CALLER)              \
                  : exchange_alone<T>(p, &expected, value);                                                \
    return expected;                                                                                       \
  }
#define LICIT_ARITHMETIC(BITS, T)                                        \
  LICIT_UPDATE(BITS, T, fetch_add, add, static_cast<T>(*p + value))      \
  LICIT_UPDATE(BITS, T, fetch_sub, subtract, static_cast<T>(*p - value)) \
  LICIT_UPDATE(BITS, T, fetch_and, bit_and, static_cast<T>(*p & value))  \
  LICIT_UPDATE(BITS, T, fetch_or, bit_or, static_cast<T>(*p | value))    \
  LICIT_UPDATE(BITS, T, fetch_xor, bit_xor, static_cast<T>(*p ^ value))
LICIT_ATOMIC(8, std::uint8_t)
LICIT_ATOMIC(16, std::uint16_t)
LICIT_ATOMIC(32, std::uint32_t)
LICIT_ATOMIC(64, std::uint64_t)
LICIT_ATOMIC(128, wide)
LICIT_ARITHMETIC(8, std::uint8_t)
LICIT_ARITHMETIC(16, std::uint16_t)
LICIT_ARITHMETIC(32, std::uint32_t)
LICIT_ARITHMETIC(64, std::uint64_t)

// There is no fetch_nand in the engine.
#define LICIT_NAND(BITS, T)                                                          \
  LICIT_INTERPOSED T __tsan_atomic##BITS##_fetch_nand(volatile T* p, T value, int) { \
    if (is_explored()) {                                                             \
      const inside in;                                                               \
      refuse("calls __atomic_fetch_nand");                                           \
    }                                                                                \
    return set_alone<T>(p, static_cast<T>(~(*p & value)));                           \
  }
LICIT_NAND(8, std::uint8_t)
LICIT_NAND(16, std::uint16_t)
LICIT_NAND(32, std::uint32_t)
LICIT_NAND(64, std::uint64_t)
// NOLINTEND(cppcoreguidelines-macro-usage)

LICIT_INTERPOSED void __tsan_atomic_thread_fence(int o) {
  if (is_explored()) fence(o, LICIT_CALLER);
}

/// The light fence of the pair of which membarrier is the heavy one.
LICIT_INTERPOSED void __tsan_atomic_signal_fence(int o) {
  if (!is_explored() || order_of(o) != licit::order::seq_cst) return;
  const inside in;
  engine().fence(licit::order::relaxed, licit::checker::detail::asymmetry::light, site_of(LICIT_CALLER).text.data());
}
