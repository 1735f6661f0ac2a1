/// Whether instructions are enough for an order, by the rules of the target; no compiler is believed.
#ifndef LICIT_MODELS_CODEGEN_CARRIES_HPP
#define LICIT_MODELS_CODEGEN_CARRIES_HPP

#include <string>
#include <vector>

#include <licit/deque/order.hpp>

#include "machine/codegen/target.hpp"

namespace licit::codegen {

/// True if one of a site's instructions releases, if the order does; one acquires, if the order does; and for a seq_cst
/// fence, and a seq_cst store on x86, one orders everything; a heavy fence calls the kernel's. Necessary, not
/// sufficient: it does not look at where they stand.
bool carries(family f, operation kind, order wanted, const std::vector<std::string>& instructions);

}  // namespace licit::codegen

#endif
