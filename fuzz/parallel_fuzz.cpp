// libFuzzer: every parallel algorithm, over any values and options, agrees with the standard's serial one.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include <licit/parallel.hpp>
#include <licit/scheduler.hpp>

namespace {

using licit::parallel_options;
using numbers = std::vector<std::uint32_t>;

/// Nothing catches it.
struct mismatch : std::logic_error {
  using std::logic_error::logic_error;
};
template <class T>
void must_agree(const char* what, const T& got, const T& want) {
  if (!(got == want)) throw mismatch(what);
}

/// Associative, not commutative: affine maps of 16-bit numbers, composed.
std::uint32_t composed(std::uint32_t f, std::uint32_t g) {
  const std::uint32_t a = (f >> 16U) * (g >> 16U);
  const std::uint32_t b = (f & 0xffffU) * (g >> 16U) + (g & 0xffffU);
  return a << 16U | (b & 0xffffU);
}

void check_loops(const numbers& v, const parallel_options& options, std::uint32_t with) {
  numbers got(v.size());
  numbers want(v.size());
  const auto f = [&](std::uint32_t x) { return x * 3 + with; };
  licit::parallel_transform(v, got.begin(), f, options);
  std::transform(v.begin(), v.end(), want.begin(), f);
  must_agree("transform", got, want);
  const auto is = [&](std::uint32_t x) { return x % 16 == with % 16; };
  must_agree("find_if", licit::parallel_find_if(v, is, options), std::find_if(v.begin(), v.end(), is));
  std::size_t lowest = v.size();
  try {
    licit::parallel_for(
        std::size_t{0}, v.size(),
        [&](std::size_t i) {
          if (is(v[i])) throw i;
        },
        options);
  } catch (std::size_t i) {
    lowest = i;
  }
  must_agree("the lowest exception", lowest,
             static_cast<std::size_t>(std::find_if(v.begin(), v.end(), is) - v.begin()));
}

void check_reductions(const numbers& v, const parallel_options& options, std::uint32_t with) {
  must_agree("reduce", licit::parallel_reduce(v, with, composed, options),
             std::accumulate(v.begin(), v.end(), with, composed));
  must_agree("reduce_unordered", licit::parallel_reduce_unordered(v, with, composed, options),
             std::accumulate(v.begin(), v.end(), with, composed));
  must_agree("min_element", licit::parallel_min_element(v, std::less<>(), options),
             std::min_element(v.begin(), v.end()));
  numbers got(v.size());
  numbers want(v.size());
  licit::parallel_inclusive_scan(v, got.begin(), composed, options);
  std::inclusive_scan(v.begin(), v.end(), want.begin(), composed);
  must_agree("inclusive_scan", got, want);
  licit::parallel_exclusive_scan(v, got.begin(), with, composed, options);
  std::exclusive_scan(v.begin(), v.end(), want.begin(), with, composed);
  must_agree("exclusive_scan", got, want);
}

void check_orders(const numbers& v, const parallel_options& options, std::uint32_t with) {
  const auto is = [&](std::uint32_t x) { return x % 16 <= with % 16; };
  numbers got(v.size());
  numbers want(v.size());
  must_agree("the end of copy_if", licit::parallel_copy_if(v, got.begin(), is, options) - got.begin(),
             std::copy_if(v.begin(), v.end(), want.begin(), is) - want.begin());
  must_agree("copy_if", got, want);
  got = want = v;
  const auto middle = licit::parallel_partition(got, is, options);
  must_agree("partition", middle - got.begin(), std::count_if(v.begin(), v.end(), is));
  must_agree("partition's parts", std::is_partitioned(got.begin(), got.end(), is), true);
  std::sort(want.begin(), want.end());
  licit::parallel_sort(got, std::less<>(), options);
  must_agree("sort", got, want);
  got = want = v;
  const auto less = [](std::uint32_t a, std::uint32_t b) { return a % 16 < b % 16; };
  licit::parallel_stable_sort(got, less, options);
  std::stable_sort(want.begin(), want.end(), less);
  must_agree("stable_sort", got, want);
}

/// The first byte: which algorithms, and the grain. The second: how often the values are repeated, and a number. Each
/// other: a value.
void check(std::span<const std::uint8_t> input) {
  if (input.size() < 2) return;
  parallel_options options;
  if (const unsigned grain = input[0] >> 2U; grain != 0) options.grain = grain * grain;
  numbers v;
  for (unsigned times = (input[1] >> 2U) * 4U + 1; times != 0; --times) {
    for (const std::uint8_t byte : input.subspan(2)) v.push_back(byte * (times % 3 + 1));
  }
  static licit::scheduler all{{.workers = 3}};
  all.enter([&] {
    switch (input[0] % 3) {
      case 0: return check_loops(v, options, input[1]);
      case 1: return check_reductions(v, options, input[1]);
      default: return check_orders(v, options, input[1]);
    }
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check({data, size});
  return 0;
}
