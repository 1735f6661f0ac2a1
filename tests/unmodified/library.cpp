// What functions of libraries do with memory that threads share: one thread calls the function that the first argument
// names, another touches one byte of what they share, by its index. library.py says which bytes are raced for.
//   library FUNCTION INDEX
#include <algorithm>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cwchar>
#include <dlfcn.h>
#include <err.h>
#include <fnmatch.h>
#include <functional>
#include <getopt.h>
#include <iterator>
#include <list>
#include <memory_resource>
#include <pthread.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <set>
#include <string>
#include <string_view>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <thread>
#include <threads.h>
#include <ucontext.h>
#include <unistd.h>

#include <licit/check.h>

namespace {

enum class does { reads, writes };

char shared[64] = "abc";
wchar_t wide[16] = L"abc";
int numbers[4] = {3, 1, 2, 0};
char number_text[8] = "12";
double fraction = 0;
tm moment{};
timeval now{};
timespec later{};
std::time_t seconds = 0;
char* end = nullptr;
char* rest = shared;
std::string text = "abc";
void* root = nullptr;

char* made = nullptr;
void* block = nullptr;
double parts[2];
sem_t semaphore;
pthread_key_t key;
std::set<int> ordered{1, 2, 3};
std::list<int> linked{1, 2};
std::pmr::unsynchronized_pool_resource pool;
/// What libstdc++ has before a set's element: colour, parent, left and right.
void* node_of(int item) {
  return const_cast<char*>(reinterpret_cast<const char*>(&*ordered.find(item))) - 4 * sizeof(void*);
}

int up(const void* a, const void* b) { return *static_cast<const int*>(a) - *static_cast<const int*>(b); }
void use(long value) { licit_outcome("%d", static_cast<int>(value != -9)); }
void use(const void* at) { use(at == nullptr ? 0L : 1L); }
void free_used(char* copy) {
  use(copy[0]);
  std::free(copy);
}

/// With an attribute of the mutex.
void locks_by(int (*set)(pthread_mutexattr_t*, int), int value) {
  pthread_mutexattr_t how;
  pthread_mutexattr_init(&how);
  set(&how, value);
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, &how);
  pthread_mutex_lock(&mutex);
}

struct function {
  std::string_view name;
  does what;
  void* object;
  void (*call)();
};
char own[64];
wchar_t own_wide[16];

const function functions[] = {
    {"memcpy", does::reads, shared, [] { use(std::memcpy(own, shared, 5)); }},
    {"memcpy_to", does::writes, shared, [] { use(std::memcpy(shared, "abc\0", 5)); }},
    {"memmove", does::reads, shared, [] { use(std::memmove(own, shared, 5)); }},
    {"memmove_to", does::writes, shared, [] { use(std::memmove(shared, "abc\0", 5)); }},
    {"memset", does::writes, shared, [] { use(std::memset(shared, 0, 5)); }},
    {"mempcpy", does::reads, shared, [] { use(mempcpy(own, shared, 5)); }},
    {"mempcpy_to", does::writes, shared, [] { use(mempcpy(shared, "abc\0", 5)); }},
    {"memccpy", does::reads, shared, [] { use(memccpy(own, shared, 'c', 9)); }},
    {"memccpy_to", does::writes, shared, [] { use(memccpy(shared, "abcd", 'c', 4)); }},
    {"memcmp", does::reads, shared, [] { use(std::memcmp(shared, "abc\0", 4)); }},
    {"memcmp_equal", does::reads, shared, [] { use(std::memcmp(shared, "abc", 4) == 0); }},
    {"bcmp", does::reads, shared, [] { use(bcmp(shared, own, 5)); }},
    {"memchr", does::reads, shared, [] { use(std::memchr(shared, 'b', 9)); }},
    {"memrchr", does::reads, shared, [] { use(memrchr(shared, 'b', 5)); }},
    {"rawmemchr", does::reads, shared, [] { use(rawmemchr(shared, 'c')); }},
    {"memmem", does::reads, shared, [] { use(memmem(shared, 5, "bc", 2)); }},
    {"bcopy", does::reads, shared, [] { bcopy(shared, own, 5); }},
    {"bcopy_to", does::writes, shared, [] { bcopy("abc\0", shared, 5); }},
    {"bzero", does::writes, shared, [] { bzero(shared, 5); }},
    {"explicit_bzero", does::writes, shared, [] { explicit_bzero(shared, 5); }},
    {"strlen", does::reads, shared, [] { use(std::strlen(shared)); }},
    {"strnlen", does::reads, shared, [] { use(strnlen(shared, 2)); }},
    {"strcmp", does::reads, shared, [] { use(std::strcmp(shared, "abd")); }},
    {"strcmp_equal", does::reads, shared, [] { use(std::strcmp("abc", shared) == 0); }},
    {"strncmp", does::reads, shared, [] { use(std::strncmp(shared, "abc", 2)); }},
    {"strcasecmp", does::reads, shared, [] { use(strcasecmp(shared, "ABC")); }},
    {"strncasecmp", does::reads, shared, [] { use(strncasecmp(shared, "ABC", 2)); }},
    {"strcoll", does::reads, shared, [] { use(std::strcoll(shared, "abc")); }},
    {"strxfrm", does::reads, shared, [] { use(std::strxfrm(own, shared, 9)); }},
    {"strchr", does::reads, shared, [] { use(std::strchr(shared, 'b')); }},
    {"strchrnul", does::reads, shared, [] { use(strchrnul(shared, 'x')); }},
    {"strrchr", does::reads, shared, [] { use(std::strrchr(shared, 'b')); }},
    {"index", does::reads, shared, [] { use(index(shared, 'b')); }},
    {"rindex", does::reads, shared, [] { use(rindex(shared, 'b')); }},
    {"strstr", does::reads, shared, [] { use(std::strstr(shared, "bc")); }},
    {"strcasestr", does::reads, shared, [] { use(strcasestr(shared, "BC")); }},
    {"strspn", does::reads, shared, [] { use(std::strspn(shared, "ab")); }},
    {"strcspn", does::reads, shared, [] { use(std::strcspn(shared, "c")); }},
    {"strpbrk", does::reads, shared, [] { use(std::strpbrk(shared, "xc")); }},
    {"strcpy", does::reads, shared, [] { use(std::strcpy(own, shared)); }},
    {"strcpy_to", does::writes, shared, [] { use(std::strcpy(shared, own)); }},
    {"strncpy", does::reads, shared, [] { use(std::strncpy(own, shared, 9)); }},
    {"strncpy_to", does::writes, shared, [] { use(std::strncpy(shared, own, 5)); }},
    {"stpcpy", does::reads, shared, [] { use(stpcpy(own, shared)); }},
    {"stpncpy_to", does::writes, shared, [] { use(stpncpy(shared, own, 5)); }},
    {"strcat", does::reads, shared, [] { use(std::strcat(own, shared)); }},
    {"strcat_to", does::writes, shared + 3, [] { use(std::strcat(shared, "d")); }},
    {"strcat_after", does::reads, shared, [] { use(std::strcat(shared, "d")); }},
    {"strncat", does::reads, shared, [] { use(std::strncat(own, shared, 2)); }},
    {"strdup", does::reads, shared, [] { free_used(strdup(shared)); }},
    {"strndup", does::reads, shared, [] { free_used(strndup(shared, 2)); }},
    {"strtok_r", does::writes, &rest, [] { use(strtok_r(own, ",", &rest)); }},
    {"strsep", does::writes, &rest, [] { use(strsep(&rest, ",")); }},
    {"wcslen", does::reads, wide, [] { use(std::wcslen(wide)); }},
    {"wcscmp", does::reads, wide, [] { use(std::wcscmp(wide, L"abd")); }},
    {"wcscpy", does::reads, wide, [] { use(std::wcscpy(own_wide, wide)); }},
    {"wmemcpy_to", does::writes, wide, [] { use(std::wmemcpy(wide, own_wide, 2)); }},
    {"wmemmove", does::reads, wide, [] { use(std::wmemmove(own_wide, wide, 2)); }},
    {"wmemset", does::writes, wide, [] { use(std::wmemset(wide, L'x', 2)); }},
    {"wmemcmp", does::reads, wide, [] { use(std::wmemcmp(wide, own_wide, 2)); }},
    {"wmemchr", does::reads, wide, [] { use(std::wmemchr(wide, L'b', 9)); }},
    {"atoi", does::reads, number_text, [] { use(std::atoi(number_text)); }},
    {"strtol", does::reads, number_text, [] { use(std::strtol(number_text, nullptr, 10)); }},
    {"strtol_end", does::writes, &end, [] { use(std::strtol("12", &end, 10)); }},
    {"strtoull", does::reads, number_text, [] { use(static_cast<long>(std::strtoull(number_text, nullptr, 10))); }},
    {"strtod", does::reads, number_text, [] { use(static_cast<long>(std::strtod(number_text, nullptr))); }},
    {"qsort", does::writes, numbers, [] { std::qsort(numbers, 3, sizeof(int), up); }},
    {"bsearch", does::reads, numbers + 1, [] { use(std::bsearch(own, numbers, 3, sizeof(int), up)); }},
    {"puts", does::reads, shared, [] { std::puts(shared); }},
    {"fputs", does::reads, shared, [] { std::fputs(shared, stdout); }},
    {"fwrite", does::reads, shared, [] { use(static_cast<long>(std::fwrite(shared, 1, 5, stdout))); }},
    {"write", does::reads, shared, [] { use(write(STDOUT_FILENO, shared, 5)); }},
    {"printf", does::reads, shared, [] { std::printf("%d %.2f %s\n", 7, 0.5, shared); }},
    {"printf_precision", does::reads, shared, [] { std::printf("%-8.*s\n", 2, shared); }},
    {"fprintf", does::reads, shared, [] { std::fprintf(stdout, "%ld%%%s\n", 7L, shared); }},
    {"snprintf", does::reads, shared, [] { std::snprintf(own, sizeof own, "%s", shared); }},
    {"snprintf_to", does::writes, shared, [] { std::snprintf(shared, sizeof shared, "%d", 1234); }},
    {"sprintf_to", does::writes, shared, [] { std::sprintf(shared, "%d", 1234); }},
    {"modf", does::writes, &fraction, [] { use(static_cast<long>(std::modf(1.5, &fraction))); }},
    {"frexp", does::writes, numbers, [] { use(static_cast<long>(std::frexp(1.5, numbers))); }},
    {"gmtime_r", does::writes, &moment, [] { use(gmtime_r(&seconds, &moment)); }},
    {"gmtime_r_of", does::reads, &seconds,
     [] {
       tm mine;
       use(gmtime_r(&seconds, &mine));
     }},
    {"strftime_to", does::writes, shared, [] { use(std::strftime(shared, 9, "1234", &moment)); }},
    {"gettimeofday", does::writes, &now, [] { use(gettimeofday(&now, nullptr)); }},
    {"clock_gettime", does::writes, &later, [] { use(clock_gettime(CLOCK_MONOTONIC, &later)); }},
    {"time", does::writes, &seconds, [] { use(std::time(&seconds)); }},
    {"strtok", does::writes, shared, [] { use(std::strtok(own, ",")); }},
    {"sscanf", does::writes, numbers, [] { use(std::sscanf("1", "%d", numbers)); }},
    {"gmtime", does::reads, &seconds, [] { use(std::gmtime(&seconds)); }},
    {"setenv", does::reads, shared, [] { use(setenv("LICIT_TEST", shared, 1)); }},
    {"tfind", does::reads, numbers, [] { use(tfind(numbers, &root, up)); }},
    {"printf_numbered", does::reads, shared, [] { std::printf("%1$s\n", shared); }},
    {"wcsdup", does::reads, wide, [] { std::free(wcsdup(wide)); }},
    {"wcsncat", does::reads, wide, [] { use(std::wcsncat(own_wide, wide, 2)); }},
    {"wcpcpy", does::reads, wide, [] { use(wcpcpy(own_wide, wide)); }},
    {"wmempcpy", does::reads, wide, [] { use(wmempcpy(own_wide, wide, 2)); }},
    {"wcsspn", does::reads, wide, [] { use(static_cast<long>(std::wcsspn(wide, L"ab"))); }},
    {"wcspbrk", does::reads, wide, [] { use(std::wcspbrk(wide, L"xc")); }},
    {"wcscoll", does::reads, wide, [] { use(std::wcscoll(wide, L"abc")); }},
    {"wcstol", does::reads, wide, [] { use(std::wcstol(wide, nullptr, 16)); }},
    {"fputws", does::reads, wide, [] { std::fputws(wide, stdout); }},
    {"wcstombs", does::reads, wide, [] { use(static_cast<long>(std::wcstombs(own, wide, 9))); }},
    {"mbstowcs", does::reads, shared, [] { use(static_cast<long>(std::mbstowcs(own_wide, shared, 9))); }},
    {"mblen", does::reads, shared, [] { use(mblen(shared, 4)); }},
    {"mbrtowc", does::reads, shared,
     [] {
       mbstate_t state{};
       use(static_cast<long>(mbrtowc(own_wide, shared, 4, &state)));
     }},
    {"strverscmp", does::reads, shared, [] { use(strverscmp(shared, "abd")); }},
    {"strerror_r_to", does::writes, shared, [] { use(strerror_r(9999, shared, 9)); }},
    {"swab", does::reads, shared, [] { swab(shared, own, 4); }},
    {"swab_to", does::writes, shared, [] { swab(own, shared, 4); }},
    {"fputs_unlocked", does::reads, shared, [] { fputs_unlocked(shared, stdout); }},
    {"fwrite_unlocked", does::reads, shared, [] { use(static_cast<long>(fwrite_unlocked(shared, 1, 5, stdout))); }},
    {"writev", does::reads, shared,
     [] {
       const iovec part{shared, 5};
       use(writev(STDOUT_FILENO, &part, 1));
     }},
    {"asprintf", does::reads, shared,
     [] {
       char* copy = nullptr;
       use(asprintf(&copy, "%s", shared));
       std::free(copy);
     }},
    {"asprintf_to", does::writes, &made, [] { use(asprintf(&made, "%s", own)), std::free(made); }},
    {"printf_long", does::writes, &seconds, [] { std::printf("abc%ln\n", &seconds); }},
    {"from_chars", does::reads, number_text,
     [] {
       double d = 0;
       use(static_cast<long>(std::from_chars(number_text, number_text + 4, d).ec));
     }},
    {"from_chars_to", does::writes, &fraction, [] { use(std::from_chars("1.5", own, fraction).ptr); }},
    {"remquo", does::writes, numbers, [] { use(static_cast<long>(std::remquo(5.0, 3.0, numbers))); }},
    {"lgamma_r", does::writes, numbers, [] { use(static_cast<long>(lgamma_r(2.5, numbers))); }},
    {"sincos", does::writes, parts, [] { sincos(std::strtod("1", nullptr), &parts[0], &parts[1]); }},
    {"timegm", does::writes, &moment, [] { use(timegm(&moment)); }},
    {"ctime_r_of", does::reads, &seconds, [] { use(ctime_r(&seconds, own)); }},
    {"timespec_get", does::writes, &later, [] { use(timespec_get(&later, TIME_UTC)); }},
    {"nanosleep", does::reads, &later, [] { use(nanosleep(&later, nullptr)); }},
    {"posix_memalign", does::writes, &block, [] { use(posix_memalign(&block, 64, 64)), std::free(block); }},
    {"sem_getvalue", does::writes, numbers, [] { use(sem_getvalue(&semaphore, numbers)); }},
    {"key_create", does::writes, &key, [] { use(pthread_key_create(&key, nullptr)); }},
    {"set_insert", does::writes, &ordered, [] { ordered.insert(0); }},
    {"set_erase", does::writes, &ordered, [] { ordered.erase(1); }},
    {"set_next", does::reads, node_of(1), [] { use(*++ordered.begin()); }},
    {"set_next_above", does::reads, node_of(1), [] { use(*++ordered.begin()); }},
    {"set_last", does::reads, &ordered, [] { use(*--ordered.end()); }},
    {"list_push", does::writes, &linked, [] { linked.push_back(3); }},
    {"list_pop", does::writes, &linked, [] { linked.pop_front(); }},
    {"list_reverse", does::writes, &linked, [] { linked.reverse(); }},
    {"list_splice", does::writes, &linked,
     [] {
       std::list<int> more{4};
       linked.splice(linked.end(), more);
     }},
    {"hash", does::reads, shared, [] { use(static_cast<long>(std::hash<std::string_view>()({shared, 5}))); }},
    {"pool", does::writes, &pool, [] { pool.deallocate(pool.allocate(8), 8); }},
    {"stat", does::reads, shared,
     [] {
       struct stat found;
       use(stat("/", &found));
     }},
    {"access", does::reads, shared, [] { use(access("/", R_OK)); }},
    {"waitpid", does::writes, numbers, [] { use(waitpid(-1, numbers, 0)); }},
    {"_Fork", does::reads, shared, [] { use(_Fork()); }},
    {"sigsuspend", does::reads, shared,
     [] {
       sigset_t none;
       sigemptyset(&none);
       use(sigsuspend(&none));
     }},
    {"pause", does::reads, shared, [] { use(pause()); }},
    {"mprotect", does::reads, shared, [] { use(mprotect(nullptr, 1, PROT_READ)); }},
    {"sbrk", does::reads, shared, [] { use(sbrk(8)); }},
    {"wprintf", does::reads, wide, [] { std::wprintf(L"%ls", wide); }},
    {"regcomp", does::reads, shared,
     [] {
       regex_t made_of;
       use(regcomp(&made_of, shared, 0));
     }},
    {"fnmatch", does::reads, shared, [] { use(fnmatch("a*", shared, 0)); }},
    {"getopt", does::reads, shared,
     [] {
       char* arguments[] = {shared, nullptr};
       use(getopt(1, arguments, "a"));
     }},
    {"makecontext", does::writes, shared,
     [] {
       static ucontext_t made_of;
       makecontext(&made_of, [] {}, 0);
     }},
    {"errx", does::reads, shared, [] { errx(1, "%s", shared); }},
    {"setvbuf", does::writes, shared, [] { use(std::setvbuf(stdout, shared, _IOFBF, sizeof shared)); }},
    {"dlopen", does::reads, shared, [] { use(dlopen(nullptr, RTLD_NOW)); }},
    {"pthread_exit", does::reads, shared, [] { pthread_exit(nullptr); }},
    {"fork", does::reads, shared, [] { use(fork()); }},
    {"signal", does::reads, shared, [] { use(std::signal(SIGUSR1, SIG_IGN) == SIG_ERR); }},
    {"mmap", does::reads, shared,
     [] { use(mmap(nullptr, 1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)); }},
    {"robust", does::reads, shared,
     [] { locks_by(pthread_mutexattr_setrobust, PTHREAD_MUTEX_ROBUST); }},
    {"of_processes", does::reads, shared,
     [] { locks_by(pthread_mutexattr_setpshared, PTHREAD_PROCESS_SHARED); }},
    {"read_by_processes", does::reads, shared,
     [] {
       pthread_rwlockattr_t how;
       pthread_rwlockattr_init(&how);
       pthread_rwlockattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
       pthread_rwlock_t lock;
       pthread_rwlock_init(&lock, &how);
       pthread_rwlock_rdlock(&lock);
     }},
    {"pthread_spin_lock", does::reads, shared,
     [] {
       static pthread_spinlock_t lock = 1;  // as it is unlocked on x86-64
       use(pthread_spin_lock(&lock));
     }},
    {"pthread_spin_init", does::reads, shared,
     [] {
       static pthread_spinlock_t lock;
       use(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE));
     }},
    {"thrd_create", does::reads, shared,
     [] {
       thrd_t started;
       use(thrd_create(&started, [](void*) { return 0; }, nullptr));
     }},
    {"mtx_lock", does::reads, shared,
     [] {
       static mtx_t lock;
       use(mtx_lock(&lock));
     }},
    {"cnd_signal", does::reads, shared,
     [] {
       static cnd_t condition;
       use(cnd_signal(&condition));
     }},
    {"fopen", does::reads, shared, [] { use(std::fopen("/etc/hostname", "r")); }},
    {"uname", does::reads, shared,
     [] {
       utsname found;
       use(uname(&found));
     }},
    {"sched_getcpu", does::reads, shared, [] { use(sched_getcpu()); }},
    {"system_call", does::reads, shared, [] { use(syscall(SYS_getpid)); }},
    {"tsearch", does::reads, shared,
     [] { use(tsearch(shared, &root, [](const void*, const void*) { return 0; })); }},
    {"string_append", does::writes, &text, [] { text += "defghijklmnopqrstuvwxyz"; }},
    {"string_assign", does::writes, &text, [] { text = own; }},
    {"string_compare", does::reads, &text, [] { use(text == own); }},
    {"string_copy", does::reads, &text, [] { use(std::string(text).size()); }},
    {"string_find", does::reads, &text, [] { use(text.find("bc")); }},
};

void touch(const function& f, std::size_t index) {
  char& byte = static_cast<char*>(f.object)[index];
  if (f.what == does::writes) return use(byte);
  char same = byte;
  asm volatile("" : "+r"(same));  // the compiler does not know that it was there
  byte = same;
}

}  // namespace

int main(int argc, char** argv) {
  const auto f = std::find_if(std::begin(functions), std::end(functions),
                              [&](const function& one) { return argc == 3 && one.name == argv[1]; });
  if (f == std::end(functions)) return 3;
  std::thread other([&] { touch(*f, std::strtoul(argv[2], nullptr, 10)); });
  f->call();
  other.join();
}
