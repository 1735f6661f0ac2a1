// rayon behind bench/rayon/lib.rs. fib is Rust alone; `rayon-called` is its join over C++ leaves, as in the other
// programs.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "fork_join/measured.hpp"

extern "C" {
struct rayon_pool;
struct rayon_callable {
  void (*call)(void*);
  void* with;
};
struct rayon_indexed {
  void (*call)(void*, std::size_t);
  void* with;
};
rayon_pool* rayon_make(std::size_t workers);
void rayon_free(rayon_pool* pool);
void rayon_inside(const rayon_pool* pool, rayon_callable f);
void rayon_fork(rayon_callable f, rayon_callable g);
void rayon_loop(std::size_t n, rayon_indexed f);
std::uint64_t rayon_sum(const std::uint32_t* values, std::size_t n);
void rayon_sort(std::uint32_t* values, std::size_t n);
std::uint64_t rayon_fib(int n);
std::uint64_t rust_fib(int n);
}

namespace licit_bench {

namespace {

template <class F>
rayon_callable callable(F& f) {
  return {[](void* with) { (*static_cast<F*>(with))(); }, &f};
}

class rayon_runtime {
 public:
  explicit rayon_runtime(int workers) : pool_{rayon_make(static_cast<std::size_t>(workers)), &rayon_free} {}
  template <class F>
  void inside(F f) {
    rayon_inside(pool_.get(), callable(f));
  }
  template <class F, class G>
  void fork(F f, G g) {
    rayon_fork(callable(f), callable(g));
  }
  template <class F>
  void loop(std::size_t n, F f) {
    rayon_loop(n, {[](void* with, std::size_t i) { (*static_cast<F*>(with))(i); }, &f});
  }
  std::uint64_t sum(std::span<const std::uint32_t> values) { return rayon_sum(values.data(), values.size()); }
  void sort(std::span<std::uint32_t> values) { rayon_sort(values.data(), values.size()); }

 private:
  std::unique_ptr<rayon_pool, void (*)(rayon_pool*)> pool_;
};

/// fib in Rust: by rayon's join, and by plain calls.
struct fib_in_rust : fib {
  template <class Runtime>
  std::uint64_t operator()(Runtime& /*run*/) {
    return rayon_fib(size.fib);
  }
  std::uint64_t operator()(serial& run) { return fib::operator()(run); }
};
struct fib_of_calls : fib {
  template <class Runtime>
  std::uint64_t operator()(Runtime& /*run*/) {
    return rust_fib(size.fib);
  }
  std::uint64_t operator()(serial& run) { return fib::operator()(run); }
};

}  // namespace

void add_rayon() {
  add_programs<rayon_runtime, nqueens, uts, matrix, mergesort, library_sort, skewed_loop, sum, library_sum, small_loop>(
      "rayon", {1, 2});
  add_programs<rayon_runtime, fib_in_rust>("rayon", {1, 2});
  add_programs<rayon_runtime, fib_of_calls>("serial-rust", {1});
  add_programs<rayon_runtime, fib>("rayon-called", {1, 2});
}

}  // namespace licit_bench
