/// The tagged deque over asymmetric fences, the owner's light and the thieves' heavy: client programs, mutants.
#ifndef LICIT_SUITES_TAGGED_ASYMMETRIC_HPP
#define LICIT_SUITES_TAGGED_ASYMMETRIC_HPP

#include <array>
#include <span>
#include <string_view>

#include <licit/checker/site_rules.hpp>
#include <licit/deque/asymmetric.hpp>

#include "suites/every/client.hpp"
#include "suites/every/onward_client.hpp"
#include "suites/tagged.hpp"

namespace licit::suites {

inline const site_rules_for<tagged_asymmetric_orders> tagged_asymmetric_site_rules{
    std::span<const site_rule>(tagged_sites), {{"steal.look", "bottom"}}};

/// Two light fences order nothing between their threads, so a symmetric fence of the owner is none.
inline constexpr std::array tagged_asymmetric_mutants{
    mutant{"push.room relaxed", {"push.room", change::weaken}},
    mutant{"push.publish relaxed", {"push.publish", change::weaken}},
    mutant{"grow.publish relaxed", {"grow.publish", change::weaken}},
    mutant{"pop.reserve relaxed", {"pop.reserve", change::weaken}, {}, true},
    mutant{"pop.fence removed", {"pop.fence", change::drop}},
    mutant{"renew.publish relaxed", {"renew.publish", change::weaken}},
    mutant{"steal.fence removed", {"steal.fence", change::drop}},
    mutant{"steal.bottom relaxed", {"steal.bottom", change::weaken}},
    mutant{"steal.ring relaxed", {"steal.ring", change::weaken}},
    mutant{"steal.claim relaxed", {"steal.claim", change::weaken}},
    mutant{"half.publish relaxed", {"half.publish", change::weaken}},
    mutant{"steal.claim a blind store", {"steal.claim", change::blind_store}},
    mutant{"pop.claim a blind store", {"pop.claim", change::blind_store}},
    mutant{"renew.claim a blind store", {"renew.claim", change::blind_store}},
    mutant{"pop.reserve left out", {"pop.reserve", change::drop}},
    mutant{"pop.restore left out", {"pop.restore", change::drop}},
    mutant{"growth forgets an item", {"grow.copy", change::drop_first}},
    mutant{"growth publishes no ring", {"grow.publish", change::drop}},
    mutant{"renewal forgets an item", {"renew.copy", change::drop_first}},
    mutant{"renewal publishes nothing", {"renew.publish", change::drop}},
    mutant{"a half forgets an item", {"half.item", change::drop_first}},
    mutant{"a half publishes nothing", {"half.publish", change::drop}},
    mutant{"pop.fence orders nothing", {"pop.fence", change::symmetric}},
    mutant{"steal.fence an ordinary fence", {"steal.fence", change::symmetric}},
};

/// Every client: of generated lines, judged by the specification.
template <class Model>
using every_tagged_asymmetric =
    specified_client<asymmetric<Model>, tagged_deque, deque_options, looks_before_its_fence<tagged_promise, 6>>;
template <class Model>
using every_renewing_asymmetric =
    specified_client<with_rules<asymmetric<Model>, tagged_rules{.tag_bits = 1}>, tagged_deque, deque_options,
                     looks_before_its_fence<renewing_promise>>;
template <class Model>
using every_onward_asymmetric =
    onward_client<asymmetric<Model>, tagged_deque, deque_options, onward_as_known<onward_promise>>;

struct tagged_asymmetric_suite {
  static constexpr const auto& orders = tagged_asymmetric_orders;
  static constexpr const auto& mutants = tagged_asymmetric_mutants;
  static constexpr std::string_view no_relacy = no_asymmetric_fences;

  template <class List>
  static void programs(List& to) {
    adapting<asymmetric_policy, List> asymmetric{to};
    tagged_suite::programs(asymmetric);
  }
  template <class List>
  static void broken(List& to) {
    adapting<asymmetric_policy, List> asymmetric{to};
    tagged_suite::broken(asymmetric);
  }
  template <class List>
  static void every(List& to) {
    to.template specified<every_tagged_asymmetric>();
    to.template specified<every_renewing_asymmetric>();
    to.template specified<every_onward_asymmetric>();
  }
};

}  // namespace licit::suites

#endif
