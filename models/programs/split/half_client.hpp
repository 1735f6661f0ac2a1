/// What the programs with steal_half share: thieves that have deques of their own.
#ifndef LICIT_MODELS_PROGRAMS_SPLIT_HALF_CLIENT_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_HALF_CLIENT_HPP

#include <array>
#include <cstddef>
#include <optional>

#include "programs/split/client.hpp"

namespace licit::models::on_split {

template <class Model, std::size_t Items, std::size_t Thieves, std::size_t Room = 4>
class half_client : public client<Model, Items> {
 public:
  using client<Model, Items>::client;

  /// Thief number `t` (from 0): half, into its own deque. FIFO, as a steal. Nothing if it is left out.
  std::optional<outcome> raid(std::size_t t = 0) {
    if (Model::leaves_out("raid")) return std::nullopt;
    const auto got = Model::within(half_operations, [&] { return this->deque().steal_half(own_[t], most); });
    if (!got) return got.what();
    Model::check(got.moved() < most && got.moved() <= Room, "steal_half brought more than it may");
    this->take_in_order(*got, t);
    first_[t] = *got;
    return outcome::taken;
  }

  /// Thief number `t`: takes what is left of its last raid, youngest first.
  void unload(std::size_t t = 0) {
    if (Model::leaves_out("unload")) return;
    int younger = static_cast<int>(Items) + 1;
    while (const auto got = own_[t].pop()) {
      Model::check(*got > first_[t] && *got < younger, "LIFO: what came along is not in the order of its push");
      younger = *got;
      this->take(*got);
    }
  }

  /// Anybody but thief `t`: steals one from that thief's own deque.
  std::optional<outcome> rob(std::size_t t = 0) {
    if (Model::leaves_out("rob")) return std::nullopt;
    const auto got = own_[t].steal();
    if (!got) return got.what();
    this->take(*got);
    return outcome::taken;
  }

  /// Main thread, at the end. A thief that was stopped for good may have one raid's items in its hands, and others
  /// private in its own deque.
  void settle() {
    int in_hand = 0;
    for (std::size_t t = 0; t != Thieves; ++t) {
      if (Model::stalled(static_cast<unsigned>(t) + 1)) {
        while (const auto left = own_[t].steal()) this->take(*left);
        in_hand += static_cast<int>(own_[t].size() + most - 1);
      } else {
        unload(t);
      }
    }
    client<Model, Items>::settle(in_hand);
  }

 private:
  static constexpr std::size_t most = 3;
  static constexpr std::size_t half_operations = 4 + 2 * most + 3 + 3;

  struct own_deque : split_deque<int, Model> {
    own_deque() : split_deque<int, Model>({.initial_capacity = Room, .maximum_capacity = Room}) {}
  };

  std::array<own_deque, Thieves> own_;
  std::array<int, Thieves> first_{};  // each entry one thief's: what its last raid gave it
};

}  // namespace licit::models::on_split

#endif
