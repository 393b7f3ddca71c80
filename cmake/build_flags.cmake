# Two interface targets that every target of ours links privately: how strict the compiler is, and for which CPU it writes.

add_library(xylem_warnings INTERFACE)
target_compile_options(xylem_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
# g++ 12 sees overlapping copies in string + string where there are none (GCC bug 105651).
target_compile_options(xylem_warnings INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

# In a unity build a name in a function may be that of a constant in another file; builds without it have the warning.
if(CMAKE_UNITY_BUILD)
  target_compile_options(xylem_warnings INTERFACE -Wno-shadow)
endif()

# x86-64-v3 (AVX2, FMA) and not native: g++ 12's tuning for Zen makes Eigen's products 28 % slower.
add_library(xylem_cpu INTERFACE)
if(XYLEM_NATIVE)
  target_compile_options(xylem_cpu INTERFACE -march=native -mtune=generic)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(xylem_cpu INTERFACE -march=x86-64-v3)
endif()
