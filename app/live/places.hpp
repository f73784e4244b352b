#pragma once
// Where the words of a person lead: to files of scenes and folders of models and lessons.

#include <functional>
#include <string>

namespace kv {

// All throw kv::Error when they lead nowhere.
struct RunPlaces {
    std::function<std::string(const std::string& word)> scene_file;    // "explore", or a path
    std::function<std::string(const std::string& word)> model_folder;  // "gqa", or a path
    std::function<std::string()> lessons_folder = {};
    std::string progress_file = {};  // of the lessons; empty: not kept
};

}  // namespace kv
