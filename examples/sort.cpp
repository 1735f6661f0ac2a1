// A parallel sort, with a picture of it: which worker stole which half from which, and which worker waited. Or the
// sort's work and span.
//
// `sort t.json` writes a trace, from which `licit trace t.json` makes a page. `sort --span` says whether more
// processors would help. A second argument says how many numbers to sort.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string_view>
#include <vector>

#include <licit/parallel.hpp>
#include <licit/scheduler.hpp>

int main(int argc, char** argv) {
  const long wanted = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 1'000'000;
  if (wanted < 0) return std::fputs("the number of items is negative\n", stderr), 2;
  std::vector<std::uint32_t> items(static_cast<std::size_t>(wanted));
  std::ranges::generate(items, std::mt19937(1));

  const bool measures = argc > 1 && std::string_view(argv[1]) == "--span";
  licit::scheduler workers{{.workers = 4, .thread_name = "sort-", .trace_events = std::size_t{1} << 14}};
  licit::span_report report;
  workers
      .spawn_with({.name = "sort"},
                  [&] {
                    if (!measures) return licit::parallel_sort(items);
                    report = licit::measure_span([&] { licit::parallel_sort(items); });
                  })
      .get();
  workers.shutdown();
  if (measures) {
    std::fputs(text_table(report).c_str(), stdout);
  } else if (argc > 1) {
    std::ofstream out(argv[1]);
    workers.write_trace(out);
    if (!out) return std::fprintf(stderr, "cannot write %s\n", argv[1]), 2;
  }
  const bool sorted = std::ranges::is_sorted(items);
  std::printf("%zu items, %s\n", items.size(), sorted ? "sorted" : "NOT sorted");
  return sorted ? 0 : 1;
}
