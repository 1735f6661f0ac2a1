#ifndef LICIT_MODELS_PROGRAMS_CHASE_LEV_RESTORED_BOTTOM_HPP
#define LICIT_MODELS_PROGRAMS_CHASE_LEV_RESTORED_BOTTOM_HPP

#include <array>
#include <cstddef>
#include <string_view>

#include "programs/chase_lev/client.hpp"

namespace licit::models {

/// Where no slot serves two indices, a thief's guess is an item whose push happens before the guess: the thief has read
/// a bottom above the item, whatever store that bottom came from. That must hold also if its claim then fails. Here the
/// claim of a thief that read a restored bottom always fails, because the owner's claim comes before that store; a
/// machine may store first (load buffering, which the checker does not explore), and let the thief win. So each slot
/// has a plain cell an item beside it, which the push writes and the guess reads.
template <class Model, std::size_t Items>
struct guesses_published : Model {
  template <class T>
  class atomic : public Model::template atomic<T> {
   public:
    using base = typename Model::template atomic<T>;
    using base::base;

    template <class Site>
    T load(Site site) const {
      const T value = base::load(site);
      if constexpr (std::string_view(Site::entry.site) == "steal.item") {
        Model::check(value >= 1 && value <= static_cast<T>(Items),
                     "a guess at a slot that no push is known to have written");
        (void)published_[static_cast<std::size_t>(value - 1)].read();
      }
      return value;
    }
    template <class Site>
    void store(T value, Site site) {
      if constexpr (std::string_view(Site::entry.site) == "push.item") {
        published_[static_cast<std::size_t>(value - 1)].write(1);
      }
      base::store(value, site);
    }

   private:
    std::array<typename Model::template plain<int>, Items> published_;
  };
};

template <class Model>
struct restored_bottom : client<guesses_published<Model, 3>, 3> {
  static constexpr program_info about{
      "restored_bottom", "an index is used twice: the bottom that pop puts back publishes the item that lies there now",
      2, reach::bounded};

  restored_bottom() : client<guesses_published<Model, 3>, 3>({.initial_capacity = 2}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->pop();
      this->push();
      this->pop();
    } else {
      this->steal();
      this->steal();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models

#endif
