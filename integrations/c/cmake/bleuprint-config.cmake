# The targets bleuprint::shared and bleuprint::static: find_package(bleuprint) finds this file in lib/cmake/bleuprint.
get_filename_component(_bleuprint_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
foreach(_bleuprint_kind shared static)
  string(TOUPPER ${_bleuprint_kind} _bleuprint_type)
  find_library(
    BLEUPRINT_${_bleuprint_type}_LIBRARY
    NAMES ${CMAKE_${_bleuprint_type}_LIBRARY_PREFIX}bleuprint${CMAKE_${_bleuprint_type}_LIBRARY_SUFFIX}
    PATHS "${_bleuprint_root}/lib" "${_bleuprint_root}/bin"
    NO_DEFAULT_PATH
  )
  if(BLEUPRINT_${_bleuprint_type}_LIBRARY AND NOT TARGET bleuprint::${_bleuprint_kind})
    add_library(bleuprint::${_bleuprint_kind} UNKNOWN IMPORTED)
    set_target_properties(
      bleuprint::${_bleuprint_kind}
      PROPERTIES IMPORTED_LOCATION "${BLEUPRINT_${_bleuprint_type}_LIBRARY}"
                 INTERFACE_INCLUDE_DIRECTORIES "${_bleuprint_root}/include"
    )
  endif()
endforeach()
if(TARGET bleuprint::static AND UNIX)
  find_package(Threads REQUIRED)
  set_property(TARGET bleuprint::static PROPERTY INTERFACE_LINK_LIBRARIES Threads::Threads ${CMAKE_DL_LIBS} m)
endif()
if(NOT TARGET bleuprint::shared AND NOT TARGET bleuprint::static)
  set(bleuprint_FOUND FALSE)
endif()
