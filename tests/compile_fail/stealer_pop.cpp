// A thief has no pop.
#include <licit/deque.hpp>

int main() {
  licit::owner<int> mine;
  licit::stealer<int> thief = mine.stealer();
#ifdef LICIT_LAWFUL
  return mine.pop().has_value();
#else
  return thief.pop().has_value();
#endif
}
