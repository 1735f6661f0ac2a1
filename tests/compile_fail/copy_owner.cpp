// An owner is move-only: a copy would be a second owner of one deque.
#include <utility>

#include <licit/deque.hpp>

int main() {
  licit::owner<int> mine;
#ifdef LICIT_LAWFUL
  licit::owner<int> second = std::move(mine);
#else
  licit::owner<int> second = mine;
#endif
  return static_cast<int>(second.size());
}
