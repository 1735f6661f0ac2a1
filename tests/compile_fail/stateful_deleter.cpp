// The slot holds the pointer only, so a deleter with state would be lost.
#include <memory>

#include <licit/deque.hpp>

struct logging_deleter {
  int log = 0;
  void operator()(int* p) const { delete p; }
};

int main() {
#ifdef LICIT_LAWFUL
  licit::owner<std::unique_ptr<int>> mine;
#else
  licit::owner<std::unique_ptr<int, logging_deleter>> mine;
#endif
  return static_cast<int>(mine.size());
}
