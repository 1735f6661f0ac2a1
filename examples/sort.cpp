// A parallel sort, and a picture of it: who stole which half from whom, and who waited.
//
// `sort t.json` writes a trace, of which `licit trace t.json` makes a page. `sort t.json 10000000` sorts so many
// numbers.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <vector>

#include <licit/parallel.hpp>
#include <licit/scheduler.hpp>

int main(int argc, char** argv) {
  const long wanted = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 1'000'000;
  if (wanted < 0) return std::fputs("the number of items is negative\n", stderr), 2;
  std::vector<std::uint32_t> items(static_cast<std::size_t>(wanted));
  std::ranges::generate(items, std::mt19937(1));

  licit::scheduler workers{{.workers = 4, .thread_name = "sort-", .trace_events = std::size_t{1} << 14}};
  workers.spawn_with({.name = "sort"}, [&] { licit::parallel_sort(items); }).get();
  workers.shutdown();
  if (argc > 1) {
    std::ofstream out(argv[1]);
    workers.write_trace(out);
    if (!out) return std::fprintf(stderr, "cannot write %s\n", argv[1]), 2;
  }
  const bool sorted = std::ranges::is_sorted(items);
  std::printf("%zu items, %s\n", items.size(), sorted ? "sorted" : "NOT sorted");
  return sorted ? 0 : 1;
}
