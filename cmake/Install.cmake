# Where an installed KVarium lies. Fonts, texts and lessons are inside the program; the models are beside it.
include(GNUInstallDirs)
if(KVARIUM_APP)
  install(TARGETS kvarium RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY assets/models DESTINATION ${CMAKE_INSTALL_DATADIR}/kvarium/assets)
install(FILES README.md LICENSE THIRD_PARTY_LICENSES.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
