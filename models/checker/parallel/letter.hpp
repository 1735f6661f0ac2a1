/// What a process that explored pieces has to say, as bytes for a pipe.
#ifndef LICIT_MODELS_CHECKER_LETTER_HPP
#define LICIT_MODELS_CHECKER_LETTER_HPP

#include <string>
#include <string_view>

#include <licit/checker/options.hpp>

namespace licit::checker {

struct letter {
  verdict found;
  std::string error;  ///< what was thrown, if anything was
};

/// Between processes of one executable: not a format.
std::string packed(const letter& l);

/// False when the bytes are not the whole of a letter.
bool unpack(std::string_view bytes, letter& l);

}  // namespace licit::checker

#endif
