# The libraries that the project stands on, each as one imported target.
# Package names are Debian's; scripts/deps installs them.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

pkg_check_modules(LDNS REQUIRED IMPORTED_TARGET ldns)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
if(BUILD_TESTING OR NOT DEFINED BUILD_TESTING)
  pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
endif()
