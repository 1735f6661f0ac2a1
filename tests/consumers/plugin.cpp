// A program and a plug-in that it loads at run time; compiled with LICIT_PLUGIN, this file is the plug-in. Both link
// the shared library, or each links the archive. usage: host PLUGIN together|apart: what the plug-in's task must find.
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

#include <licit/scheduler.hpp>

#if defined(LICIT_PLUGIN)

namespace {

licit::task<int> answer() {
  auto half = licit::spawn([] { return 21; });
  co_await licit::yield_now();
  co_return 2 * co_await half;
}

/// "" or what was thrown.
template <class Call>
std::string thrown(Call&& call) {
  try {
    call();
  } catch (const std::logic_error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

/// Called in a task of the executor. True if all is as `apart` says.
extern "C" [[gnu::visibility("default")]] bool plugin_task(licit::executor& all, bool apart) {
  // A callable runs on an executor that is named, in either case.
  if (licit::spawn(all, [] { return 42; }).get() != 42) return false;
  const std::string unnamed = thrown([] { (void)licit::spawn([] { return 1; }).get(); });
  const std::string coroutine = thrown([&] { (void)licit::spawn(all, answer()).get(); });
  std::printf("callable: %s\ncoroutine: %s\n", unnamed.c_str(), coroutine.c_str());
  if (!apart) return unnamed.empty() && coroutine.empty() && licit::current_executor() == &all;
  return unnamed.find("name the executor") != std::string::npos && unnamed.find("liblicit.so") != std::string::npos &&
         coroutine.find("liblicit.so") != std::string::npos && licit::current_executor() == nullptr;
}

#else

#include <dlfcn.h>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const bool apart = std::strcmp(argv[2], "apart") == 0;
  void* const plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  void* const symbol = plugin != nullptr ? dlsym(plugin, "plugin_task") : nullptr;
  if (symbol == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  const auto task = reinterpret_cast<bool (*)(licit::executor&, bool)>(symbol);
  licit::scheduler workers{{.workers = 2}};
  const bool done = workers.spawn([&] { return task(workers.as_executor(), apart); }).get();
  std::puts(done ? "as it should be" : "something is wrong");
  return done ? 0 : 1;
}

#endif
