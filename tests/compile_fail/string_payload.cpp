// A std::string is not trivially copyable: a thief's guess would read it while the owner overwrites it.
#include <string>

#include <licit/deque.hpp>

int main() {
#ifdef LICIT_LAWFUL
  licit::owner<const std::string*> mine;
#else
  licit::owner<std::string> mine;
#endif
  return static_cast<int>(mine.size());
}
