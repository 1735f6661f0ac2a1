// A site is for one kind of operation: an exchange at a compare-exchange's site does not compile.
#include <licit/deque/chase_lev_orders.hpp>
#include <licit/deque/native.hpp>

int main() {
  licit::native::atomic<int> cell;
#ifdef LICIT_LAWFUL
  int expected = 0;
  cell.compare_exchange_weak(expected, 1, licit::site_of<licit::chase_lev_orders, "steal.claim">);
#else
  cell.exchange(1, licit::site_of<licit::chase_lev_orders, "steal.claim">);
#endif
  return 0;
}
