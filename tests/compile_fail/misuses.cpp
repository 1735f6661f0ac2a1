// Misuses that must not compile, a case each: -DLICIT_CASE_<name> chooses one. With LICIT_LAWFUL all cases are there,
// each without its misuse.
#include <compare>
#include <cstddef>
#include <iterator>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <licit/checker/model.hpp>
#include <licit/deque.hpp>
#include <licit/deque/chase_lev_orders.hpp>
#include <licit/deque/native.hpp>
#include <licit/deque/order.hpp>
#include <licit/parallel.hpp>
#include <licit/scheduler.hpp>

#if defined(LICIT_CASE_copy_owner) || defined(LICIT_LAWFUL)
namespace copy_owner {

// An owner is move-only: a copy would be a second owner of one deque.
int test() {
  licit::owner<int> mine;
#ifdef LICIT_LAWFUL
  licit::owner<int> second = std::move(mine);
#else
  licit::owner<int> second = mine;
#endif
  return static_cast<int>(second.size());
}

}  // namespace copy_owner
#endif

#if defined(LICIT_CASE_stealer_push) || defined(LICIT_LAWFUL)
namespace stealer_push {

// A thief has no push: only the owner writes the bottom end.
int test() {
  licit::owner<int> mine;
  licit::stealer<int> thief = mine.stealer();
#ifdef LICIT_LAWFUL
  mine.push(1);
#else
  thief.push(1);
#endif
  return static_cast<int>(thief.size());
}

}  // namespace stealer_push
#endif

#if defined(LICIT_CASE_stealer_pop) || defined(LICIT_LAWFUL)
namespace stealer_pop {

// A thief has no pop.
int test() {
  licit::owner<int> mine;
  licit::stealer<int> thief = mine.stealer();
#ifdef LICIT_LAWFUL
  return mine.pop().has_value();
#else
  return thief.pop().has_value();
#endif
}

}  // namespace stealer_pop
#endif

#if defined(LICIT_CASE_string_payload) || defined(LICIT_LAWFUL)
namespace string_payload {

// A std::string is not trivially copyable: a thief's guess would read it while the owner overwrites it.
int test() {
#ifdef LICIT_LAWFUL
  licit::owner<const std::string*> mine;
#else
  licit::owner<std::string> mine;
#endif
  return static_cast<int>(mine.size());
}

}  // namespace string_payload
#endif

#if defined(LICIT_CASE_wide_payload) || defined(LICIT_LAWFUL)
namespace wide_payload {

// 24 bytes have no lock-free atomic.
struct wide {
  long words[3];
};

int test() {
#ifdef LICIT_LAWFUL
  licit::owner<wide*> mine;
#else
  licit::owner<wide> mine;
#endif
  return static_cast<int>(mine.size());
}

}  // namespace wide_payload
#endif

#if defined(LICIT_CASE_odd_payload) || defined(LICIT_LAWFUL)
namespace odd_payload {

// Three bytes have no lock-free atomic, small as they are.
struct colour {
  unsigned char channels[3];
};

struct padded_colour {
  unsigned char channels[4];
};

int test() {
#ifdef LICIT_LAWFUL
  licit::owner<padded_colour> mine;
#else
  licit::owner<colour> mine;
#endif
  return static_cast<int>(mine.size());
}

}  // namespace odd_payload
#endif

#if defined(LICIT_CASE_stateful_deleter) || defined(LICIT_LAWFUL)
namespace stateful_deleter {

// The slot holds the pointer only, so a deleter with state would be lost.
struct logging_deleter {
  int log = 0;
  void operator()(int* p) const { delete p; }
};

int test() {
#ifdef LICIT_LAWFUL
  licit::owner<std::unique_ptr<int>> mine;
#else
  licit::owner<std::unique_ptr<int, logging_deleter>> mine;
#endif
  return static_cast<int>(mine.size());
}

}  // namespace stateful_deleter
#endif

#if defined(LICIT_CASE_unknown_site) || defined(LICIT_LAWFUL)
namespace unknown_site {

// An operation cannot name a site that its structure's table does not have.
int test() {
#ifdef LICIT_LAWFUL
  constexpr auto site = licit::site_of<licit::chase_lev_orders, "push.publish">;
#else
  constexpr auto site = licit::site_of<licit::chase_lev_orders, "push.nowhere">;
#endif
  return static_cast<int>(site.index);
}

}  // namespace unknown_site
#endif

#if defined(LICIT_CASE_unknown_partner) || defined(LICIT_LAWFUL)
namespace unknown_partner {

// A table whose row names a partner that is not in it does not even answer whether it is consistent.
namespace rows = licit::rows;

#ifdef LICIT_LAWFUL
constexpr const char* partner = "take";
#else
constexpr const char* partner = "nowhere";
#endif

constexpr licit::table orders{"example",
                              {rows::store("give", licit::order::release, {partner}, "publishes"),
                               rows::load("take", licit::order::acquire, {"give"}, "reads what give publishes")}};

static_assert(orders.consistent());

int test() { return 0; }

}  // namespace unknown_partner
#endif

#if defined(LICIT_CASE_unnamed_partner) || defined(LICIT_LAWFUL)
namespace unnamed_partner {

// The compiler names the row whose partner does not name it back, and says what is wrong with it.
namespace rows = licit::rows;

#ifdef LICIT_LAWFUL
constexpr const char* partner = "give";
#else
constexpr const char* partner = "take";
#endif

constexpr licit::table orders{"example",
                              {rows::store("give", licit::order::release, {"take"}, "publishes"),
                               rows::load("take", licit::order::acquire, {partner}, "reads what give publishes")}};

static_assert(orders.consistent());

int test() { return 0; }

}  // namespace unnamed_partner
#endif

#if defined(LICIT_CASE_wrong_operation) || defined(LICIT_LAWFUL)
namespace wrong_operation {

// A site is for one kind of operation: a store at a load's site does not compile.
int test() {
  licit::native::atomic<int> cell;
#ifdef LICIT_LAWFUL
  cell.store(1, licit::site_of<licit::chase_lev_orders, "push.item">);
#else
  cell.store(1, licit::site_of<licit::chase_lev_orders, "pop.item">);
#endif
  return 0;
}

}  // namespace wrong_operation
#endif

#if defined(LICIT_CASE_update_at_claim) || defined(LICIT_LAWFUL)
namespace update_at_claim {

// A site is for one kind of operation: an exchange at a compare-exchange's site does not compile.
int test() {
  licit::native::atomic<int> cell;
#ifdef LICIT_LAWFUL
  int expected = 0;
  cell.compare_exchange_weak(expected, 1, licit::site_of<licit::chase_lev_orders, "steal.claim">);
#else
  cell.exchange(1, licit::site_of<licit::chase_lev_orders, "steal.claim">);
#endif
  return 0;
}

}  // namespace update_at_claim
#endif

#if defined(LICIT_CASE_parallel_list) || defined(LICIT_LAWFUL)
namespace parallel_list {

// A list has no random-access iterators: nobody could divide it.
void test() {
#ifdef LICIT_LAWFUL
  std::vector<int> numbers{1, 2, 3};
#else
  std::list<int> numbers{1, 2, 3};
#endif
  licit::parallel_for_each(numbers, [](int& n) { ++n; });
}

}  // namespace parallel_list
#endif

#if defined(LICIT_CASE_parallel_back_inserter) || defined(LICIT_LAWFUL)
namespace parallel_back_inserter {

// Several threads write at several positions at once.
void test() {
  const std::vector<int> from{1, 2, 3};
  std::vector<int> to;
#ifdef LICIT_LAWFUL
  to.resize(from.size());
  licit::parallel_transform(from, to.begin(), [](int n) { return n + 1; });
#else
  licit::parallel_transform(from, std::back_inserter(to), [](int n) { return n + 1; });
#endif
}

}  // namespace parallel_back_inserter
#endif

#if defined(LICIT_CASE_parallel_bits) || defined(LICIT_LAWFUL)
namespace parallel_bits {

// Neighbouring elements of a std::vector<bool> are in one word.
void test() {
  const std::vector<int> from{1, 2, 3};
#ifdef LICIT_LAWFUL
  std::vector<char> to(from.size());
#else
  std::vector<bool> to(from.size());
#endif
  licit::parallel_transform(from, to.begin(), [](int n) { return n > 1; });
}

}  // namespace parallel_bits
#endif

#if defined(LICIT_CASE_parallel_coroutine) || defined(LICIT_LAWFUL)
namespace parallel_coroutine {

// A loop drops what its function returns, and a coroutine has not begun then.
void test() {
#ifdef LICIT_LAWFUL
  licit::parallel_for(0, 3, [](int) {});
#else
  licit::parallel_for(0, 3, [](int) -> licit::task<> { co_return; });
#endif
}

}  // namespace parallel_coroutine
#endif

#if defined(LICIT_CASE_parallel_scan_of_moved) || defined(LICIT_LAWFUL)
namespace parallel_scan_of_moved {

// A scan writes a sum and goes on with it: it needs two of them.
void test() {
#ifdef LICIT_LAWFUL
  using number = std::shared_ptr<int>;
#else
  using number = std::unique_ptr<int>;
#endif
  std::vector<number> numbers(3);
  licit::parallel_inclusive_scan(numbers, numbers.begin(), [](const number&, const number&) { return number(); });
}

}  // namespace parallel_scan_of_moved
#endif

#if defined(LICIT_CASE_parallel_sort_of_view) || defined(LICIT_LAWFUL)
namespace parallel_sort_of_view {

// A view that computes its elements has none that could be moved. Its iterator is written out: views of libstdc++ are
// none for clang 14.
struct computed {
  using value_type = int;
  using difference_type = std::ptrdiff_t;
  using iterator_concept = std::random_access_iterator_tag;
  std::ptrdiff_t at = 0;
#ifdef LICIT_LAWFUL
  int* elements = nullptr;
  int& operator*() const { return elements[at]; }
  int& operator[](std::ptrdiff_t n) const { return elements[at + n]; }
  using iterator_category = std::random_access_iterator_tag;
  using pointer = int*;
  using reference = int&;
#else
  int operator*() const { return static_cast<int>(at); }
  int operator[](std::ptrdiff_t n) const { return static_cast<int>(at + n); }
#endif
  computed& operator+=(std::ptrdiff_t n) { return at += n, *this; }
  computed& operator-=(std::ptrdiff_t n) { return *this += -n; }
  computed& operator++() { return *this += 1; }
  computed& operator--() { return *this -= 1; }
  computed operator++(int) { return ++*this - 1; }
  computed operator--(int) { return --*this + 1; }
  friend computed operator+(computed i, std::ptrdiff_t n) { return i += n; }
  friend computed operator+(std::ptrdiff_t n, computed i) { return i += n; }
  friend computed operator-(computed i, std::ptrdiff_t n) { return i -= n; }
  friend std::ptrdiff_t operator-(computed a, computed b) { return a.at - b.at; }
  friend bool operator==(computed a, computed b) { return a.at == b.at; }
  friend auto operator<=>(computed a, computed b) { return a.at <=> b.at; }
};

void test() {
#ifdef LICIT_LAWFUL
  int elements[] = {3, 1, 2};
  licit::parallel_sort(computed{0, elements}, computed{3, elements});
#else
  licit::parallel_sort(computed{0}, computed{3});
#endif
}

}  // namespace parallel_sort_of_view
#endif

#if defined(LICIT_CASE_parallel_fold) || defined(LICIT_LAWFUL)
namespace parallel_fold {

// A reduction combines two partial results, in which a fold from the left has only one.
int test() {
  const std::vector<int> numbers{1, 2, 3};
#ifdef LICIT_LAWFUL
  const auto print = [](int n) { return std::to_string(n); };
  return static_cast<int>(licit::parallel_transform_reduce(numbers, std::string(), std::plus<>(), print).size());
#else
  const auto append = [](const std::string& text, int n) { return text + std::to_string(n); };
  return static_cast<int>(licit::parallel_reduce(numbers, std::string(), append).size());
#endif
}

}  // namespace parallel_fold
#endif

#if defined(LICIT_CASE_name_without_end) || defined(LICIT_LAWFUL)
namespace name_without_end {

// A task's name is read to its zero.
#ifdef LICIT_LAWFUL
constexpr char name[] = {'a', 'b', '\0'};
#else
constexpr char name[] = {'a', 'b', 'c'};
#endif

[[maybe_unused]] constexpr licit::task_name misuse(name);

}  // namespace name_without_end
#endif

#if defined(LICIT_CASE_model_bool_fetch_add) || defined(LICIT_LAWFUL)
namespace model_bool_fetch_add {

// A truth value has no fetch_add, in the model as in the standard.
void misuse(licit::checker::model::atomic<bool>& a) {
#ifdef LICIT_LAWFUL
  a.exchange(true);
#else
  a.fetch_add(true);
#endif
}

}  // namespace model_bool_fetch_add
#endif

#if defined(LICIT_CASE_model_struct_fetch_or) || defined(LICIT_LAWFUL)
namespace model_struct_fetch_or {

// A class has no fetch_or.
struct misused {
  int a, b;
};

void misuse(licit::checker::model::atomic<misused>& a) {
#ifdef LICIT_LAWFUL
  a.load();
#else
  a.fetch_or(misused{});
#endif
}

}  // namespace model_struct_fetch_or
#endif

#if defined(LICIT_CASE_model_float_fetch_and) || defined(LICIT_LAWFUL)
namespace model_float_fetch_and {

// A floating-point number has fetch_add, but no fetch_and.
void misuse(licit::checker::model::atomic<double>& a) {
#ifdef LICIT_LAWFUL
  a.fetch_add(1);
#else
  a.fetch_and(1);
#endif
}

}  // namespace model_float_fetch_and
#endif

#if defined(LICIT_CASE_model_void_fetch_add) || defined(LICIT_LAWFUL)
namespace model_void_fetch_add {

// A pointer to void has no size to move by.
#ifdef LICIT_LAWFUL
using pointer = char*;
#else
using pointer = void*;
#endif

void misuse(licit::checker::model::atomic<pointer>& a) { a.fetch_add(1); }

}  // namespace model_void_fetch_add
#endif
