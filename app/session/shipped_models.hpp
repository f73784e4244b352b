#pragma once
// The models of lessons from their folders: each is read once, when a lesson first asks for it.

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/lesson/language/models.hpp"

namespace kv {

class ShippedModels : public LessonModels {
public:
    // `folder_of` leads from a name to the model's folder; see model_folder().
    using FolderOf = std::function<std::string(const std::string& name)>;
    explicit ShippedModels(FolderOf folder_of) : folder_of_(std::move(folder_of)) {}

    const LessonModel& model(const std::string& name) override;

private:
    FolderOf folder_of_;
    std::map<std::string, std::unique_ptr<LessonModel>> models_;
};

}  // namespace kv
