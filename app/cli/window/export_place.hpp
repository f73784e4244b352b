#pragma once
// Where an export goes when nobody names a place, and under which name.

#include <filesystem>
#include <string>

#include "app/cli/screen/screen.hpp"

namespace kv {

// The path of an export: the one that was typed, or the next free name, made from the scene, the
// step and what it is. Pictures go into the person's pictures folder; everything else, and pictures
// where there is no such folder, into the folder of exports. Throws kv::Error (World) when
// something is there already.
std::filesystem::path export_path(const std::string& typed, const Screen& screen,
                                  const std::string& what, const std::string& ending);
// "explore-step-112": of a scene's name, letters, digits and hyphens alone.
std::string file_words(const std::string& name);

}  // namespace kv
