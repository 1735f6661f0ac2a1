/// What runs a client line on a deque or queue of the gallery, and makes a showing of it.
#ifndef LICIT_MODELS_GALLERY_CLIENT_HPP
#define LICIT_MODELS_GALLERY_CLIENT_HPP

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include <licit/checker/run.hpp>

#include "gallery/account.hpp"
#include "gallery/gallery.hpp"
#include "suites/program.hpp"

namespace licit::models::gallery {

/// Lines for a `Deque`, which has
///
///     static constexpr discipline kept;   // the order that it promises
///     bool push(int item);                // owner; false: it is full
///     int pop();                          // owner; `none`: nothing there
///     int steal();                        // any thread; `none`: nothing there, or lost
///     void grab(auto&& taken);            // any thread, several items at once: calls taken(item) for each
///
/// It may lack one of the last two; then no line may call that.
template <class Deque>
struct lines_on {
  static constexpr bool steals = requires(Deque d) { d.steal(); };
  static constexpr bool grabs = requires(Deque d) { d.grab([](int) {}); };

  template <class Model>
  class client {
   public:
    enum : std::uint8_t { push_word, pop_word, steal_word, grab_word };
    static constexpr std::array words{"push", "pop", "steal", "grab"};
    static constexpr std::array<const char*, 0> settings{};

    explicit client(const suites::line& l) : account_{l.count(push_word)} {}

    bool perform(unsigned thread, const suites::call& c) {
      switch (c.word) {
        case push_word: return push();
        case pop_word: return pop();
        case steal_word: return steal(thread);
        default: return grab(thread);
      }
    }

    /// What is left is taken, by the owner's way and a thief's; then nothing may be missing.
    void settle() {
      do {
        while (pop()) {
        }
      } while (steal(suites::line::most_threads - 1));
      account_.settle();
    }
    void leave() {}

   private:
    bool push() {
      const bool done = deque_.push(account_.open());
      if (!done) account_.refuse();
      return done;
    }
    bool pop() {
      const int item = deque_.pop();
      account_.popped(item);
      return item != none;
    }
    bool steal(unsigned taker) {
      if constexpr (steals) {
        const int item = deque_.steal();
        account_.stolen(item, taker);
        return item != none;
      }
      return false;
    }
    bool grab(unsigned taker) {
      bool any = false;
      if constexpr (grabs) {
        deque_.grab([&](int item) {
          account_.stolen(item, taker);
          any = true;
        });
      }
      return any;
    }

    Deque deque_;
    account<Model, Deque::kept> account_;
  };

  /// Throws std::invalid_argument for text that is no line, or calls what the deque has not.
  static suites::line parse(std::string_view text) {
    using on_model = client<checker::model>;
    const suites::line l = suites::parse(text, suites::vocabulary_of<on_model>());
    if ((!steals && l.count(on_model::steal_word) != 0) || (!grabs && l.count(on_model::grab_word) != 0)) {
      throw std::invalid_argument("the line \"" + std::string(text) + "\" calls what its deque has not");
    }
    return l;
  }
};

/// Explores a line on a deque.
template <class Deque>
checker::explorer on(std::string_view line) {
  using program = suites::line_program<lines_on<Deque>::template client, checker::model>;
  const suites::line parsed = lines_on<Deque>::parse(line);
  return [parsed](const checker::options& o) { return checker::run_program_with<program>(parsed, parsed.threads, o); };
}

template <class Deque>
showing show(std::string_view line, std::string_view size, const expectation& cxx20, const expectation& cxx11) {
  return {line, size, cxx20, cxx11, on<Deque>(line)};
}

template <class Deque>
showing show(std::string_view line, std::string_view size, const expectation& both) {
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): a std::function owns it
  return show<Deque>(line, size, both, both);
}

}  // namespace licit::models::gallery

#endif
