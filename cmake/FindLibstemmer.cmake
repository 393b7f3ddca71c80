# Snowball's stemmers: the target Libstemmer::Libstemmer. Debian's package has neither a CMake nor a pkg-config file.
find_path(Libstemmer_INCLUDE_DIR libstemmer.h)
find_library(Libstemmer_LIBRARY stemmer)
mark_as_advanced(Libstemmer_INCLUDE_DIR Libstemmer_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Libstemmer REQUIRED_VARS Libstemmer_LIBRARY Libstemmer_INCLUDE_DIR)
if(Libstemmer_FOUND AND NOT TARGET Libstemmer::Libstemmer)
  add_library(Libstemmer::Libstemmer UNKNOWN IMPORTED)
  set_target_properties(Libstemmer::Libstemmer PROPERTIES
    IMPORTED_LOCATION "${Libstemmer_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${Libstemmer_INCLUDE_DIR}")
endif()
