// A program and a plug-in that it loads at run time; compiled with LICIT_PLUGIN, this file is the plug-in. Both link
// the shared library, or each links the archive. usage: host PLUGIN together|apart|soak|lost [TASKS]: what the
// plug-in's task must find; or rounds in which the two await each other's tasks, 4 times TASKS, and the plug-in is
// loaded and unloaded, `lost` as if one result was.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <licit/scheduler.hpp>

/// What each side of the soak offers to the other, and what became of the tasks.
struct ledger {
  std::atomic<std::int64_t> alive = 0;  ///< results and callables that count themselves
  licit::join_handle<std::uint64_t> (*host_task)(licit::executor&, ledger&, std::uint64_t) = nullptr;
};

namespace {

/// Counts itself; at its end it joins the task that it owns.
class owner {
 public:
  owner(ledger& all, licit::join_handle<std::uint64_t> owned) : all_{&all}, owned_{std::move(owned)} { ++all_->alive; }
  owner(owner&& o) noexcept : all_{std::exchange(o.all_, nullptr)}, owned_{std::move(o.owned_)} {}
  owner& operator=(owner&&) = delete;
  owner(const owner&) = delete;
  owner& operator=(const owner&) = delete;
  ~owner() {
    if (all_ == nullptr) return;
    if (owned_.joinable()) (void)owned_.get();
    --all_->alive;
  }

 private:
  ledger* all_;
  licit::join_handle<std::uint64_t> owned_;
};

}  // namespace

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

namespace {

licit::task<std::uint64_t> waits(licit::join_handle<std::uint64_t> awaited) { co_return co_await awaited; }

/// Half of its tasks are the host's; results that join in their destructors are dropped, and some tasks are cancelled.
licit::task<std::uint64_t> mixed(licit::executor& to, ledger& all, std::uint64_t tasks) {
  std::uint64_t sum = 0;
  std::vector<licit::join_handle<std::uint64_t>> open;
  for (std::uint64_t i = 0; i != tasks; ++i) {
    switch (i % 4) {
      case 0: open.push_back(licit::spawn(waits(all.host_task(to, all, i)))); break;
      case 1: {
        auto dropped =
            licit::spawn([&to, &all, i] { return owner(all, all.host_task(to, all, 3 * i)); });  // a callable
        dropped.detach();
        sum += i;
        break;
      }
      case 2: {
        auto stopped = licit::spawn(waits(all.host_task(to, all, i)));
        co_await licit::yield_now();
        stopped.request_stop();
        try {
          (void)co_await stopped;
        } catch (const licit::task_cancelled&) {  // or it was too late
        }
        sum += i;
        break;
      }
      default: open.push_back(licit::spawn([held = owner(all, {}), i] { return i; }));
    }
    if (i % 32 != 31 && i + 1 != tasks) continue;
    for (auto& each : open) sum += co_await each;
    open.clear();
  }
  co_return sum;
}

}  // namespace

extern "C" [[gnu::visibility("default")]] void plugin_soak(licit::executor& to, ledger& all, std::uint64_t tasks,
                                                           licit::join_handle<std::uint64_t>& made) {
  made = licit::spawn(to, mixed(to, all, tasks));
}

#else

#include <dlfcn.h>

namespace {

licit::task<std::uint64_t> later(std::unique_ptr<std::uint64_t> value, owner /*held*/) {
  co_await licit::yield_now();
  co_return *value;
}
licit::join_handle<std::uint64_t> host_task(licit::executor& to, ledger& all, std::uint64_t i) {
  if (i % 3 == 0) return licit::spawn(to, [held = owner(all, {}), i] { return i; });
  return licit::spawn(to, later(std::make_unique<std::uint64_t>(i), owner(all, {})));
}

/// The plug-in may be unloaded when the scheduler that ran its tasks has been shut down, and its handles are gone.
bool soak(const char* plugin, std::uint64_t tasks, licit::local_order order, std::int64_t lost) {
  ledger all{.alive = lost, .host_task = &host_task};
  void* const loaded = dlopen(plugin, RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) return std::fprintf(stderr, "%s\n", dlerror()), false;
  using entry = void (*)(licit::executor&, ledger&, std::uint64_t, licit::join_handle<std::uint64_t>&);
  const auto begin = reinterpret_cast<entry>(dlsym(loaded, "plugin_soak"));
  if (begin == nullptr) return std::fprintf(stderr, "%s\n", dlerror()), false;
  bool right = true;
  licit::shutdown_report report;
  std::thread([&] {  // which ends: what it has made of the plug-in's thread_local variables keeps that loaded
    licit::scheduler workers{{.workers = 3, .order = order, .local_capacity = 16}};
    std::vector<licit::join_handle<std::uint64_t>> made(4);
    for (auto& one : made) begin(workers.as_executor(), all, tasks, one);
    for (auto& one : made) right = one.get() == tasks * (tasks - 1) / 2 && right;
    report = workers.shutdown();
    const auto counts = workers.metrics().total().counts;
    right = right && report.complete() && report.finished == counts.finished && counts.threw == 0 &&
            report.finished + report.cancelled == workers.metrics().spawned_outside + counts.spawned;
  })
      .join();
  dlclose(loaded);
  const bool unloaded = dlopen(plugin, RTLD_NOW | RTLD_NOLOAD) == nullptr;
  if (!unloaded) std::puts("the plug-in is still loaded");
  std::printf("%llu finished, %llu cancelled, %lld left\n", static_cast<unsigned long long>(report.finished),
              static_cast<unsigned long long>(report.cancelled), static_cast<long long>(all.alive.load()));
  return right && unloaded && all.alive == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) return 2;
  const bool lost = std::strcmp(argv[2], "lost") == 0;
  if (lost || std::strcmp(argv[2], "soak") == 0) {
    const std::uint64_t tasks = argc == 4 ? std::strtoull(argv[3], nullptr, 10) : 10'000;
    bool right = tasks != 0;
    for (int round = 0; round != 10; ++round) {
      right =
          soak(argv[1], tasks, round % 2 == 0 ? licit::local_order::fifo : licit::local_order::lifo, lost ? 1 : 0) &&
          right;
    }
    std::puts(right ? "as it should be" : "something is wrong");
    return right ? 0 : 1;
  }
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
