/// Who has done what to the program's memory: races, and uses of what is freed.
///
/// Accesses that are not atomic need no place in the execution graph. If none races, every order of the events that
/// agrees with program order and reads-from leaves the right values in memory, and the engine runs the threads in such
/// an order. So an access is compared with those before it, by the clock that its thread has at its place in the graph.
#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <sys/mman.h>

#include "reports.hpp"
#include "runtime.hpp"
#include "show/picture.hpp"
#include "show/words.hpp"

namespace licit::unmodified {

namespace {

/// Of eight bytes: the place among the entries.
using cell = std::uint32_t;

/// One access to some of eight bytes, in one word: where in the program, and what.
class record {
 public:
  record() = default;
  /// `next`: the index of the thread's event that comes next.
  record(const site& s, std::size_t next, unsigned thread, touch how)
      : word_{(next & 0xffff) | thread << 16U | std::uint64_t{static_cast<std::uint8_t>(how)} << 32U |
              std::uint64_t{s.number} << deed_bits} {}

  /// The same of these bytes of the eight; it has none before.
  [[nodiscard]] record of_bytes(std::size_t first, std::size_t size) const {
    record r = *this;
    r.word_ |= sets_of_bytes[first][size];
    return r;
  }
  [[nodiscard]] const site& where() const { return site_at(static_cast<std::uint32_t>(word_ >> deed_bits)); }
  [[nodiscard]] unsigned next() const { return word_ & 0xffff; }
  [[nodiscard]] unsigned thread() const { return word_ >> 16U & 0xff; }
  [[nodiscard]] unsigned bytes() const { return word_ >> 24U & 0xff; }  ///< a bit each
  [[nodiscard]] touch how() const { return static_cast<touch>(word_ >> 32U & 0xff); }

  [[nodiscard]] bool does_as(record r) const { return (word_ ^ r.word_) << site_bits == 0; }
  /// The same, or another time.
  [[nodiscard]] bool is_like(record r) const { return (word_ ^ r.word_) << site_bits >> (site_bits + 16) == 0; }

 private:
  /// By the first byte and their number.
  static constexpr auto sets_of_bytes = [] {
    std::array<std::array<std::uint32_t, 9>, 8> sets{};
    for (unsigned first = 0; first != sets.size(); ++first) {
      for (unsigned size = 0; first + size <= 8; ++size) sets[first][size] = ((1U << size) - 1) << first << 24U;
    }
    return sets;
  }();
  static constexpr unsigned site_bits = 24;
  static constexpr unsigned deed_bits = 64 - site_bits;
  static_assert(std::uint32_t{1} << site_bits == most_sites);
  std::uint64_t word_ = 0;
};

/// What was done to eight bytes in this execution.
struct entry {
  cell* of;
  std::uint8_t count;
  std::uint8_t ways;   ///< how the records touch it, a bit each
  std::uint8_t owner;  ///< the thread that has all records, none of which frees; nobody: there is none
  std::uint8_t part;   ///< the number of the part that the cell is of
  std::uint32_t more;  ///< which of `rests` has the records that have no room here, and 1
  static constexpr std::uint8_t nobody = 0xff;
  static constexpr std::size_t room = 6;
  static constexpr std::size_t most = 15;
  std::array<record, room> first;
};
using rest = std::array<record, entry::most - entry::room>;

/// What one thread read before another wrote there: a report says of a thread that sleeps what it has not seen.
struct overwritten {
  const cell* of;
  record read;
  record write;
};

/// All entries, one after another, so that an image copies them as they are. A cell has one if that says so.
std::vector<entry> entries;
std::vector<rest> rests;
std::vector<overwritten> overwritten_reads;  ///< the last of each cell and reader

constexpr std::size_t cell_size = 8;

struct part {
  address begin;
  address end;
  cell* cells;
  std::uint8_t number;
  std::string name;

  [[nodiscard]] cell& cell_of(address at) const { return cells[(at - begin) / cell_size]; }
};
std::vector<part> parts;
/// Who has called __tsan_init: each part of the program, and each library, that has the instrumentation.
std::array<const void*, 64> initialised;
std::size_t times_initialised = 0;

/// The part that an address of a page was in last.
struct seen_page {
  address number = ~address{0};  ///< no page has that
  const part* in = nullptr;
};
constexpr std::size_t page_size = 4096;
constexpr unsigned seen_bits = 10;
std::array<seen_page, std::size_t{1} << seen_bits> seen_pages;
/// Threads' memory lies at multiples of large powers of two: the last bits of a page's number are the same in all.
std::size_t place_of_page(address number) { return (number * 0x9e3779b97f4a7c15) >> (64 - seen_bits); }
/// Pages that have no part, such as those of constants.
std::array<address, 64> pages_of_none;

[[gnu::noinline]] const part* find_part(address a) {
  const address page = a / page_size;
  address& of_none = pages_of_none[page % pages_of_none.size()];
  if (page != 0 && of_none == page) return nullptr;
  const auto found = std::ranges::find_if(parts, [&](const part& p) { return a >= p.begin && a < p.end; });
  if (found != parts.end()) {
    seen_pages[place_of_page(page)] = {page, &*found};
    return &*found;
  }
  const auto is_here = [&](const part& p) { return p.begin / page_size <= page && page <= (p.end - 1) / page_size; };
  if (std::ranges::none_of(parts, is_here)) of_none = page;
  return nullptr;
}

void forget_pages() {
  seen_pages.fill({});
  pages_of_none.fill(0);
}

/// Null where it is not known as yet.
const part* part_seen(address a) {
  const seen_page& last = seen_pages[place_of_page(a / page_size)];
  const bool is_here = last.number == a / page_size && a >= last.in->begin && a < last.in->end;
  return is_here ? last.in : nullptr;
}

const part* part_of(address a) {
  const part* const seen = part_seen(a);
  return seen != nullptr ? seen : find_part(a);
}

const char* verb(touch how) {
  switch (how) {
    case touch::read: return "read";
    case touch::write: return "write";
    case touch::atomic_read: return "atomic read";
    case touch::atomic_write: return "atomic write";
    case touch::free: return "free";
  }
  return "";
}

constexpr unsigned all_bytes = 0xff;  ///< of eight, a bit each

/// Sets of ways to touch memory, a bit each.
constexpr unsigned bit(touch how) { return 1U << static_cast<unsigned>(how); }
constexpr unsigned plain_ways = bit(touch::read) | bit(touch::write);
constexpr unsigned atomics = bit(touch::atomic_read) | bit(touch::atomic_write);
constexpr unsigned all_ways = 2 * bit(touch::free) - 1;

bool is_atomic(touch how) { return (bit(how) & atomics) != 0; }

/// What each of them conflicts with: one of two is no read, and one is not atomic.
constexpr std::array conflicts{all_ways & ~(bit(touch::read) | bit(touch::atomic_read)), all_ways,
                               all_ways & ~(bit(touch::read) | atomics), all_ways & ~atomics, all_ways};
bool conflict(touch a, touch b) { return (conflicts[static_cast<std::size_t>(a)] & bit(b)) != 0; }

/// What each makes of no use, if it covers it and is ordered after it: what conflicts with no more than it does.
constexpr std::array outdated{bit(touch::read), all_ways, bit(touch::atomic_read), atomics, all_ways};

struct access {
  address at;
  std::size_t size;
  touch how;
  const site& where_;
};

/// One of several cells begins elsewhere: its place is the first byte that both touch.
bool is_of_several_cells(const access& a) { return a.at % cell_size + a.size > cell_size; }

std::string sentence(const access& a) {
  const std::string at = place_name(a.at);
  const std::string size = std::to_string(a.size);
  std::string what = " of " + size + " bytes at " + at;
  if (is_of_several_cells(a)) what = " of " + size + " bytes, " + at + " among them";
  if (a.how == touch::free) what = " " + at;
  return std::string(": ") + verb(a.how) + what + " " + where(a.where_);
}

std::string by(const record& r) {
  return std::string(verb(r.how())) + " by " + checker::detail::thread_name(r.thread()) + " " + where(r.where());
}

/// As a picture shows it, where it is no event.
checker::detail::plain_access shown(const record& r, address at, std::string remark) {
  return {.thread = r.thread(),
          .before = r.next(),
          .action = verb(r.how()),
          .site = r.where().text.data(),
          .location = place_name(at, true),
          .remark = std::move(remark)};
}

/// The two places are the offence. An atomic access is an event; what is not is shown beside the events.
void report_race(const access& a, const record& r) {
  name_sites();
  executor& e = engine();
  static std::vector<std::unique_ptr<std::string>> names;
  names.push_back(std::make_unique<std::string>(place_name(a.at, true)));
  const checker::detail::look seen{.values = checker::detail::shape::hidden, .name = names.back()->c_str()};
  constexpr std::array actions{action::plain_read, action::plain_write, action::load, action::store,
                               action::plain_write};
  const operation next{.what = actions[static_cast<std::size_t>(a.how)],
                       .thread = static_cast<std::uint8_t>(e.thread()),
                       .success = order::relaxed,
                       .location = e.permanent({}, seen),
                       .site = a.where_.text.data()};
  offence whose{{}, &next};
  if (is_atomic(r.how())) {
    whose.events.push_back(e.current().at(r.thread(), r.next()));
  } else if (r.next() != 0) {
    checker::detail::plain_access first = shown(r, a.at, "");
    first.races = true;
    checker::detail::show_also(std::move(first));
  }
  object(violation::race, sentence(a) + ", unordered with the " + by(r), whose);
}

/// Violates, or not. Not inlined: the frames of what is done for every access are small, and soon cleared.
[[gnu::noinline]] void compare(access a, const record& r, unsigned bytes, bool ordered) {
  if (is_of_several_cells(a)) {
    a.at = a.at / cell_size * cell_size + static_cast<unsigned>(std::countr_zero(r.bytes() & bytes));
  }
  if (is_atomic(a.how) && is_atomic(r.how()) && r.bytes() != bytes) {
    name_sites();
    refuse(sentence(a) + ", in another size or at another address than the " + by(r) + ": atomics that overlap");
  }
  if (!conflict(a.how, r.how())) return;
  if (!ordered) report_race(a, r);
  if (r.how() != touch::free) return;
  name_sites();
  if (a.how == touch::free) object(violation::bad_free, sentence(a) + ", a second time after the " + by(r));
  object(violation::use_after_free, sentence(a) + ", after the " + by(r));
}

[[gnu::noinline]] void refuse_more(address at) {
  refuse("accesses 8 bytes in more ways than are remembered, at " + place_name(at));
}

/// Null where nothing was done.
entry* entry_of(const cell& c) {
  entry* const e = entries.data() + c;
  return e < std::to_address(entries.end()) && e->of == &c ? e : nullptr;
}

record& record_of(entry& e, std::size_t i) { return i < entry::room ? e.first[i] : rests[e.more - 1][i - entry::room]; }

[[gnu::noinline]] void add_entry(const part& in, cell& c, record mine) {
  c = static_cast<cell>(entries.size());
  entry& e = entries.emplace_back();
  e.of = &c;
  e.count = 1;
  e.ways = static_cast<std::uint8_t>(bit(mine.how()));
  e.owner = mine.how() == touch::free ? entry::nobody : static_cast<std::uint8_t>(mine.thread());
  e.part = in.number;
  e.first[0] = mine;
}

/// A read that another thread's write follows.
bool is_of_another(record read, record write) {
  return write.how() == touch::write && read.how() == touch::read && read.thread() != write.thread();
}

[[gnu::noinline]] void remember_read(const cell* of, record read, record write) {
  const auto known = std::ranges::find_if(
      overwritten_reads, [&](const overwritten& o) { return o.of == of && o.read.thread() == read.thread(); });
  if (known == overwritten_reads.end()) {
    overwritten_reads.push_back({of, read, write});
  } else {
    *known = {of, read, write};
  }
}

/// What was done here by the same thread since its last event, or by the only thread that was here. False: another.
inline bool note_again(entry& e, record mine) {
  if (e.count > entry::room || (e.ways & bit(touch::free)) != 0) return false;
  record* r = e.first.data();
  const record* const end = r + e.count;
  while (!r->is_like(mine)) {
    if (++r == end) return false;
  }
  const bool mixed = (e.ways & atomics) != 0 && (e.ways & ~atomics) != 0;  // an atomic's life may end
  if (!r->does_as(mine) && (e.owner != mine.thread() || mixed)) return false;
  *r = mine;
  return true;
}

/// The same as `note_beside`, where nothing is wrong and no life of an atomic ends. False: it may not be so.
inline bool note_ordered(entry& e, record mine) {
  const bool atomic = is_atomic(mine.how());
  if (e.count >= entry::room || (e.ways & (atomic ? bit(touch::free) : ~plain_ways)) != 0) return false;
  if (mine.how() == touch::free) return false;
  const unsigned thread = mine.thread();
  const checker::detail::clock* const now = e.owner == thread ? nullptr : &engine().now();
  const unsigned bytes = mine.bytes();
  const unsigned conflicting = conflicts[static_cast<std::size_t>(mine.how())];
  const unsigned replaced = outdated[static_cast<std::size_t>(mine.how())];
  unsigned ways = bit(mine.how());
  unsigned dropped = 0;
  for (std::size_t i = 0; i != e.count; ++i) {
    const record r = e.first[i];
    const unsigned way = bit(r.how());
    // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): without `now` all records are this thread's
    const bool ordered = r.thread() == thread || now->covers(r.thread(), r.next());
    if (atomic && (way & atomics) != 0) {
      if (r.bytes() != bytes) return false;
    } else if (!ordered && (conflicting & way) != 0 && (r.bytes() & bytes) != 0) {
      return false;
    }
    if (ordered && (replaced & way) != 0 && (r.bytes() & ~bytes) == 0) {
      dropped |= 1U << i;
    } else {
      ways |= way;
    }
  }
  std::size_t count = e.count;
  if (dropped != 0) {
    count = 0;
    for (std::size_t i = 0; i != e.count; ++i) {
      if ((dropped >> i & 1) == 0) {
        e.first[count++] = e.first[i];
      } else if (is_of_another(e.first[i], mine)) {
        remember_read(e.of, e.first[i], mine);
      }
    }
  }
  if (e.owner != thread) e.owner = count == 0 ? static_cast<std::uint8_t>(thread) : entry::nobody;
  e.first[count] = mine;
  e.count = static_cast<std::uint8_t>(count + 1);
  e.ways = static_cast<std::uint8_t>(ways);
  return true;
}

/// Beside others'. Every access comes here that a thread makes after another's, or after one of its own of another
/// kind.
[[gnu::noinline]] void note_beside(entry& e, record mine, address at, std::size_t size) {
  const checker::detail::clock* now = nullptr;  // asked for only when somebody else has been here
  const unsigned bytes = mine.bytes();
  const unsigned thread = mine.thread();
  const touch how = mine.how();
  const bool atomic = is_atomic(how);
  const unsigned conflicting = conflicts[static_cast<std::size_t>(how)];
  const unsigned replaced = outdated[static_cast<std::size_t>(how)];
  std::size_t kept = 0;
  unsigned ways = bit(how);
  bool was_atomic = false;
  for (std::size_t i = 0; i != e.count; ++i) {
    const record r = record_of(e, i);
    const unsigned way = bit(r.how());
    bool ordered = r.thread() == thread;
    if (!ordered) {
      if (now == nullptr) now = &engine().now();
      ordered = now->covers(r.thread(), r.next());
    }
    if ((r.bytes() & bytes) != 0) {
      const bool fits = atomic && (way & atomics) != 0 ? r.bytes() == bytes : (conflicting & way) == 0;
      if (!fits && (!ordered || r.how() == touch::free || atomic)) {
        compare({at, size, how, mine.where()}, r, bytes, ordered);
      }
      was_atomic = was_atomic || (way & atomics) != 0;
    }
    if (ordered && (r.bytes() & ~bytes) == 0 && (replaced & way) != 0) {
      if (is_of_another(r, mine)) remember_read(e.of, r, mine);
      continue;
    }
    if (kept != i) record_of(e, kept) = r;
    ++kept;
    ways |= way;
  }
  if (was_atomic && how == touch::write) begin_new_life(at, static_cast<std::size_t>(std::popcount(bytes)));
  if (kept == entry::most) refuse_more(at);
  if (kept == 0 && how != touch::free) e.owner = static_cast<std::uint8_t>(thread);
  if (e.owner != thread || how == touch::free) e.owner = entry::nobody;
  if (kept == entry::room && e.more == 0) {
    rests.emplace_back();
    e.more = static_cast<std::uint32_t>(rests.size());
  }
  record_of(e, kept++) = mine;
  e.count = static_cast<std::uint8_t>(kept);
  e.ways = static_cast<std::uint8_t>(ways);
}

/// Where somebody has been in another way.
[[gnu::noinline]] void note_more(entry& e, record mine, address at, std::size_t size) {
  if (!note_ordered(e, mine)) note_beside(e, mine, at, size);
}

}  // namespace

void watch_memory(std::span<const std::byte> memory, std::string name) {
  if (memory.empty()) return;
  const auto begin = reinterpret_cast<address>(memory.data()) / cell_size * cell_size;
  const auto end = (reinterpret_cast<address>(memory.data()) + memory.size() + cell_size - 1) / cell_size * cell_size;
  void* const cells = mmap(nullptr, (end - begin) / cell_size * sizeof(cell), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (cells == MAP_FAILED) throw std::bad_alloc();
  parts.push_back({begin, end, static_cast<cell*>(cells), static_cast<std::uint8_t>(parts.size()), std::move(name)});
  forget_pages();
}

void forget_memory() {
  for (const part& p : parts) munmap(p.cells, (p.end - p.begin) / cell_size * sizeof(cell));
  parts.clear();
  forget_pages();
  forget_touches();
  forget_locations();
}

place place_of(address a) {
  const part* const p = part_of(a);
  return p == nullptr ? place{-1, a} : place{static_cast<int>(p - parts.data()), a - p->begin};
}

address address_of(place p) {
  if (p.part < 0) return p.offset;
  if (static_cast<std::size_t>(p.part) >= parts.size()) throw std::runtime_error("there is no such memory");
  return parts[static_cast<std::size_t>(p.part)].begin + p.offset;
}

void forget_touches() {
  entries.clear();
  rests.clear();
  overwritten_reads.clear();
}

void keep_touches(image& in) {
  in.put(entries);
  in.put(rests);
  in.put(overwritten_reads);
}

void put_back_touches(image::reader& to) {
  to.get(entries);
  to.get(rests);
  to.get(overwritten_reads);
  for (std::size_t i = 0; i != entries.size(); ++i) *entries[i].of = static_cast<cell>(i);
}

bool is_instrumented() { return times_initialised != 0; }

std::string instrumented_library() {
  for (const void* const caller : std::span(initialised).first(std::min(times_initialised, initialised.size()))) {
    // The constructor that calls it may have jumped there: then the caller is who runs constructors, which for the
    // program is libc, and for libraries the loader.
    const auto code = reinterpret_cast<address>(caller);
    Dl_info found{};
    if (is_of_program(code) || is_of_libc(code) || dladdr(caller, &found) == 0) continue;
    if (std::string_view(found.dli_fname).find("/ld-") != std::string_view::npos) return "a shared library";
    return found.dli_fname;
  }
  return "";
}

namespace {

/// A free that is as it should be makes all before it of no use. False: it may not be.
bool note_free(entry& e, record mine, const checker::detail::clock& now) {
  if (e.count > entry::room) return false;
  const bool is_alone = e.owner == mine.thread() && mine.bytes() == all_bytes;
  for (std::size_t i = 0; !is_alone && i != e.count; ++i) {
    const record r = e.first[i];
    const bool ordered = r.thread() == mine.thread() || now.covers(r.thread(), r.next());
    if (!ordered || r.how() == touch::free || (r.bytes() & ~mine.bytes()) != 0) return false;
  }
  e.first[0] = mine;
  e.count = 1;
  e.ways = static_cast<std::uint8_t>(bit(touch::free));
  e.owner = entry::nobody;
  return true;
}

/// More than the eight bytes of one cell.
[[gnu::noinline]] void note_all(const part& p, record whole, const address all, const std::size_t size_of_all) {
  const checker::detail::clock* const free_after = whole.how() == touch::free ? &engine().now() : nullptr;
  address at = all;
  std::size_t size = size_of_all;
  while (size != 0 && at < p.end) {
    const std::size_t first = at % cell_size;
    const std::size_t n = std::min(size, cell_size - first);
    const record mine = whole.of_bytes(first, n);
    cell& c = p.cell_of(at);
    entry* const e = entry_of(c);
    if (e == nullptr) {
      add_entry(p, c, mine);
    } else if (free_after == nullptr ? !note_again(*e, mine) : !note_free(*e, mine, *free_after)) {
      note_more(*e, mine, at, size_of_all);
    }
    at += n;
    size -= n;
  }
}

/// Whether an address is in the part of memory that no program has: what a null pointer leads to.
bool is_near_null(address at) {
  constexpr address first_page = 4096;
  return at < first_page;
}

[[gnu::noinline, gnu::cold]] void object_to_null(const access& a) {
  name_sites();
  object(violation::use_after_free, sentence(a));
}

/// On a page that was not looked at of late, or nowhere.
[[gnu::noinline]] void note_elsewhere(address at, std::size_t size, touch how, const site& s, std::size_t ago) {
  if (size == 0) return;
  if (find_part(at) != nullptr) return note(at, size, how, s, ago);
  if (is_near_null(at) && how != touch::free) object_to_null({at, size, how, s});
}

}  // namespace

/// Whatever is not done often is called last, so that what is done often needs no stack.
void note(address at, std::size_t size, touch how, const site& s, std::size_t ago) {
  const part* const p = part_seen(at);
  if (p == nullptr || size == 0) return note_elsewhere(at, size, how, s, ago);
  const executor& e = engine();
  const std::size_t first = at % cell_size;
  const record whole(s, e.cursor() - ago, e.thread(), how);
  if (size > cell_size - first) return note_all(*p, whole, at, size);
  const record mine = whole.of_bytes(first, size);
  cell& c = p->cell_of(at);
  entry* const found = entry_of(c);
  if (found == nullptr) return add_entry(*p, c, mine);
  if (!note_again(*found, mine)) return note_more(*found, mine, at, size);
}

void note_end(address begin, const site& end) {
  const part* const p = part_of(begin);
  if (p == nullptr) return;
  const executor& e = engine();
  const record mine = record(end, e.cursor(), e.thread(), touch::free).of_bytes(0, cell_size);
#pragma GCC unroll 4
  for (entry *next = entries.data(), *const none = next + entries.size(); next != none; ++next) {
    if (next->part != p->number || note_free(*next, mine, e.now())) continue;
    note_beside(*next, mine, p->begin + static_cast<address>(next->of - p->cells) * cell_size, cell_size);
  }
}

std::string place_name(address a, bool in_short) {
  if (is_near_null(a)) return a == 0 ? "null" : "null+" + std::to_string(a);
  const checker::detail::memory& m = engine().memory();
  const checker::detail::block_id b = m.around(reinterpret_cast<void*>(a));  // NOLINT(performance-no-int-to-ptr)
  if (b != checker::detail::no_block) {
    const address offset = a - reinterpret_cast<address>(m.at(b).address);
    return block_name(m.at(b)) + (offset == 0 ? "" : "+" + std::to_string(offset));
  }
  if (std::string name = variable_at(a); !name.empty()) return name;
  if (std::string name = word_name(a); !name.empty()) return name;
  if (std::string name = stack_name(a, in_short); !name.empty()) return name;
  const part* const p = part_of(a);
  return p == nullptr ? "memory elsewhere" : p->name + "-" + std::to_string(p->end - a);
}

namespace {

address address_of_cell(const cell* c) {
  const auto has = [&](const part& p) { return c >= p.cells && c < p.cells + (p.end - p.begin) / cell_size; };
  const auto found = std::ranges::find_if(parts, has);
  return found == parts.end() ? 0 : found->begin + static_cast<address>(c - found->cells) * cell_size;
}

/// Shows what a thread that sleeps read since it woke up last, and the writes that it has not seen.
void show_missed_by(unsigned t) {
  const checker::detail::graph& g = engine().current();
  const auto events = g.thread(t);
  if (events.empty() || g[events.back()].op.how != checker::detail::change::sleep) return;
  std::size_t begin = events.size();
  while (begin != 0 && g[events[begin - 1]].op.what != action::awake) --begin;
  for (const overwritten& o : overwritten_reads) {
    const bool is_seen = g[events.back()].happened.covers(o.write.thread(), o.write.next());
    if (o.read.thread() != t || o.read.next() < begin || o.read.next() == 0 || o.write.next() == 0 || is_seen) continue;
    const address at = address_of_cell(o.of) + static_cast<address>(std::countr_zero(o.write.bytes()));
    checker::detail::show_also(shown(o.read, at, ""));
    checker::detail::show_also(shown(o.write, at, "too late"));
  }
}

}  // namespace

void show_missed_writes() {
  for (unsigned t = 0; t != checker::max_threads; ++t) show_missed_by(t);
}

namespace {

/// The engine compares stacks to know loops: nothing that differs from round to round may be left on them. The frames
/// of `note` are smaller than this.
[[gnu::noinline]] void clear_frames_of_note() {
  std::array<std::uint64_t, 64> below;
#pragma GCC unroll 64
  for (std::uint64_t& word : below) word = 0;
  asm volatile("" : : "r"(below.data()) : "memory");  // the stores are wanted
}

}  // namespace

void note_plain(const void* p, std::size_t size, touch how, const void* caller) {
  if (!is_explored() || size == 0) return;
  const inside in;
  note(reinterpret_cast<address>(p), size, how, site_of(caller));
  if (engine().suspects_loops()) clear_frames_of_note();
}

}  // namespace licit::unmodified

using namespace licit::unmodified;  // NOLINT(google-build-using-namespace): what follows is its interface

// NOLINTBEGIN(cppcoreguidelines-macro-usage): functions that differ in their names only
#define LICIT_PLAIN(N)                                                                                              \
  LICIT_INTERPOSED void __tsan_read##N(void* p) { note_plain(p, N, touch::read, LICIT_CALLER); }                    \
  LICIT_INTERPOSED void __tsan_write##N(void* p) { note_plain(p, N, touch::write, LICIT_CALLER); }                  \
  LICIT_INTERPOSED void __tsan_unaligned_read##N(void* p) { note_plain(p, N, touch::read, LICIT_CALLER); }          \
  LICIT_INTERPOSED void __tsan_unaligned_write##N(void* p) { note_plain(p, N, touch::write, LICIT_CALLER); }        \
  LICIT_INTERPOSED void __tsan_read_write##N(void* p) { note_plain(p, N, touch::write, LICIT_CALLER); }             \
  LICIT_INTERPOSED void __tsan_unaligned_read_write##N(void* p) { note_plain(p, N, touch::write, LICIT_CALLER); }   \
  LICIT_INTERPOSED void __tsan_volatile_read##N(void* p) { note_plain(p, N, touch::read, LICIT_CALLER); }           \
  LICIT_INTERPOSED void __tsan_volatile_write##N(void* p) { note_plain(p, N, touch::write, LICIT_CALLER); }         \
  LICIT_INTERPOSED void __tsan_unaligned_volatile_read##N(void* p) { note_plain(p, N, touch::read, LICIT_CALLER); } \
  LICIT_INTERPOSED void __tsan_unaligned_volatile_write##N(void* p) { note_plain(p, N, touch::write, LICIT_CALLER); }
LICIT_PLAIN(1)
LICIT_PLAIN(2)
LICIT_PLAIN(4)
LICIT_PLAIN(8)
LICIT_PLAIN(16)
// NOLINTEND(cppcoreguidelines-macro-usage)

LICIT_INTERPOSED void __tsan_read_range(void* p, std::size_t n) { note_plain(p, n, touch::read, LICIT_CALLER); }
LICIT_INTERPOSED void __tsan_write_range(void* p, std::size_t n) { note_plain(p, n, touch::write, LICIT_CALLER); }
LICIT_INTERPOSED void __tsan_vptr_read(void** p) { note_plain(p, sizeof *p, touch::read, LICIT_CALLER); }
LICIT_INTERPOSED void __tsan_vptr_update(void** p, void* next) {
  if (*p != next) note_plain(p, sizeof *p, touch::write, LICIT_CALLER);
}
LICIT_INTERPOSED void __tsan_init() {
  if (times_initialised < initialised.size()) initialised[times_initialised] = LICIT_CALLER;
  ++times_initialised;
}

// What code says to the thread sanitizer of its own fences is not needed: they are explored as they are.
LICIT_INTERPOSED void AnnotateHappensBefore(const char*, int, const volatile void*) {}
LICIT_INTERPOSED void AnnotateHappensAfter(const char*, int, const volatile void*) {}
LICIT_INTERPOSED void AnnotateRWLockCreate(const char*, int, const volatile void*) {}
LICIT_INTERPOSED void AnnotateRWLockDestroy(const char*, int, const volatile void*) {}
LICIT_INTERPOSED void AnnotateRWLockAcquired(const char*, int, const volatile void*, long) {}
LICIT_INTERPOSED void AnnotateRWLockReleased(const char*, int, const volatile void*, long) {}
LICIT_INTERPOSED void AnnotateIgnoreReadsBegin(const char*, int) {}
LICIT_INTERPOSED void AnnotateIgnoreReadsEnd(const char*, int) {}
LICIT_INTERPOSED void AnnotateIgnoreWritesBegin(const char*, int) {}
LICIT_INTERPOSED void AnnotateIgnoreWritesEnd(const char*, int) {}
LICIT_INTERPOSED void AnnotateNewMemory(const char*, int, const volatile void*, std::size_t) {}
LICIT_INTERPOSED void __tsan_acquire(void*) {}
LICIT_INTERPOSED void __tsan_release(void*) {}
