/// What the parker's client programs share: a parker a thread, and letters that are written before an unpark.
#ifndef LICIT_MODELS_PROGRAMS_PARKER_CLIENT_HPP
#define LICIT_MODELS_PROGRAMS_PARKER_CLIENT_HPP

#include <array>
#include <cstddef>

#include <licit/scheduler/idle/parker.hpp>

#include "program.hpp"

namespace licit::models::on_parker {

/// Each letter has one writer; a reader that no token has told of it is a race.
template <class Model, std::size_t Parkers, std::size_t Letters>
class client {
 public:
  client() { Model::name(letters_, "letter"); }

  void park(std::size_t t) { parkers_[t].park(); }
  void unpark(std::size_t t) {
    Model::within(steps(), [&] { parkers_[t].unpark(); });
  }
  void write(std::size_t letter) { letters_[letter].write(written); }
  void read(std::size_t letter) {
    Model::check(letters_[letter].read() == written, "a park returned, and what was written before it was not there");
  }

 private:
  static constexpr int written = 7;

  /// The swap and the wake; a broken one's may be more, which is not what is wrong with it.
  static constexpr std::size_t steps() {
    if constexpr (requires { Model::unpark_steps; }) return Model::unpark_steps;
    return 2;
  }

  std::array<parker<Model>, Parkers> parkers_;
  std::array<typename Model::template plain<int>, Letters> letters_{};
};

}  // namespace licit::models::on_parker

#endif
