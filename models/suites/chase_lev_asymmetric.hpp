/// The Chase-Lev deque over asymmetric fences, the owner's light and the thieves' heavy: client programs, mutants.
#ifndef LICIT_SUITES_CHASE_LEV_ASYMMETRIC_HPP
#define LICIT_SUITES_CHASE_LEV_ASYMMETRIC_HPP

#include <array>
#include <string_view>

#include "suites/chase_lev.hpp"
#include "suites/every/client.hpp"

namespace licit::suites {

inline const site_rules_for<chase_lev_asymmetric_orders> chase_lev_asymmetric_site_rules{
    std::span<const site_rule>(chase_lev_sites), {{"steal.look", "bottom"}}};

/// An owner whose fence may be light: each claim of a theft is a steal, with its own fence.
template <class Model>
struct light_owner : Model {
  static constexpr bool asymmetric = true;
};
template <class Model>
using singly_client = half_client<light_owner<Model>>;

inline constexpr std::array singly_lines{
    client_line{"half_reclaim_singly", "capacity=4 own=2 fill(0,3): pop pop | half",
                "the owner pops down to what a thief is stealing"},
    client_line{"half_twice_singly", "capacity=4 own=4 fill(0,4): pop pop pop | half half",
                "two thefts of single steals, and the owner pops meanwhile"},
    client_line{"half_no_room_singly", "capacity=8 own=2 own-maximum=2 fill(1,1) fill(0,6): pop | half pop half",
                "single steals into a deque that is full"},
    client_line{"half_robbed_singly", "capacity=4 own=2 fill(0,4): pop | half pop | steal(1)",
                "the thief's deque is stolen from while it is filled"},
    client_line{"half_two_thieves_singly", "capacity=4 own=2 deques=3 fill(0,3): pop pop | half | half",
                "two thieves of single steals, and the owner pops"},
};

inline constexpr std::array chase_lev_asymmetric_mutants{
    mutant{"push.room relaxed", {"push.room", change::weaken}, no_load_buffering},
    mutant{"push.publish relaxed", {"push.publish", change::weaken}, {}},
    mutant{"grow.publish relaxed", {"grow.publish", change::weaken}, {}},
    mutant{"pop.reserve relaxed", {"pop.reserve", change::weaken}, old_release_sequences, true},
    mutant{"pop.restore relaxed", {"pop.restore", change::weaken}, old_release_sequences, true},
    mutant{"pop.fence removed", {"pop.fence", change::drop}, {}},
    mutant{"steal.fence an ordinary one", {"steal.fence", change::symmetric}, no_asymmetric_fences},
    mutant{"steal.fence removed", {"steal.fence", change::drop}, {}},
    mutant{"steal.bottom relaxed", {"steal.bottom", change::weaken}, {}},
    mutant{"steal.ring relaxed", {"steal.ring", change::weaken}, {}},
    mutant{"steal.claim relaxed", {"steal.claim", change::weaken}, no_load_buffering},
    mutant{"steal.claim a blind store", {"steal.claim", change::blind_store}, {}},
    mutant{"pop.claim a blind store", {"pop.claim", change::blind_store}, {}},
    mutant{"pop.reserve left out", {"pop.reserve", change::drop}, {}},
    mutant{"pop.restore left out", {"pop.restore", change::drop}, {}},
    mutant{"growth forgets an item", {"grow.copy", change::drop_first}, {}},
    mutant{"growth publishes no ring", {"grow.publish", change::drop}, {}},
};

/// The thief's fence is light too.
template <class Model>
struct light_steals : asymmetric<Model> {
  struct fences {
    template <class Site>
    void operator()(Site site) const {
      if constexpr (Site::entry.kind == operation::heavy_fence) {
        Model::light_fence("steal.fence");
      } else {
        Model::fence(site);
      }
    }
  };
};
template <class Model>
using light_steals_client = chase_lev_client<light_steals<Model>>;

/// A light fence before a relaxed store in place of push's release store.
template <class Model>
struct light_pushes : asymmetric<Model> {
  template <class T>
  class atomic : public asymmetric<Model>::template atomic<T> {
   public:
    using base = typename asymmetric<Model>::template atomic<T>;
    using base::base;

    template <class Site>
    void store(T value, Site site) {
      if constexpr (std::string_view(Site::entry.site) == "push.publish") {
        Model::light_fence("push.fence");
        base::store(value, order::relaxed, "push.publish");
      } else {
        base::store(value, site);
      }
    }
  };
};
template <class Model>
using light_pushes_client = published_client<light_pushes<Model>>;

inline constexpr std::array light_steals_lines{client_line{"two_light_fences",
                                                           "capacity=2: push push pop pop | steal steal",
                                                           "two_items, with a light fence on the thief's side too"}};
/// In two_items it goes unnoticed: the thief's look and its heavy fence after it are an acquire for that store.
inline constexpr std::array light_pushes_lines{
    client_line{"light_release", "capacity=2: push push pop push pop | steal steal",
                "restored_bottom, with a light fence before a relaxed store for push's release"}};

/// Asymmetric fences where the kernel refuses them: a light or heavy fence is the fence that the symmetric table has
/// under the same name.
template <class Model>
struct full_fences : asymmetric<Model> {
  struct fences {
    static constexpr bool all_full() { return true; }
    template <class Site>
    void operator()(Site /*site*/) const {
      Model::fence(site<chase_lev_orders, chase_lev_orders.find(Site::entry.site)>{});
    }
  };
};

/// Every client: of generated lines, judged by the specification.
template <class Model>
using every_chase_lev_asymmetric =
    specified_client<asymmetric<Model>, chase_lev, deque_options, looks_before_its_fence<chase_lev_promise>>;

inline constexpr std::array chase_lev_asymmetric_unreached{
    unreached{"pop.restore relaxed",
              "lets a thief win an unpublished item by load buffering alone: shown where each item has a cell, as in "
              "restored_bottom, and generated clients have none"}};

struct chase_lev_asymmetric_suite {
  static constexpr const auto& orders = chase_lev_asymmetric_orders;
  static constexpr const auto& mutants = chase_lev_asymmetric_mutants;
  static constexpr const auto& unreached = chase_lev_asymmetric_unreached;
  static constexpr std::string_view no_relacy = no_asymmetric_fences;

  template <class List>
  static void programs(List& to) {
    adapting<asymmetric_policy, List> asymmetric{to};
    asymmetric.template lines<chase_lev_client>(chase_lev_lines);
    asymmetric.template lines<published_client>(published_lines);
    to.template lines<singly_client>(singly_lines);
  }
  template <class List>
  static void broken(List& to) {
    to.template lines<light_steals_client>(light_steals_lines);
    to.template lines<light_pushes_client>(light_pushes_lines);
  }
  template <class List>
  static void every(List& to) {
    to.template specified<every_chase_lev_asymmetric>();
  }
};

}  // namespace licit::suites

#endif
