// SPDX-License-Identifier: Apache-2.0
// The rest of the program is compiled for x86-64-v3, which on an older CPU would end in an illegal instruction. This
// file is compiled for any x86-64, and its check runs before all other initialisers.
#include <unistd.h>

namespace {

#if defined(__x86_64__)
__attribute__((constructor(101))) void check_cpu() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) return;
  static constexpr char kMessage[] =
      "xylem: this CPU has no AVX2, FMA and BMI2; xylem needs an x86-64-v3 CPU (2013 or later)\n";
  // No library function: they may not be ready yet. If even this fails there is nobody left to tell.
  if (write(STDERR_FILENO, kMessage, sizeof(kMessage) - 1) < 0) _exit(1);
  _exit(1);
}
#endif

}  // namespace
