/// What is wrong with a litmus file, and where.
#ifndef LICIT_MODELS_LITMUS_ERROR_HPP
#define LICIT_MODELS_LITMUS_ERROR_HPP

#include <stdexcept>
#include <string>

namespace licit::litmus {

/// Counted from 1; a column is a byte.
struct position {
  unsigned line = 1;
  unsigned column = 1;
};

class syntax_error : public std::runtime_error {
 public:
  syntax_error(position where, const std::string& message) : std::runtime_error(message), where_{where} {}

  [[nodiscard]] position where() const { return where_; }
  /// "file:line:column: message", as compilers print it.
  [[nodiscard]] std::string in(const std::string& file) const {
    return file + ":" + std::to_string(where_.line) + ":" + std::to_string(where_.column) + ": " + what();
  }

 private:
  position where_;
};

}  // namespace licit::litmus

#endif
