/// Programs over std.hpp: a body that starts its threads, in the surroundings that the engine asks for.
#include "standard/program.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <licit/checker/std.hpp>

#include "core/executor.hpp"
#include "show/words.hpp"

namespace licit::checker::detail {

namespace {

class standard_program;
standard_program* current = nullptr;

class standard_program final : public surroundings {
 public:
  standard_program(const std::function<void()>& body, const options& o, outcomes* said)
      : body_{body}, engine_{o}, leaks_{o.leaks}, outcomes_{said}, outer_{std::exchange(current, this)} {}
  ~standard_program() override { current = outer_; }
  standard_program(const standard_program&) = delete;
  standard_program& operator=(const standard_program&) = delete;

  verdict explore() {
    verdict v = engine_.explore({.threads = max_threads,
                                 .size = 1,
                                 .alignment = 1,
                                 .construct = nullptr,
                                 .thread = [](void* /*object*/, unsigned t) { current->run(t); },
                                 .finish = nullptr,
                                 .destroy = nullptr,
                                 .around = this});
    if (v.outcome == outcome::violation) add_places(v);
    return v;
  }

  /// Nothing else runs between the engine's answer and the line that follows it.
  unsigned start(std::unique_ptr<started> call, const char* label, const void* frame) {
    if (engine_.thread() == 0) {
      const auto* const top = static_cast<const std::byte*>(frame);
      shared_stack_ = shared_stack_ == nullptr ? top : std::min(shared_stack_, top);
    }
    const unsigned number = engine_.spawn(label);
    calls_[number] = call.release();
    return number;
  }
  void join(unsigned number, const char* label) { engine_.join(number, label); }
  void say(std::string_view text) {
    const heap::scope engine{nullptr};
    std::string& all = said_[engine_.thread()];
    all.append(all.empty() ? "" : " ").append(text);
  }

  /// The event that comes next is at this place.
  void note_plain(const source_site& at) {
    const heap::scope engine{nullptr};
    const unsigned t = engine_.thread();
    const std::size_t next = engine_.cursor();
    if (plain_[t].size() <= next) plain_[t].resize(next + 1);
    plain_[t][next] = at.label.data();
    last_ = {t, &at};
  }

  [[nodiscard]] executor& engine() { return engine_; }

 private:
  void run(unsigned t) {
    if (t == 0) {
      body_();
    } else {
      engine_.begin();
      const std::unique_ptr<started> call{std::exchange(calls_[t], nullptr)};
      call->run();
    }
    engine_.finish();
  }

  void reset() override {
    calls_ = {};
    shared_stack_ = nullptr;
    for (auto& own : thread_locals_of_) own.clear();
    for (std::string& s : said_) s.clear();
    for (auto& labels : plain_) labels.clear();
  }
  void enter(unsigned thread) override { thread_locals_.enter(thread_locals_of_[thread]); }
  void leave(unsigned thread) override { thread_locals_.leave(thread_locals_of_[thread]); }
  void ended(bool counts) override {
    check_leaks();
    if (!counts || outcomes_ == nullptr) return;
    std::string all;
    for (const std::string& s : said_) all.append(all.empty() || s.empty() ? "" : " ").append(s);
    if (!all.empty()) ++(*outcomes_)[all];
  }
  /// The engine does not ask plain accesses for labels: they are put into the graph when it is to be shown.
  void describe() override {
    auto& g =
        const_cast<graph&>(engine_.current());  // NOLINT(cppcoreguidelines-pro-type-const-cast): the search is over
    for (unsigned t = 0; t != max_threads; ++t) {
      for (const event_id id : g.thread(t)) {
        event& e = g[id];
        if (e.index < plain_[t].size() && plain_[t][e.index] != nullptr) e.op.site = plain_[t][e.index];
      }
    }
  }
  /// What threads share besides memory: where the body keeps its variables.
  [[nodiscard]] std::span<const std::byte> globals() const override {
    return shared_stack_ == nullptr ? std::span<const std::byte>{} : std::span(shared_stack_, engine_.stack_bottom(0));
  }
  [[nodiscard]] std::span<const std::byte> thread_locals_of(unsigned /*thread*/) const override { return {}; }

  void check_leaks() {
    const memory& m = engine_.memory();
    const block_id lost = m.leaked();
    if (!leaks_ || lost == no_block) return;
    offence by;
    const graph& g = engine_.current();
    for (event_id id = 0; id != g.size(); ++id) {
      if (g[id].op.what == action::allocate && g[id].op.location == lost) by.events.push_back(id);
    }
    engine_.fail(
        violation::leak,
        std::to_string(m.at(lost).size) + " bytes that " + thread_name(m.at(lost).maker) + " allocated are never freed",
        by);
  }

  /// The operation that was not done is no event of the graph, so its step has no label yet.
  void add_places(verdict& v) const {
    bool is_new = false;
    for (execution::step& s : v.picture.steps) {
      if (!s.offends || !s.site.empty() || s.strength != "plain" || s.thread != last_.first) continue;
      s.site = last_.second->label.data();
      is_new = true;
    }
    if (is_new) v.trace = text(v.picture);
    if (v.kind != violation::race) return;
    std::string places;
    for (const execution::step& s : v.picture.steps) {
      if (s.offends && !s.site.empty()) places += (places.empty() ? " [" : " and ") + placed(s.site);
    }
    if (!places.empty()) v.message += places + "]";
    v.picture.message = v.message;
  }
  static std::string placed(const std::string& label) {
    for (const source_site* s : all_source_sites()) {
      if (s->label.data() == label && !s->function.empty()) return label + " in " + s->function;
    }
    return label;
  }

  const std::function<void()>& body_;
  executor engine_;
  bool leaks_;
  outcomes* outcomes_;
  standard_program* outer_;
  thread_locals thread_locals_;
  std::array<detail::thread_locals::kept, max_threads + 1> thread_locals_of_{};
  std::array<started*, max_threads> calls_{};  ///< in the program's memory
  const std::byte* shared_stack_ = nullptr;    ///< what the body had on its stack when it started threads
  std::array<std::string, max_threads> said_{};
  std::array<std::vector<const char*>, max_threads> plain_{};  ///< labels of plain accesses, by their event's index
  std::pair<unsigned, const source_site*> last_{0, nullptr};   ///< the last of them
};

standard_program& running_program() {
  if (current == nullptr || heap::in_use() == nullptr) {
    engine::running().fail_check("threads are started by the body of licit::checker::check; others are thread(i)");
  }
  return *current;
}

}  // namespace

bool is_standard_program() { return current != nullptr; }
void note_plain(const source_site& at) { current->note_plain(at); }

bool is_of_program(const void* p) {
  const auto arenas = current->engine().memory().arenas();
  return p >= arenas.data() && p < arenas.data() + arenas.size();
}

unsigned start_thread(std::unique_ptr<started> call, const char* label, const void* frame) {
  return running_program().start(std::move(call), label, frame);
}
void join_thread(unsigned number, const char* label) { running_program().join(number, label); }
unsigned this_thread_number() { return static_cast<executor&>(engine::running()).thread(); }

}  // namespace licit::checker::detail

namespace licit::checker {

verdict check(const std::function<void()>& body, const options& o, outcomes* said) {
  detail::link_operators();
  return detail::standard_program(body, o, said).explore();
}

void say(const char* format, ...) {
  std::array<char, 512> text{};
  va_list list;
  va_start(list, format);
  std::vsnprintf(text.data(), text.size(), format, list);
  va_end(list);
  if (detail::is_standard_program()) detail::current->say(text.data());
}

}  // namespace licit::checker
