// The fences of joins, as they are, with the library's own deque and choice; and the commands of membarrier. With
// LICIT_REFUSED the library finds no membarrier, and the process has registered for it before main. The first argument
// says which fences: some leave out a step, and lose or double an item.
#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <functional>
#include <linux/membarrier.h>
#include <map>
#include <string>
#include <sys/syscall.h>
#include <thread>
#include <type_traits>
#include <unistd.h>

#include <licit/check.h>
#include <licit/deque/asymmetric.hpp>
#include <licit/deque/chase_lev.hpp>

#if defined(LICIT_REFUSED)
namespace licit::inline v0 {
const fence_choice& asymmetric_fences() noexcept {
  static const fence_choice chosen{};
  return chosen;
}
void membarrier() noexcept { assert(!"refused"); }
}  // namespace licit::inline v0
#endif

namespace {

enum class left_out : unsigned { first_fence, owners_question, thiefs_question };

/// Late fences without one step.
template <left_out What>
class careless_fences {
 public:
  [[nodiscard]] bool all_full() const { return full_; }
  template <class Site>
  static void as_in_table(Site site) {
    licit::late_fences::as_in_table(site);
  }
  template <class Site>
  void operator()(Site site) const {
    if constexpr (Site::entry.kind == licit::operation::heavy_fence) {
      const bool by_system = What != left_out::thiefs_question && licit::asymmetric_fences().asymmetric;
      return by_system ? licit::membarrier() : licit::native::full_fence();
    } else {
      if (!full_) return as_in_table(site);
      What == left_out::first_fence ? licit::native::compiler_barrier() : licit::native::full_fence();
      full_ = What != left_out::owners_question && !licit::asymmetric_fences().asymmetric;
    }
  }

 private:
  mutable bool full_ = true;
};

template <class Fences>
struct with : licit::asymmetric_policy<licit::native> {
  using fences = Fences;
};
using late = licit::late_asymmetric_policy<licit::native>;
static_assert(std::is_same_v<late::fences, licit::late_fences>);

/// Takes two items: for the second of two, the owner needs no claim if it does not see that the first is gone.
template <class Deque>
void steal_two(Deque& from, std::array<unsigned, 4>& times) {
  for (int i = 0; i != 2; ++i) {
    if (const auto got = from.steal()) ++times.at(*got);
  }
}

/// The owner's first pop is by a full fence, the others are by what it has learnt.
template <class Policy, unsigned Items>
void takes_each_once(const typename Policy::fences& by) {
  licit::chase_lev<unsigned, Policy> deque({}, by);
  for (unsigned i = 1; i <= Items; ++i) deque.push(i);
  std::array<unsigned, 4> popped{};
  std::array<unsigned, 4> stolen{};
  std::thread thief([&] { steal_two(deque, stolen); });
  for (unsigned i = 0; i != Items; ++i) ++popped.at(deque.pop_or(0));
  thief.join();
  for (unsigned i = 1; i <= Items; ++i) assert(popped.at(i) + stolen.at(i) == 1);
}

/// The same, but the owner that has asked is followed by another thread, as guests follow one another.
void takes_each_once_by_two_owners() {
  licit::chase_lev<unsigned, late> deque;
  for (unsigned i = 1; i <= 3; ++i) deque.push(i);
  std::array<unsigned, 4> popped{};
  std::array<unsigned, 4> stolen{};
  std::thread thief([&] { steal_two(deque, stolen); });
  ++popped.at(deque.pop_or(0));
  std::thread next([&] {
    for (int i = 0; i != 2; ++i) ++popped.at(deque.pop_or(0));
  });
  thief.join();
  next.join();
  for (unsigned i = 1; i <= 3; ++i) assert(popped.at(i) + stolen.at(i) == 1);
}

template <left_out What, unsigned Items>
void careless() {
  takes_each_once<with<careless_fences<What>>, Items>({});
}

/// 0, or the number of the error.
int call(int command, unsigned flags = 0) { return syscall(SYS_membarrier, command, flags, 0) < 0 ? errno : 0; }

#if defined(LICIT_REFUSED)
const bool registered_before_main = call(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
#else
const bool registered_before_main = false;
#endif

/// Store buffering between a thread with a light fence and one that calls membarrier.
void buffers_stores(int command) {
  std::atomic<int> x{0};
  std::atomic<int> y{0};
  int a = 0;
  std::thread light([&] {
    x.store(1, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    a = y.load(std::memory_order_relaxed);
  });
  y.store(1, std::memory_order_relaxed);
  assert(call(command) == 0);
  const int b = x.load(std::memory_order_relaxed);
  light.join();
  licit_outcome("a=%d b=%d", a, b);
}

void registers_first() {
  assert(call(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) == 0);
  buffers_stores(MEMBARRIER_CMD_GLOBAL_EXPEDITED);
}

/// What registers for one command does not for the other. Two executions part before that, after `Events` events: both
/// find the process as it was before main, whether they share their beginning or not.
template <int Events>
void is_not_registered() {
  std::atomic<int> x{0};
  for (int i = 0; i != Events; ++i) x.store(0, std::memory_order_relaxed);
  std::thread other([&] { x.store(1, std::memory_order_relaxed); });
  (void)x.load(std::memory_order_relaxed);
  other.join();
  assert(call(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == (registered_before_main ? 0 : EPERM));
  assert(call(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) == 0);
  assert(call(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == (registered_before_main ? 0 : EPERM));
  assert(call(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0);
  assert(call(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0);
  assert(call(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0);
}

/// Nothing orders the two threads.
void registers_meanwhile() {
  std::thread other([] { assert(call(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0); });
  const int error = call(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  other.join();
  assert(error == 0 || error == EPERM);
  assert(call(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0);
  licit_outcome("%s", error == 0 ? "registered" : "too early");
}

void asks_for_commands() {
  const long offered = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
  assert(offered ==
         (MEMBARRIER_CMD_GLOBAL | MEMBARRIER_CMD_GLOBAL_EXPEDITED | MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED |
          MEMBARRIER_CMD_PRIVATE_EXPEDITED | MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED));
  assert(call(MEMBARRIER_CMD_GLOBAL, 1) == EINVAL);
  assert(call(1 << 20) == EINVAL);
}

const std::map<std::string, std::function<void()>> programs{
    {"first_fence", [] { takes_each_once<late, 2>({}); }},
    {"later_fence", [] { takes_each_once<late, 3>({}); }},
    {"two_owners", takes_each_once_by_two_owners},
    {"full_fences", [] { takes_each_once<late, 3>(licit::late_fences::full()); }},
    {"first_fence_missing", careless<left_out::first_fence, 2>},
    {"owner_asks_not", careless<left_out::owners_question, 3>},
    {"thief_asks_not", careless<left_out::thiefs_question, 3>},
    {"global", [] { buffers_stores(MEMBARRIER_CMD_GLOBAL); }},
    {"global_expedited", registers_first},
    {"global_expedited_unregistered", [] { buffers_stores(MEMBARRIER_CMD_GLOBAL_EXPEDITED); }},
    {"private_expedited", is_not_registered<0>},
    {"private_expedited_later", is_not_registered<20>},
    {"registered_meanwhile", registers_meanwhile},
    {"query", asks_for_commands},
};

}  // namespace

/// `fences command 32`: a command by its number.
int main(int argc, char** argv) {
  if (argc == 3) return call(std::stoi(argv[2]));
  const auto found = programs.find(argc == 2 ? argv[1] : "");
  if (found == programs.end()) return 3;
  found->second();
}
