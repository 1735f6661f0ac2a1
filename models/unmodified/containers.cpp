/// Functions of libstdc++.so that access the program's memory: the nodes of maps, sets and lists, the bytes of a hash,
/// a text that is converted, the pools of a memory resource, the count of an exception. They are not compiled with the
/// instrumentation.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <system_error>
#include <unwind.h>
#include <utility>
#include <vector>

#include "library_call.hpp"

namespace licit::unmodified {

/// As libstdc++ has it. A tree's header is a node: its parent is the root, and it is the root's parent.
struct tree_node {
  int colour;  ///< 0 for red
  tree_node* parent;
  tree_node* left;
  tree_node* right;
};
struct list_node {
  list_node* next;
  list_node* previous;
};

namespace {

using tree_link = tree_node* tree_node::*;

bool is_red(const library_call& by, const tree_node* n) {
  by.reads(&n->colour);
  return n->colour == 0;
}

tree_node* follow(const library_call& by, const tree_node* n, tree_link link) {
  by.reads(&(n->*link));
  return n->*link;  // NOLINT(clang-analyzer-core.NullDereference): only the header of an empty tree has no parent
}

/// The node behind `n` in the tree's order, if `towards` is the right child; else the one before it.
tree_node* neighbour(const library_call& by, tree_node* n, tree_link towards, tree_link away) {
  if (tree_node* below = follow(by, n, towards); below != nullptr) {
    while (tree_node* const further = follow(by, below, away)) below = further;
    return below;
  }
  tree_node* above = follow(by, n, &tree_node::parent);
  while (n == follow(by, above, towards)) {
    n = above;
    above = follow(by, above, &tree_node::parent);
  }
  // The header's right child is the last node; with one node it is the root's parent and child.
  const bool is_header = towards == &tree_node::right && follow(by, n, towards) == above;
  return is_header ? n : above;
}

tree_node* next_of(const library_call& by, tree_node* n) {
  return neighbour(by, n, &tree_node::right, &tree_node::left);
}

tree_node* previous_of(const library_call& by, tree_node* n) {
  const bool may_be_header = is_red(by, n);
  if (may_be_header && follow(by, follow(by, n, &tree_node::parent), &tree_node::parent) == n) {
    return follow(by, n, &tree_node::right);
  }
  return neighbour(by, n, &tree_node::left, &tree_node::right);
}

/// The nodes that an insertion or an erasure may change, as they were: those on the way from a node to the header, and
/// those near the way.
class tree_part {
 public:
  tree_part(const tree_node* from, const tree_node* header) {
    constexpr int near = 3;
    for (; from != header; from = from->parent) add(from, near);
    add(header, 0);
  }
  void note_changes(const library_call& by) const {
    for (const auto& [at, before] : nodes_) {
      if (at->colour != before.colour) by.writes(&at->colour);
      for (const tree_link link : {&tree_node::parent, &tree_node::left, &tree_node::right}) {
        if (at->*link != before.*link) by.writes(&(at->*link));
      }
    }
  }

 private:
  void add(const tree_node* n, int depth) {
    if (n == nullptr) return;
    if (std::ranges::find(nodes_, n, [](const auto& kept) { return kept.first; }) == nodes_.end()) {
      nodes_.emplace_back(n, *n);
    }
    if (depth == 0) return;
    add(n->left, depth - 1);
    add(n->right, depth - 1);
  }

  std::vector<std::pair<const tree_node*, tree_node>> nodes_;
};

/// Runs the library's function, and notes what it changes near `from`.
template <class F>
void change_tree(const library_call& by, const tree_node* from, const tree_node* header, const F& change) {
  if (!by.is_noted()) return change();
  std::optional<tree_part> part;
  {
    const inside in;
    part.emplace(from, header);
  }
  change();
  part->note_changes(by);
  const inside in;
  part.reset();
  if (engine().suspects_loops()) checker::detail::clear_stack_below();
}

void write_links(const library_call& by, const list_node* n) {
  by.writes(&n->next, 2);
  by.writes(&n->previous->next);
  by.writes(&n->next->previous);
}

/// What libstdc++ has 128 bytes before the object that is thrown. What follows there is aligned to 16 bytes.
struct exception_count {
  std::uint32_t references;
  std::uint32_t given_up;  ///< libstdc++ leaves it zero; here, how many references were given up
};

/// The last who gives up a reference destroys the object, after all that the others did with it. libstdc++ counts by
/// atomic operations that nobody is told of, so each is an update of the word beside the count. Who has the only
/// reference that there has been waits for nobody.
void give_up(const void* object, const void* caller) {
  constexpr std::size_t distance = 128;
  if (!is_explored()) return;
  const auto* const count = reinterpret_cast<const exception_count*>(static_cast<const std::byte*>(object) - distance);
  if (count->references == 1 && count->given_up == 0) return;
  const inside in;
  perform_atomic(reinterpret_cast<address>(&count->given_up), sizeof count->given_up,
                 {.what = action::modify, .success = order::acq_rel, .how = change::add, .operand = 1},
                 site_of(caller));
}

/// The object of an exception that is caught: behind it, or another's whose first word says where.
const void* object_of(const _Unwind_Exception* e) {
  constexpr _Unwind_Exception_Class thrown = 0x474E5543432B2B00;  // "GNUCC++"
  constexpr _Unwind_Exception_Class thrown_again = thrown + 1;
  constexpr std::size_t distance = 112;
  if (e->exception_class == thrown) return e + 1;
  if (e->exception_class != thrown_again) return nullptr;
  return *reinterpret_cast<const void* const*>(reinterpret_cast<const std::byte*>(e + 1) - distance);
}

}  // namespace

}  // namespace licit::unmodified

using namespace licit::unmodified;  // NOLINT(google-build-using-namespace): what follows is its interface

// NOLINTBEGIN(cppcoreguidelines-macro-usage): functions that differ in their names only
/// By its name as the linker has it, and a short one.
#define LICIT_OF_CXX(RESULT, NAME, SYMBOL, PARAMETERS)                \
  LICIT_INTERPOSED RESULT licit_of_##NAME PARAMETERS __asm__(SYMBOL); \
  LICIT_INTERPOSED RESULT licit_of_##NAME PARAMETERS
#define LICIT_CXX_CALL(NAME, SYMBOL)                                   \
  static const auto system = real<decltype(&licit_of_##NAME)>(SYMBOL); \
  const library_call by { LICIT_CALLER }
// NOLINTEND(cppcoreguidelines-macro-usage)

LICIT_OF_CXX(tree_node*, tree_next, "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", (tree_node * n)) {
  return next_of(library_call(LICIT_CALLER), n);
}
LICIT_OF_CXX(tree_node*, tree_next_constant, "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base", (tree_node * n)) {
  return next_of(library_call(LICIT_CALLER), n);
}
LICIT_OF_CXX(tree_node*, tree_previous, "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", (tree_node * n)) {
  return previous_of(library_call(LICIT_CALLER), n);
}
LICIT_OF_CXX(tree_node*, tree_previous_constant, "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base", (tree_node * n)) {
  return previous_of(library_call(LICIT_CALLER), n);
}
#define LICIT_INSERT "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_"
LICIT_OF_CXX(void, tree_insert, LICIT_INSERT, (bool left, tree_node* n, tree_node* parent, tree_node* header)) {
  LICIT_CXX_CALL(tree_insert, LICIT_INSERT);
  change_tree(by, parent, header, [&] { system(left, n, parent, header); });
  by.writes(n);
}
#define LICIT_ERASE "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_"
LICIT_OF_CXX(tree_node*, tree_erase, LICIT_ERASE, (tree_node * n, tree_node* header)) {
  LICIT_CXX_CALL(tree_erase, LICIT_ERASE);
  tree_node* lowest = n;  // what takes its place, if it has two children
  if (n->left != nullptr && n->right != nullptr) {
    for (lowest = n->right; lowest->left != nullptr;) lowest = lowest->left;
  }
  tree_node* erased = nullptr;
  by.reads(n);
  change_tree(by, lowest, header, [&] { erased = system(n, header); });
  return erased;
}

#define LICIT_LIST(REST) "_ZNSt8__detail15_List_node_base" REST
LICIT_OF_CXX(void, list_hook, LICIT_LIST("7_M_hookEPS0_"), (list_node * n, list_node* before)) {
  LICIT_CXX_CALL(list_hook, LICIT_LIST("7_M_hookEPS0_"));
  by.reads(&before->previous);
  system(n, before);
  write_links(by, n);
}
LICIT_OF_CXX(void, list_unhook, LICIT_LIST("9_M_unhookEv"), (list_node * n)) {
  LICIT_CXX_CALL(list_unhook, LICIT_LIST("9_M_unhookEv"));
  by.reads(n);
  by.writes(&n->previous->next);
  by.writes(&n->next->previous);
  system(n);
}
LICIT_OF_CXX(void, list_transfer, LICIT_LIST("11_M_transferEPS0_S1_"),
             (list_node * before, list_node* first, list_node* last)) {
  LICIT_CXX_CALL(list_transfer, LICIT_LIST("11_M_transferEPS0_S1_"));
  if (before != last) {
    for (list_node* const n : {before, first, last}) {
      by.writes(&n->previous->next);
      by.writes(&n->previous);
    }
  }
  system(before, first, last);
}
LICIT_OF_CXX(void, list_reverse, LICIT_LIST("10_M_reverseEv"), (list_node * header)) {
  LICIT_CXX_CALL(list_reverse, LICIT_LIST("10_M_reverseEv"));
  system(header);
  by.writes(header);
  for (const list_node* n = header->next; n != header; n = n->next) by.writes(n);
}
LICIT_OF_CXX(void, list_swap, LICIT_LIST("4swapERS0_S1_"), (list_node * one, list_node* other)) {
  LICIT_CXX_CALL(list_swap, LICIT_LIST("4swapERS0_S1_"));
  write_links(by, one);
  write_links(by, other);
  system(one, other);
}

LICIT_OF_CXX(std::size_t, hash, "_ZSt11_Hash_bytesPKvmm", (const void* at, std::size_t n, std::size_t seed)) {
  LICIT_CXX_CALL(hash, "_ZSt11_Hash_bytesPKvmm");
  by.reads(at, n);
  return system(at, n, seed);
}

// NOLINTBEGIN(cppcoreguidelines-macro-usage): functions that differ in their names only
#define LICIT_FROM_CHARS(T, LETTER)                                                                               \
  LICIT_OF_CXX(std::from_chars_result, from_chars_##LETTER, "_ZSt10from_charsPKcS0_R" #LETTER "St12chars_format", \
               (const char* first, const char* last, T* to, std::chars_format how)) {                             \
    LICIT_CXX_CALL(from_chars_##LETTER, "_ZSt10from_charsPKcS0_R" #LETTER "St12chars_format");                    \
    const std::from_chars_result r = system(first, last, to, how);                                                \
    by.reads(first, static_cast<std::size_t>(std::min(r.ptr + 1, last) - first));                                 \
    if (r.ec == std::errc{}) by.writes(to);                                                                       \
    return r;                                                                                                     \
  }
LICIT_FROM_CHARS(float, f)
LICIT_FROM_CHARS(double, d)
LICIT_FROM_CHARS(long double, e)

/// A resource without a lock. Its first word is the table of its virtual functions.
#define LICIT_POOL(REST) "_ZNSt3pmr28unsynchronized_pool_resource" REST
#define LICIT_CHANGES_POOL(RESULT, NAME, SYMBOL, PARAMETERS, ARGUMENTS) \
  LICIT_OF_CXX(RESULT, NAME, LICIT_POOL(SYMBOL), PARAMETERS) {          \
    LICIT_CXX_CALL(NAME, LICIT_POOL(SYMBOL));                           \
    by.writes(pool + 1);                                                \
    return system ARGUMENTS;                                            \
  }
// NOLINTEND(cppcoreguidelines-macro-usage)
LICIT_CHANGES_POOL(void*, pool_allocate, "11do_allocateEmm", (void** pool, std::size_t size, std::size_t alignment),
                   (pool, size, alignment))
LICIT_CHANGES_POOL(void, pool_deallocate, "13do_deallocateEPvmm",
                   (void** pool, void* p, std::size_t size, std::size_t alignment), (pool, p, size, alignment))
LICIT_CHANGES_POOL(void, pool_release, "7releaseEv", (void** pool), (pool))

LICIT_OF_CXX(void, exception_release, "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv", (void** exception)) {
  static const auto system =
      real<decltype(&licit_of_exception_release)>("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
  if (*exception != nullptr) give_up(*exception, LICIT_CALLER);
  system(exception);
}
/// At the end of a handler.
LICIT_INTERPOSED void _Unwind_DeleteException(_Unwind_Exception* e) {
  if (const void* const object = object_of(e); object != nullptr) give_up(object, LICIT_CALLER);
  static const auto system = real<decltype(&_Unwind_DeleteException)>("_Unwind_DeleteException");
  system(e);
}

/// If nobody catches it, its stack is gone when that is known.
LICIT_INTERPOSED void licit_of_throw(void* object, void* type, void (*end)(void*)) __asm__("__cxa_throw");
LICIT_INTERPOSED void licit_of_throw(void* object, void* type, void (*end)(void*)) {
  remember_throw(LICIT_CALLER);
  static const auto system = real<decltype(&licit_of_throw)>("__cxa_throw");
  system(object, type, end);
}
LICIT_OF_CXX(void, throw_again, "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE", (void** exception)) {
  remember_throw(LICIT_CALLER);
  static const auto system =
      real<decltype(&licit_of_throw_again)>("_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE");
  system(exception);
}
