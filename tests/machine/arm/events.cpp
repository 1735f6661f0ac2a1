/// How many events a second execution.hpp builds: arm_events [events of an execution]. Random loads, stores, updates
/// and barriers of four threads on eight locations, where loads choose any write that they may read.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>

#include "assembler.hpp"
#include "machine/arm/execution.hpp"

namespace {

using namespace licit;
using namespace licit::arm_test;

class any : public arm::chooser {
 public:
  explicit any(std::mt19937& r) : r_(r) {}
  std::size_t choose(std::size_t n) override { return r_() % n; }

 private:
  std::mt19937& r_;
};

struct kinds {
  arm::instruction load = arm::decode(ldr(0, 1)), acquire = arm::decode(ldar(0, 1)), store = arm::decode(str(0, 1)),
                   release = arm::decode(stlr(0, 1)), update = arm::decode(swp(0, 2, 1, ordering::both)),
                   fence = arm::decode(dmb_ish), sum = arm::decode(eor(0, 0, 2)), test = arm::decode(cbnz(0, 1));
};

void one(arm::execution& e, const kinds& k, std::mt19937& r, any& by) {
  const unsigned t = r() % 4;
  const std::uint64_t address = 0x1000 + r() % 8 * 8;
  switch (r() % 8) {
    case 0:
    case 1:
    case 2: e.load(t, 0, k.load, address, by); break;
    case 3: e.load(t, 0, k.acquire, address, by); break;
    case 4: e.store(t, 0, k.store, address, {r()}, by); break;
    case 5: e.store(t, 0, k.release, address, {r()}, by); break;
    case 6: e.update(t, 0, k.update, address, e.latest_value(address, 4), r()); break;
    default: e.step(t, 0, k.fence); break;
  }
  e.step(t, 0, k.sum);
  e.step(t, 0, k.test);
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned long wanted = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100;
  constexpr unsigned long all = 3'000'000;
  arm::execution e([](std::uint64_t, unsigned) { return std::uint64_t{0}; });
  std::mt19937 r(1);
  any by(r);
  const kinds k;
  unsigned long done = 0;
  const std::clock_t start = std::clock();
  while (done < all) {
    e.begin(4);
    while (e.size() < wanted) one(e, k, r, by);
    done += e.size();
  }
  const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("%lu events an execution: %.2f million events a second of processor time\n", wanted,
              static_cast<double>(done) / took / 1e6);
}
