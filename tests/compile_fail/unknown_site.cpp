// An operation cannot name a site that its structure's table does not have.
#include <licit/deque/chase_lev_orders.hpp>

int main() {
#ifdef LICIT_LAWFUL
  constexpr auto site = licit::site_of<licit::chase_lev_orders, "push.publish">;
#else
  constexpr auto site = licit::site_of<licit::chase_lev_orders, "push.nowhere">;
#endif
  return static_cast<int>(site.index);
}
