// A reduction has the same bits on one worker and on several, where products are fused with sums.
#include <cstdio>
#include <vector>

#include <licit/parallel.hpp>
#include <licit/scheduler.hpp>

int main() {
  if (!__builtin_cpu_supports("fma")) return 77;
  std::vector<double> values(100'003);
  for (std::size_t i = 0; i != values.size(); ++i) values[i] = static_cast<double>(i % 1'000) - 333.3;
  const auto mixed = [](double a, double b) { return a * 0.5 + b * 0.3; };
  const auto reduced = [&] { return licit::parallel_reduce(values, 0.0, mixed, {.grain = 1}); };

  licit::scheduler one({.workers = 1, .stealing = false});
  const double right = one.enter(reduced);
  licit::scheduler several({.workers = 3});
  constexpr int rounds = 200;
  int others = 0;
  for (int i = 0; i != rounds; ++i) others += several.enter(reduced) != right ? 1 : 0;
  std::printf("%d of %d rounds have other bits\n", others, rounds);
  return others == 0 ? 0 : 1;
}
