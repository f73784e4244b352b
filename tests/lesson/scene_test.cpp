#include "core/lesson/scene/scene.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/base/error.hpp"

using namespace kv;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string scene_refusal(const std::string& text) {
    try {
        parse_scene(text, "bad.kvscene");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::World);
        CHECK_THAT(error.what(), ContainsSubstring("bad.kvscene"));
        return error.what();
    }
    return "";
}

std::string with(const std::string& field) {
    return R"({"version":1,)" + field + "}";
}
std::string request(const std::string& fields) {
    return with(R"("requests":[{"id":"A","prompt":"x",)" + fields + "}]");
}

}  // namespace

TEST_CASE("a scene of nothing but its version has every default", "[scene]") {
    const Scene scene = parse_scene(R"({"version":1})", "a");
    CHECK(scene.seed == 0);
    CHECK(scene.model == "gqa");
    CHECK(scene.settings.block_size == 16);
    CHECK(scene.settings.pool.blocks == 48);
    CHECK(scene.settings.max_batch_tokens == 64);
    CHECK(scene.settings.max_running == 8);
    CHECK(scene.requests.empty());
    CHECK_FALSE(scene.step.has_value());
    const Scene one = parse_scene(with(R"("requests":[{"id":"A","tokens":[1]}])"), "a");
    CHECK(one.requests[0].max_new == 32);
    CHECK(one.requests[0].arrive == 0);
    CHECK(one.requests[0].temperature == 0);
}

TEST_CASE("what is written of a scene reads back to the same text", "[scene]") {
    const Scene scene = parse_scene(R"({"version":1,"name":"x","seed":18446744073709551615,
        "model":{"name":"mha"},
        "settings":{"block_size":4,"pool":"384KiB","share":"copy_on_write","free_list":[7,1,3],
                    "preempt":"swap","host_blocks":5,"prefetch":true,"step_us":12.5},
        "requests":[{"id":"A","prompt":"Greta \"put\" the ключ","stop":["."],"temperature":0.5,
                     "top_k":4,"top_p":0.9,"force":"in the","priority":-2,"salt":"s"},
                    {"id":"B","arrive":3,"fork_of":"A","tokens":[1,2],"force_tokens":[3]}],
        "commands":[{"at":9,"command":"stop A"},{"at":2,"command":"set preempt recompute"}],
        "step":7,"speed":2,"layout":"present","view":{"zoom":1.5}})",
                                    "a");
    CHECK(scene.commands[0].at == 2);
    const std::string text = scene_text(scene);
    CHECK(scene_text(parse_scene(text, "a")) == text);
    CHECK(scene.requests[1].fork_of == "A");
    CHECK(scene.settings.prefetch);
    CHECK(scene.requests[0].priority == -2);
}

TEST_CASE("a scene that cannot be used is refused by place and rule", "[scene]") {
    struct Bad {
        std::string text, says;
    };
    for (const Bad& bad : std::vector<Bad>{
             {"", "is not JSON"},
             {"[]", "the scene is no object"},
             {"{}", "version is missing"},
             {R"({"version":2})", "version is 2 and this program reads 1"},
             {R"({"version":"1"})", "version is \"1\""},
             {R"({"version":1,"version":1})", "twice"},
             {R"({"version":1)", "at byte"},
             {with(R"("colour":1)"), "colour is no field"},
             {with(R"("seed":-1)"), "seed is -1"},
             {with(R"("seed":1.5)"), "seed is 1.5"},
             {with(R"("model":{"name":"gqa","sha256":"xyz"})"), "model.sha256 is no SHA-256"},
             {with(R"("model":{"name":""})"), "model.name is empty"},
             {with(R"("settings":{"block_size":"16"})"), "settings.block_size is \"16\""},
             {with(R"("settings":{"block_size":0})"), "settings.block_size"},
             {with(R"("settings":{"block_size":1025})"), "larger than 1,024"},
             {with(R"("settings":{"pool":48})"), "settings.pool is 48"},
             {with(R"("settings":{"pool":"0blocks"})"), "settings.pool"},
             {with(R"("settings":{"share":"most"})"), "full_blocks_only, copy_on_write or off"},
             {with(R"("settings":{"free_list":[1,1]})"), "names block 1 twice"},
             {with(R"("settings":{"blocksize":4})"), "settings.blocksize is no field"},
             {with(R"("requests":{})"), "requests is {}"},
             {with(R"("requests":[{"prompt":"x"}])"), "requests[0].id is missing"},
             {with(R"("requests":[{"id":"A B","prompt":"x"}])"), "requests[0].id"},
             {with(R"("requests":[{"id":"A"}])"), "requests[0].prompt is missing"},
             {request(R"("tokens":[1])"), "requests[0].tokens stands beside prompt"},
             {request(R"("max_new":0)"), "requests[0].max_new is 0"},
             {request(R"("arrive":-1)"), "requests[0].arrive is -1"},
             {request(R"("temperature":"hot")"), "requests[0].temperature"},
             {request(R"("top_p":0)"), "requests[0].top_p is 0"},
             {request(R"("stop":".")"), "requests[0].stop is \".\""},
             {request(R"("stop":[""])"), "requests[0].stop has the entry"},
             {request(R"("force":"a","force_tokens":[1])"), "stands beside force"},
             {request(R"("tokens_":[1])"), "requests[0].tokens_ is no field"},
             {with(R"("requests":[{"id":"A","prompt":"x"},{"id":"A","prompt":"y"}])"),
              "requests[1].id is \"A\", the name of an earlier request"},
             {with(R"("requests":[{"id":"A","fork_of":"B"}])"), "names no earlier request"},
             {with(R"("requests":[{"id":"A","prompt":"x","arrive":4},{"id":"B","fork_of":"A"}])"),
              "requests[1].arrive is before"},
             {with(R"("commands":[{"at":1}])"), "commands[0].command is missing"},
             {with(R"("commands":[{"command":"clear"}])"), "commands[0].at is missing"},
             {with(R"("commands":[{"at":1,"command":"dance"}])"), "is no command of a run"},
             {with(R"("commands":[{"at":1,"command":"set banana 3"}])"),
              "commands has \"set banana 3\" after iteration 1, and banana is no setting of a run"},
             {with(R"("commands":[{"at":2,"command":"set preempt banana"}])"),
              "preempt banana is none of its words; write recompute or swap"},
             {with(R"("commands":[{"at":1,"command":"stop Z"}])"), "no request is called Z"},
             {with(R"("commands":[{"at":1,"command":"fork Z Y"}])"), "no request is called Z"},
             {with(R"("model":{"name":"../../../etc"})"), "model.name is \"../../../etc\""},
             {with(R"("model":{"name":"/a/.."})"), "leads out"},
             {with(R"("settings":{"block_size":null})"), "settings.block_size is null"},
             {with(R"("seed":null)"), "seed is null"},
             {with(R"("layout":"wide")"), "learn, explore, present or compare"},
             {with(R"("speed":-1)"), "speed is -1"},
             {with(R"("view":[])"), "view is no object"},
             {with(R"("view":{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":1}}}}}}}})"), "at byte"}}) {
        CAPTURE(bad.text);
        CHECK_THAT(scene_refusal(bad.text), ContainsSubstring(bad.says));
    }
}

TEST_CASE("a command may name a request that another command brings", "[scene]") {
    const std::string text = request(R"("max_new":2}],"commands":[
        {"at":1,"command":"fork A B"},{"at":2,"command":"add C x"},{"at":3,"command":"stop B"},
        {"at":3,"command":"pause C"},{"at":4,"command":"set k_codec int8"}],"x":[{"x":1)");
    const std::string valid = text.substr(0, text.find(",\"x\":[")) + "}";
    CHECK(parse_scene(valid, "a").commands.size() == 5);
    const Scene scene = parse_scene(valid, "a");
    CHECK(command_refusal(scene, StopRequest{"C"}).empty());
    CHECK(command_refusal(scene, StopRequest{"D"}) == "no request is called D");
    CHECK(command_refusal(scene, SetSetting{"k_codec", "int8"}).empty());
    CHECK_FALSE(command_refusal(scene, SetSetting{"k_codec", "banana"}).empty());
}

TEST_CASE("a folder whose name has two dots is no way out", "[scene]") {
    for (const char* name : {"a..b", "..c/d", "c../d", "/opt/x/..y"})
        CHECK(parse_scene(with("\"model\":{\"name\":\"" + std::string(name) + "\"}"), "a").model ==
              name);
}

TEST_CASE("bytes that JSON cannot hold are refused where they stand", "[scene]") {
    const auto refused = [](const Scene& scene) -> std::string {
        try {
            scene_text(scene);
        } catch (const Error& error) {
            CHECK(error.code() == ErrorCode::World);
            return error.what();
        }
        return "";
    };
    Scene scene = parse_scene(request(R"("max_new":2)"), "a");
    CHECK(refused(scene).empty());
    scene.requests[0].prompt = "a\xff";
    CHECK_THAT(refused(scene), ContainsSubstring("its requests[0].prompt has bytes"));
    scene.requests[0].prompt = "a";
    scene.requests[0].stop = {".", "\xc3"};
    CHECK_THAT(refused(scene), ContainsSubstring("its requests[0].stop[1] has bytes"));
    scene.requests[0].stop.clear();
    scene.model = "\xed\xa0\x80";
    CHECK_THAT(refused(scene), ContainsSubstring("its model.name has bytes"));
}
