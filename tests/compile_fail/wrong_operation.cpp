// A site is for one kind of operation: a store at a load's site does not compile.
#include <licit/deque/chase_lev_orders.hpp>
#include <licit/deque/native.hpp>

int main() {
  licit::native::atomic<int> cell;
#ifdef LICIT_LAWFUL
  cell.store(1, licit::site_of<licit::chase_lev_orders, "push.item">);
#else
  cell.store(1, licit::site_of<licit::chase_lev_orders, "pop.item">);
#endif
  return 0;
}
