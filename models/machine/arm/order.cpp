#include "machine/arm/order.hpp"

namespace licit::arm {

void order::begin(unsigned threads) {
  first_event_ = first_thread + threads * pasts;
  events_ = 0;
  closed_.widen(1);
  closed_.reset(first_event_);
}

std::size_t order::add(std::optional<std::size_t> next) {
  const std::size_t e = events_++;
  closed_.widen(events_);
  closed_.add(1);
  closed_.copy(event_row(e), closed_[pending]);
  if (!next) return e;
  // Whatever is after `next` is now after this too.
  closed_.set(pending, e);
  const word* before = closed_[pending];
  closed_.merge(event_row(*next), before);
  for (std::size_t r = first_thread; r != event_row(e); ++r) {
    if (closed_.test(r, *next)) closed_.merge(r, before);
  }
  return e;
}

}  // namespace licit::arm
