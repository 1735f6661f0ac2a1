// The fences of joins, as they are, with the library's own deque and choice. With LICIT_REFUSED the system has no
// membarrier. The first argument says which fences: some leave out a step, and lose or double an item.
#include <array>
#include <cassert>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <type_traits>

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

const std::map<std::string, std::function<void()>> programs{
    {"first_fence", [] { takes_each_once<late, 2>({}); }},
    {"later_fence", [] { takes_each_once<late, 3>({}); }},
    {"two_owners", takes_each_once_by_two_owners},
    {"full_fences", [] { takes_each_once<late, 3>(licit::late_fences::full()); }},
    {"first_fence_missing", careless<left_out::first_fence, 2>},
    {"owner_asks_not", careless<left_out::owners_question, 3>},
    {"thief_asks_not", careless<left_out::thiefs_question, 3>},
};

}  // namespace

int main(int argc, char** argv) {
  const auto found = programs.find(argc == 2 ? argv[1] : "");
  if (found == programs.end()) return 3;
  found->second();
}
