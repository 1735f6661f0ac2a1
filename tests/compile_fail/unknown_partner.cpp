// A table whose row names a partner that is not in it does not even answer whether it is consistent.
#include <licit/deque/order.hpp>

namespace rows = licit::rows;

#ifdef LICIT_LAWFUL
constexpr const char* partner = "take";
#else
constexpr const char* partner = "nowhere";
#endif

constexpr licit::table orders{"example",
                              {rows::store("give", licit::order::release, {partner}, "publishes"),
                               rows::load("take", licit::order::acquire, {"give"}, "reads what give publishes")}};

static_assert(orders.consistent());

int main() { return 0; }
