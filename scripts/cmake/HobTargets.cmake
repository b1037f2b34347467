# How every target of the house is made: one library a room, warnings as errors, one test binary a room.

set(HOB_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
                 -Woverloaded-virtual
                 -Wno-restrict)  # g++ 12 warns of std::string + "..." where nothing overlaps (GCC bug 105651)

# Tests: Catch2 brings std::regex, in which g++ 12 under a sanitizer sees uninitialised values that are none (GCC bug 105562).
set(HOB_TEST_WARNINGS ${HOB_WARNINGS})
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    list(APPEND HOB_TEST_WARNINGS -Wno-maybe-uninitialized)
endif()

# hob_library(NAME SOURCES a.cpp b.cpp [PUBLIC targets...] [PRIVATE targets...])
# A static library with the house's warnings; includes are written from the repository root.
function(hob_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
    add_library(${name} STATIC ${ARG_SOURCES})
    target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
    target_compile_options(${name} PRIVATE ${HOB_WARNINGS})
    target_link_libraries(${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
    if(HOB_CHECKS)
        target_compile_definitions(${name} PUBLIC HOB_CHECKS=1)
    endif()
endfunction()

# hob_test(NAME SOURCES a_test.cpp ... LINK targets...)
# A Catch2 test binary, registered with ctest under its name.
function(hob_test name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
    add_executable(${name} ${ARG_SOURCES})
    target_compile_options(${name} PRIVATE ${HOB_TEST_WARNINGS})
    target_link_libraries(${name} PRIVATE hob_test_main ${ARG_LINK})
    add_test(NAME ${name} COMMAND ${name})
endfunction()
