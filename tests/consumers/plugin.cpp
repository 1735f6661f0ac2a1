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
  const std::string unnamed = thrown([] { (void)licit::spawn([] { return 1; }).get(); });
  const std::string named = thrown([&] { (void)licit::spawn(all, [] { return 1; }).get(); });
  const std::string coroutine = thrown([&] { (void)licit::spawn(all, answer()).get(); });
  std::printf("no executor named: %s\nexecutor named: %s\ncoroutine: %s\n", unnamed.c_str(), named.c_str(),
              coroutine.c_str());
  if (!apart) return unnamed.empty() && named.empty() && coroutine.empty() && licit::current_executor() == &all;
  licit::scheduler own{{.workers = 1}};  // a scheduler of the plug-in's own works
  return unnamed.find("link both with the shared library") != std::string::npos &&
         named.find("has linked a copy of licit of its own") != std::string::npos && coroutine == named &&
         licit::current_executor() == nullptr && own.spawn(answer()).get() == 42;
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
