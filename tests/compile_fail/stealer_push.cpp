// A thief has no push: only the owner writes the bottom end.
#include <licit/deque.hpp>

int main() {
  licit::owner<int> mine;
  licit::stealer<int> thief = mine.stealer();
#ifdef LICIT_LAWFUL
  mine.push(1);
#else
  thief.push(1);
#endif
  return static_cast<int>(thief.size());
}
