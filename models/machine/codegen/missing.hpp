/// That something which is not part of licit is not there: a reason to skip, not a failure.
#ifndef LICIT_MODELS_CODEGEN_MISSING_HPP
#define LICIT_MODELS_CODEGEN_MISSING_HPP

#include <stdexcept>

namespace licit::codegen {

class missing : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace licit::codegen

#endif
