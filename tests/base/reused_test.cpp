#include "core/base/reused.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/base/reused_text.hpp"
#include "core/base/sanitizers.hpp"

using namespace kv;

TEST_CASE("a list gets the memory that one of about its size let go", "[reused]") {
#if defined(KV_ADDRESS_SANITIZER)
    SKIP("AddressSanitizer wants to see every piece of memory come and go");
#endif
    const void* first = nullptr;
    {
        const List<int> list(100);  // 400 bytes, in a piece of 512
        first = list.data();
    }
    {
        const List<double> larger(65);  // 520 bytes
        CHECK(static_cast<const void*>(larger.data()) != first);
        const List<char> like(512);
        CHECK(static_cast<const void*>(like.data()) == first);
        const List<char> another(512);
        CHECK(static_cast<const void*>(another.data()) != first);
    }
}

TEST_CASE("a list lives as long as its owner and on any thread", "[reused]") {
    List<std::string> kept{"as it was made on another thread"};
    std::thread([&kept] { kept.emplace_back("and grown there"); }).join();
    for (int i = 0; i < 100; ++i) List<std::string>(static_cast<std::size_t>(i));
    CHECK(kept == std::vector<std::string>{"as it was made on another thread", "and grown there"});
    const List<char> large(std::size_t{1} << 20, 'x');  // more than is kept
    CHECK(large.back() == 'x');
}

TEST_CASE("a list and a vector turn into each other", "[reused]") {
    const std::vector<int> vector{3, 1, 4};
    const List<int> list = vector;
    const std::vector<int> back = list;
    CHECK(back == vector);
    CHECK(list == vector);
    CHECK(vector == list);
    CHECK_FALSE(list == std::vector<int>{3, 1});
    CHECK(list == List<int>{3, 1, 4});
}

TEST_CASE("a text is a string to everybody", "[reused]") {
    Text text = "block ";
    text += std::string("31");
    text += '!';
    const std::string string = text;
    const std::string_view view = text;
    CHECK(string == "block 31!");
    CHECK(view == string);
    CHECK(text == string);
    CHECK("block 31!" == text);
    CHECK(text != Text("block 32!"));
    CHECK("a " + text + " b" == "a block 31! b");
    CHECK(std::string("a ") + text == Text("a block 31!"));
    CHECK(text.find("31") == 6);
    CHECK(text.find('?') == Text::npos);
    CHECK(text.substr(6, 2) == "31");
    CHECK(std::string_view(text.c_str()) == view);
    text.resize(5);
    text.pop_back();
    CHECK(text == "bloc");
}
