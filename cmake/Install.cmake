# Where an installed KVarium lies. Fonts and texts are inside the program; models, scenes and lessons are beside it.
include(GNUInstallDirs)
if(KVARIUM_APP)
  install(TARGETS kvarium RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

  # The program writes its own manual and completions, so that they cannot miss an option.
  set(manual ${CMAKE_BINARY_DIR}/manual)
  add_custom_command(OUTPUT ${manual}/kvarium.1 ${manual}/kvarium
    COMMAND ${CMAKE_COMMAND} -E make_directory ${manual}
    COMMAND kvarium man --out ${manual}/kvarium.1
    COMMAND kvarium man --bash --out ${manual}/kvarium
    DEPENDS kvarium VERBATIM)
  add_custom_target(manual ALL DEPENDS ${manual}/kvarium.1 ${manual}/kvarium)
  install(FILES ${manual}/kvarium.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${manual}/kvarium DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()
install(DIRECTORY assets/models assets/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/kvarium/assets)
install(DIRECTORY lessons DESTINATION ${CMAKE_INSTALL_DATADIR}/kvarium)
install(FILES README.md LICENSE THIRD_PARTY_LICENSES.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
