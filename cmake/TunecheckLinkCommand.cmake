# Run by CPack when the files of the package are in place: /usr/bin/tunecheck leads to the program, and the
# licences are where Debian has them.
set(root ${CPACK_TEMPORARY_DIRECTORY})
if(EXISTS ${root}/ALL_COMPONENTS_IN_ONE)
  set(root ${root}/ALL_COMPONENTS_IN_ONE)
endif()
file(MAKE_DIRECTORY ${root}/usr/bin ${root}/usr/share/doc/tunecheck)
file(CREATE_LINK ../lib/tunecheck/bin/tunecheck ${root}/usr/bin/tunecheck SYMBOLIC)
file(READ ${root}/usr/lib/tunecheck/share/doc/tunecheck/LICENSE own)
file(READ ${root}/usr/lib/tunecheck/share/doc/tunecheck/THIRD-PARTY-NOTICES.txt others)
file(WRITE ${root}/usr/share/doc/tunecheck/copyright "${own}\n${others}")
file(REMOVE_RECURSE ${root}/usr/lib/tunecheck/share/doc)
