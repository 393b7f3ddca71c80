// SPDX-License-Identifier: Apache-2.0
// To be preloaded: the allocation with the number FAIL_AT, from 1, fails, and with FAIL_ON=1 all after it. At exit their
// number goes to the file COUNT_TO. It stands on glibc's own names, so that nothing needs to be looked up.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

static atomic_ulong done;
static unsigned long fail_at;
static int fail_on, is_set;

static unsigned long number_of(const char* name) {
  const char* text = getenv(name);
  return text ? strtoul(text, NULL, 10) : 0;
}

// What TBB loads when it starts is left out: glibc 2.36 crashes if dlopen() has no memory for its own error message.
static __thread int loads __attribute__((tls_model("initial-exec")));

void* dlopen(const char* name, int flags) {
  void* (*const load)(const char*, int) = (void* (*)(const char*, int))dlsym(RTLD_NEXT, "dlopen");
  ++loads;
  void* const library = load(name, flags);
  --loads;
  return library;
}

static int fails(void) {
  if (loads) return 0;
  if (!is_set) {
    is_set = 1;
    fail_at = number_of("FAIL_AT");
    fail_on = number_of("FAIL_ON") != 0;
  }
  const unsigned long number = atomic_fetch_add(&done, 1) + 1;
  if (fail_at == 0 || number < fail_at || (number > fail_at && !fail_on)) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void* calloc(size_t n, size_t size) { return fails() ? NULL : __libc_calloc(n, size); }
void* realloc(void* old, size_t size) { return fails() ? NULL : __libc_realloc(old, size); }
void* memalign(size_t align, size_t size) { return fails() ? NULL : __libc_memalign(align, size); }
void* aligned_alloc(size_t align, size_t size) { return fails() ? NULL : __libc_memalign(align, size); }
int posix_memalign(void** out, size_t align, size_t size) {
  void* memory = fails() ? NULL : __libc_memalign(align, size);
  if (memory == NULL) return ENOMEM;
  *out = memory;
  return 0;
}

__attribute__((destructor)) static void count(void) {
  const char* path = getenv("COUNT_TO");
  if (path == NULL) return;
  char text[32];
  const int length = snprintf(text, sizeof(text), "%lu", (unsigned long)atomic_load(&done));
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return;
  if (write(file, text, (size_t)length) != length) unlink(path);
  close(file);
}
