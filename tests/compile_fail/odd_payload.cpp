// Three bytes have no lock-free atomic, small as they are.
#include <licit/deque.hpp>

struct colour {
  unsigned char channels[3];
};

struct padded_colour {
  unsigned char channels[4];
};

int main() {
#ifdef LICIT_LAWFUL
  licit::owner<padded_colour> mine;
#else
  licit::owner<colour> mine;
#endif
  return static_cast<int>(mine.size());
}
