// licit_stress_STRUCTURE: the rows of one structure on real threads.
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <licit/deque/membarrier.hpp>

#include "machine/qemu/guest.hpp"
#include "machine/stress/options.hpp"
#include "machine/stress/subject.hpp"
#include "machine/stress/watch.hpp"

namespace licit::stress {

namespace {

void write(const options& o, const std::vector<found_by>& all) {
  std::ofstream out(o.json);
  out << json_of(subjects().front().structure, o.machine, all);
  if (!out.flush()) throw std::runtime_error("cannot write " + o.json);
}

void say(const found_by& l) {
  const result& r = l.found;
  std::printf("%-32.*s %-28.*s seed %-3llu %10llu executions %8.2f s  %s\n", static_cast<int>(l.row.size()),
              l.row.data(), static_cast<int>(l.program.size()), l.program.data(),
              static_cast<unsigned long long>(l.seed), static_cast<unsigned long long>(r.executions), r.seconds,
              r.caught ? r.what.c_str() : "-");
  std::fflush(stdout);
}

std::vector<const subject*> chosen(const options& o) {
  std::vector<const subject*> all;
  for (const subject& s : subjects()) {
    if ((o.row.empty() || s.row == o.row) && (o.program.empty() || s.program == o.program)) all.push_back(&s);
  }
  if (all.empty()) {
    throw std::invalid_argument("no row \"" + o.row + "\" with program \"" + o.program + "\" here: see --list");
  }
  return all;
}

int list() {
  for (const subject& s : subjects()) {
    std::printf("%.*s\t%.*s\n", static_cast<int>(s.row.size()), s.row.data(), static_cast<int>(s.program.size()),
                s.program.data());
  }
  return 0;
}

/// Light fences rest on it; registered here, children have it too.
void need_membarrier() {
  const fence_choice& fences = asymmetric_fences();
  if (!fences.asymmetric) throw std::runtime_error("asymmetric fences cannot be tested here: " + fences.text());
}

int run(const options& o) {
  need_membarrier();
  const bool plugin = qemu::guest::present();
  patience p;
  if (sanitizer::present) p.asleep = sanitizer::asleep;
  std::vector<found_by> all;
  bool caught = false;
  for (const subject* s : chosen(o)) {
    for (std::uint64_t seed = o.seed; seed != o.seed + o.seeds; ++seed) {
      const task t{s, seed, o.first, o.executions, o.seconds};
      all.push_back({s->row, s->program, seed, watch(t, plugin, p)});
      caught = caught || all.back().found.caught;
      if (o.json.empty()) say(all.back());
    }
  }
  if (!o.json.empty()) write(o, all);
  return caught ? 1 : 0;
}

}  // namespace

}  // namespace licit::stress

int main(int count, char** words) {
  using namespace licit::stress;
  try {
    const options o = parse({words + 1, words + count});
    if (o.help) return std::fputs(help(*words).c_str(), stdout) < 0 ? 2 : 0;
    return o.list ? list() : run(o);
  } catch (const no_verdict& e) {
    std::fprintf(stderr, "%s: %s\n", *words, e.what());
    return e.status;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", *words, e.what());
    return 2;
  }
}
