/// Where the optimizer's knowledge ends: what a benchmark passes through here it must really compute, in memory.
#ifndef LICIT_BENCH_OPAQUE_HPP
#define LICIT_BENCH_OPAQUE_HPP

namespace licit_bench {

/// The same object, which now may be any object, in any state.
template <class T>
T& opaque(T& object) {
  T* place = &object;
  asm volatile("" : "+r"(place) : : "memory");
  return *place;
}

/// Somebody else may read and write all of memory here, as the task that a worker runs between two operations does.
inline void forget() { asm volatile("" : : : "memory"); }

/// The value is needed.
inline void use(void* value) { asm volatile("" : : "r"(value) : "memory"); }

}  // namespace licit_bench

#endif
