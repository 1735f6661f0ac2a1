// What is compiled to be looked at: the operations of a structure that users link, each as one function.
//
//     LICIT_HEADER     its header, <licit/deque/chase_lev.hpp>
//     LICIT_STRUCTURE  its class template, licit::chase_lev
//     LICIT_ADAPTOR    what its policy is made of, if not native as it is: licit::asymmetric
//     LICIT_MARKED     a label on each side of every operation on atomics: licit.begin.<row>.<n>, licit.end.<row>.<n>
//     LICIT_CHANGES    rows of the ordering table that are changed: {<row>, change::<how>}, ...
//
// With none of these the policy is `native` itself. LICIT_VERSION is that of the tool, whose ordering table is meant.
#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <new>
#include <span>

#include LICIT_HEADER
#include <licit/deque/options.hpp>
#ifdef LICIT_ADAPTOR
#include <licit/deque/asymmetric.hpp>
#endif
#include <licit/deque/version.hpp>

#ifdef LICIT_VERSION
static_assert(licit::header_version == LICIT_VERSION, "these headers are another version than the licit command");
#endif

namespace looked_at {

#ifdef LICIT_ADAPTOR
/// As they are where the kernel has what the policy asks it for. What is linked chooses between these and full fences
/// by a byte of the structure's own; the full ones are looked at in the symmetric form.
struct linked : LICIT_ADAPTOR<licit::native> {
  struct fences {
    template <class Site>
    void operator()(Site site) const {
      if constexpr (Site::entry.success == licit::order::relaxed) {
        return;
      } else if constexpr (Site::entry.kind == licit::operation::light_fence) {
        licit::native::compiler_barrier();
      } else if constexpr (Site::entry.kind == licit::operation::heavy_fence) {
        licit::membarrier();
      } else {
        licit::native::fence(site);
      }
    }
  };
};
#else
using linked = licit::native;
#endif

#if !defined(LICIT_MARKED) && !defined(LICIT_CHANGES)

using policy = linked;

#else

#ifndef LICIT_CHANGES
#define LICIT_CHANGES
#endif

/// An order; or the operation left out; or relaxed, with a fence before or behind it; or a fence as the compiler makes
/// it.
enum class change {
  relaxed,
  acquire,
  release,
  acq_rel,
  seq_cst,
  removed,
  release_fence,
  acquire_fence,
  std_fence,
  none
};

struct changed_row {
  std::size_t row;
  change how;
};

constexpr change change_of(std::size_t row) {
  for (const changed_row& c : std::initializer_list<changed_row>{LICIT_CHANGES}) {
    if (c.row == row) return c.how;
  }
  return change::none;
}

/// The row as it is compiled.
template <class Site>
struct compiled {
  static constexpr change how = change_of(Site::index);
  static constexpr licit::row entry = [] {
    licit::row r = Site::entry;
    if (how <= change::seq_cst) r.success = static_cast<licit::order>(how);
    if (how == change::release_fence || how == change::acquire_fence) r.success = licit::order::relaxed;
    return r;
  }();

  static void fence_before() {
    if constexpr (how == change::release_fence) std::atomic_thread_fence(std::memory_order_release);
  }
  static void fence_after() {
    if constexpr (how == change::acquire_fence) std::atomic_thread_fence(std::memory_order_acquire);
  }
};

/// Labels, and no clobbers: the compiler is hindered as little as can be. The tool checks that it makes the same
/// ordering instructions with them as without.
template <class Site>
class marks {
 public:
  [[gnu::always_inline]] marks() {
#ifdef LICIT_MARKED
    asm inline volatile("licit.begin.%c0.%=:" ::"i"(Site::index));
#endif
    compiled<Site>::fence_before();
  }
  [[gnu::always_inline]] ~marks() {
    compiled<Site>::fence_after();
#ifdef LICIT_MARKED
    asm inline volatile("licit.end.%c0.%=:" ::"i"(Site::index));
#endif
  }
  marks(const marks&) = delete;
  marks& operator=(const marks&) = delete;
};

struct policy : linked {
  template <class T>
  class atomic {
   public:
    atomic() = default;
    explicit atomic(T value) : value_{value} {}

    template <class Site>
    T load(Site /*site*/) const {
      const marks<Site> here;
      return value_.load(compiled<Site>{});
    }

    template <class Site>
    void store(T value, Site /*site*/) {
      const marks<Site> here;
      if constexpr (compiled<Site>::how != change::removed) value_.store(value, compiled<Site>{});
    }

    template <class Site>
    bool compare_exchange(T& expected, T desired, Site /*site*/) {
      const marks<Site> here;
      return value_.compare_exchange(expected, desired, compiled<Site>{});
    }

    template <class Site>
    T exchange(T value, Site /*site*/) {
      const marks<Site> here;
      return value_.exchange(value, compiled<Site>{});
    }

    template <class Site>
    T fetch_add(T value, Site /*site*/) {
      const marks<Site> here;
      return value_.fetch_add(value, compiled<Site>{});
    }

   private:
    licit::native::atomic<T> value_;
  };

  template <class Site>
  static void fence(Site /*site*/) {
    fence_by<Site>([](auto row) { licit::native::fence(row); });
  }

  struct fences {
    template <class Site>
    void operator()(Site /*site*/) const {
      fence_by<Site>(chosen);
    }
    [[no_unique_address]] linked::fences chosen;
  };

 private:
  template <class Site, class Fence>
  static void fence_by(const Fence& made) {
    const marks<Site> here;
    if constexpr (compiled<Site>::how == change::std_fence) {
      std::atomic_thread_fence(licit::detail::to_std(Site::entry.success));
    } else if constexpr (compiled<Site>::how != change::removed) {
      made(compiled<Site>{});
    }
  }
};

#endif

using deque = LICIT_STRUCTURE<void*, policy>;

/// A bounded queue's push takes a sink, for what does not fit.
struct sink {
  void reserve(std::size_t items);
  void take(std::span<void* const> items) noexcept;
};

template <class Deque>
void put(Deque& d, void* item) {
  if constexpr (requires { d.push(item); }) {
    d.push(item);
  } else {
    sink rest;
    d.push(item, rest);
  }
}

template <class Deque>
void* take(Deque& d) {
  if constexpr (requires { d.pop_or(nullptr); }) {
    return d.pop_or(nullptr);
  } else {
    return d.pop().value_or(nullptr);
  }
}

template <class Deque>
auto take_half(Deque& victim, Deque& own) {
  if constexpr (requires { victim.steal_half(own, licit::most_at_once); }) {
    return victim.steal_half(own, licit::most_at_once);
  } else {
    return steal_half(victim, own, licit::most_at_once);
  }
}

}  // namespace looked_at

using looked_at::deque;
using looked_at::put;
using looked_at::take;
using looked_at::take_half;

// `flatten`: what an operation calls stands in it. A push that finds the ring full calls push_into_full, which does
// not.
#define LICIT_OPERATION extern "C" [[gnu::flatten, gnu::used]]

LICIT_OPERATION void licit_make(void* where) { ::new (where) deque(); }
LICIT_OPERATION void licit_push(deque* d, void* item) { put(*d, item); }
LICIT_OPERATION void* licit_pop(deque* d) { return take(*d); }
LICIT_OPERATION void* licit_steal(deque* d) {
  const auto got = d->steal();
  return got ? *got : nullptr;
}
LICIT_OPERATION void* licit_steal_half(deque* d, deque* own) {
  const auto got = take_half(*d, *own);
  return got ? *got : nullptr;
}
LICIT_OPERATION std::size_t licit_size(const deque* d) { return d->size(); }
