/// Making a showing of a deque and a program's text.
#ifndef LICIT_MODELS_GALLERY_SHOW_HPP
#define LICIT_MODELS_GALLERY_SHOW_HPP

#include <string_view>

#include <licit/checker/run.hpp>
#include <licit/deque/order.hpp>

#include "gallery/exhibit.hpp"
#include "gallery/script.hpp"

namespace licit::models::gallery {

template <class Program>
checker::verdict explore(const checker::options& o) {
  return checker::run_program<Program>(o);
}

template <class Deque, fixed_string Text>
showing show(std::string_view size, const expectation& cxx20, const expectation& cxx11) {
  return {Text.view(), size, cxx20, cxx11, &explore<script<checker::model, Deque, Text>>};
}

template <class Deque, fixed_string Text>
showing show(std::string_view size, const expectation& both) {
  return show<Deque, Text>(size, both, both);
}

}  // namespace licit::models::gallery

#endif
