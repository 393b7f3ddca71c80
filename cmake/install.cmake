# The installed package: `find_package(xylem)` gives the target xylem::xylem.
include(CMakePackageConfigHelpers)

install(TARGETS xylem EXPORT xylem-targets FILE_SET HEADERS)
install(TARGETS xylem_command)
install(EXPORT xylem-targets NAMESPACE xylem:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/xylem)
configure_package_config_file(cmake/xylem-config.cmake.in xylem-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/xylem)
write_basic_package_version_file(xylem-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/xylem-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/xylem-config-version.cmake
              cmake/FindLibstemmer.cmake cmake/FindUtf8proc.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/xylem)
