// 24 bytes have no lock-free atomic.
#include <licit/deque.hpp>

struct wide {
  long words[3];
};

int main() {
#ifdef LICIT_LAWFUL
  licit::owner<wide*> mine;
#else
  licit::owner<wide> mine;
#endif
  return static_cast<int>(mine.size());
}
