# The libraries that the project stands on, each as one imported target.
# Package names are Debian's; scripts/deps installs them.
option(DNSCOPE_PSCOPE_ONLY "Only libpscope and its tests, which need no library but libc" OFF)
find_package(Threads REQUIRED)
if(DNSCOPE_PSCOPE_ONLY)
  add_library(cmocka_stand_in INTERFACE)
  target_include_directories(cmocka_stand_in INTERFACE "${PROJECT_SOURCE_DIR}/tests/unit/stand_in")
  add_library(PkgConfig::CMOCKA ALIAS cmocka_stand_in)
  return()
endif()
find_package(PkgConfig REQUIRED)

pkg_check_modules(LDNS REQUIRED IMPORTED_TARGET ldns)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
if(BUILD_TESTING OR NOT DEFINED BUILD_TESTING)
  pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
endif()
