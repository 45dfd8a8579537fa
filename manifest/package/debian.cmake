# Run by cpack on the tree that becomes the package: what Debian's policy wants and what would be
# odd anywhere else, a changelog and compressed pages.
set(tree ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
execute_process(COMMAND date -u -R -d "${CPACK_VKM_DATE}" OUTPUT_VARIABLE date
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${tree}/doc/vkmeter/changelog
"vkmeter (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
execute_process(COMMAND gzip -9n ${tree}/doc/vkmeter/changelog ${tree}/man/man1/vkmeter.1
                COMMAND_ERROR_IS_FATAL ANY)
file(CHMOD ${tree}/doc/vkmeter/changelog.gz ${tree}/man/man1/vkmeter.1.gz
     FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
