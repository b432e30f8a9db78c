# One function per kind of target, so that a CMakeLists.txt only lists what is there.

option(DNSCOPE_WERROR "Treat compiler warnings as errors" ON)
option(DNSCOPE_FUZZ "Build the fuzz targets for libFuzzer" OFF)
set(DNSCOPE_SANITIZERS "" CACHE STRING "Sanitizers for all targets, as for -fsanitize=")

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

# What every target is compiled with. Asserts stay on in every build (lib/core/check.h).
add_library(dnscope_options INTERFACE)
target_compile_features(dnscope_options INTERFACE c_std_17)
target_compile_definitions(dnscope_options INTERFACE _GNU_SOURCE DNSCOPE_VERSION="${PROJECT_VERSION}")
target_include_directories(dnscope_options INTERFACE "${PROJECT_SOURCE_DIR}/lib")
target_compile_options(dnscope_options INTERFACE
  $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wshadow -Wundef -Wformat=2 -Wvla -Wpointer-arith
  -Wcast-qual -Wwrite-strings -Wstrict-prototypes -Wmissing-prototypes -Wnested-externs
  -Wold-style-definition -fno-common -fno-omit-frame-pointer>
  $<$<AND:$<COMPILE_LANGUAGE:C>,$<BOOL:${DNSCOPE_WERROR}>>:-Werror>)
# A target with the property DNSCOPE_UNSANITIZED is built as in any other build.
if(DNSCOPE_SANITIZERS)
  set(sanitized "$<NOT:$<BOOL:$<TARGET_PROPERTY:DNSCOPE_UNSANITIZED>>>")
  target_compile_options(dnscope_options INTERFACE
    "$<${sanitized}:-fsanitize=${DNSCOPE_SANITIZERS}>" "$<${sanitized}:-fno-sanitize-recover=all>")
  target_link_options(dnscope_options INTERFACE "$<${sanitized}:-fsanitize=${DNSCOPE_SANITIZERS}>")
endif()
if(DNSCOPE_FUZZ)
  target_compile_options(dnscope_options INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(dnscope_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# dnscope_library(NAME SOURCES file... [LINK target...]): a static library of lib/ or of a program.
function(dnscope_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC dnscope_options ${arg_LINK})
  dnscope_check_headers(${name} ${arg_SOURCES})
endfunction()

# dnscope_program(NAME SOURCES file... [LINK target...]): an installed program.
function(dnscope_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE dnscope_options ${arg_LINK})
  install(TARGETS ${name} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endfunction()

# dnscope_test(NAME LABEL label SOURCES file... [LINK target...] [TIMEOUT seconds] [ARGS arg...]):
# a test program, run from the top of the source tree.
function(dnscope_test name)
  cmake_parse_arguments(arg "" "LABEL;TIMEOUT" "SOURCES;LINK;ARGS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE dnscope_options ${arg_LINK})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  add_test(NAME ${name} COMMAND ${name} ${arg_ARGS} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABEL}" TIMEOUT ${arg_TIMEOUT})
endfunction()

# dnscope_unit_test(NAME SOURCES file... LINK target...): a cmocka program.
function(dnscope_unit_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  dnscope_test(${name} LABEL unit SOURCES ${arg_SOURCES} LINK ${arg_LINK} PkgConfig::CMOCKA)
endfunction()

# dnscope_bats_test(NAME LABEL label FILE file [TIMEOUT seconds]): a bats file; it finds the
# programs through DNSCOPE_BUILD and the sources through DNSCOPE_SOURCE.
function(dnscope_bats_test name)
  cmake_parse_arguments(arg "" "LABEL;FILE;TIMEOUT" "" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_test(NAME ${name} COMMAND bats "${CMAKE_CURRENT_SOURCE_DIR}/${arg_FILE}" WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABEL}" TIMEOUT ${arg_TIMEOUT}
    ENVIRONMENT "DNSCOPE_BUILD=${PROJECT_BINARY_DIR};DNSCOPE_SOURCE=${PROJECT_SOURCE_DIR}")
endfunction()

# Every header beside a library's sources must compile alone: one generated C file per header.
function(dnscope_check_headers name)
  file(GLOB headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  # Those of one processor compile on that one, through the header that chooses among them.
  list(FILTER headers EXCLUDE REGEX "/machine_[^/]*\\.h$")
  set(checks "")
  foreach(header IN LISTS headers)
    get_filename_component(stem "${header}" NAME_WE)
    set(check "${CMAKE_CURRENT_BINARY_DIR}/header_${stem}.c")
    file(CONFIGURE OUTPUT "${check}" CONTENT "#include \"${header}\"\n")
    list(APPEND checks "${check}")
  endforeach()
  if(checks)
    add_library(${name}_headers OBJECT ${checks})
    target_link_libraries(${name}_headers PRIVATE ${name})
  endif()
endfunction()
