# The linear classifiers of National Taiwan University: the target Liblinear::Liblinear. Debian's package has neither a
# CMake nor a pkg-config file.
find_path(Liblinear_INCLUDE_DIR linear.h)
find_library(Liblinear_LIBRARY linear)
mark_as_advanced(Liblinear_INCLUDE_DIR Liblinear_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Liblinear REQUIRED_VARS Liblinear_LIBRARY Liblinear_INCLUDE_DIR)
if(Liblinear_FOUND AND NOT TARGET Liblinear::Liblinear)
  add_library(Liblinear::Liblinear UNKNOWN IMPORTED)
  set_target_properties(Liblinear::Liblinear PROPERTIES
    IMPORTED_LOCATION "${Liblinear_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${Liblinear_INCLUDE_DIR}")
endif()
