#include "tests/gates/rooms.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace kv::gates {

namespace {

// The rooms of a folder, each after all that it may include; "." is the folder's own files. A room
// that is not named may include no other room of its folder.
struct Order {
    std::string_view folder, rooms;
};
constexpr Order kOrders[] = {
    {"core/base", ". background numbers files"},
    {"core/trace", "event . server files"},
    {"core/attach", "wire metrics tank stream history picture"},
    {"core/cost", "model family cache time ."},
    {"core/model", ". config safetensors checkpoint tokenizer/unicode tokenizer tokenizer/file"},
    {"core/cache", "eviction layout codec prefix blocks tiers ."},
    {"core/engine",
     "seam pool work reference cpu/kernels cpu policy draft settings run/request run/memory "
     "run/evicting "
     "run/drafting run "
     "measure"},
    {"core/sim", ". traces"},
    {"core/whatif", ". record replay study"},
    {"core/lesson",
     "exercises exercises/questions scene recording language language/functions figures code tasks "
     "course"},
    {"cuda",
     "grid kernels/codec kernels/attention kernels/blocks kernels/matmul kernels/elementwise "
     "kernels/attention_decode kernels/attention_listed kernels/attention_prefill "
     "kernels/residual kernels/rope_append kernels device twins backend"},
    {"app/shell", "texts . picture surface"},
    {"app/export", ". svg"},
    {"app/widgets", "paint . chart"},
    {"app/panels",
     "view view/pair bill bill/calculator bill/equation bill/glossary charts compare_bills drafts "
     "lesson "
     "figure/plan figure/plans figure/plans/lossy figure/pool figure code "
     "prefix "
     "preparing present price race whatif attach compare_servers timeline stage/plan policy "
     "settings stage "
     "compare_runs "
     "compare_runs/side present/run present/page present/notes token token/attention "
     "token/inspector token/bytes tables"},
    {"app/frame", "state dock overlay top_bar start minute task ."},
    {"app/live", "lessons loading price race whatif attach scene looks start ."},
    {"app/cli",
     "terminal calc manual run screen bench shot teaching lessons sim whatif window attach "
     "program"},
    {"bench", ". build cpu books gpu web window"},
};

std::string_view folder_path(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

// "core/engine/run/engine.hpp" in core/engine -> "run"; "." for the folder's own files; nothing for
// a path outside it.
std::optional<std::string_view> room_of(std::string_view path, std::string_view folder) {
    const std::string_view where = folder_path(path);
    if (where == folder) return ".";
    if (where.size() > folder.size() && where.starts_with(folder) && where[folder.size()] == '/')
        return where.substr(folder.size() + 1);
    return std::nullopt;
}

// How many rooms stand before that one; nothing when the order does not name it.
std::optional<std::size_t> place_in(std::string_view rooms, std::string_view room) {
    for (std::size_t before = 0; !rooms.empty(); ++before) {
        const std::size_t end = std::min(rooms.find(' '), rooms.size());
        if (rooms.substr(0, end) == room) return before;
        rooms.remove_prefix(std::min(end + 1, rooms.size()));
    }
    return std::nullopt;
}

// The quoted header of an #include line.
std::optional<std::string_view> included(std::string_view line) {
    constexpr std::string_view kBegin = "#include \"";
    if (!line.starts_with(kBegin)) return std::nullopt;
    line.remove_prefix(kBegin.size());
    return line.substr(0, line.find('"'));
}

// "| [bench](../bench/README.md) | the folder itself, `cpu` |" -> ". cpu"
std::string rooms_of_row(std::string_view row) {
    std::string rooms;
    row.remove_prefix(std::min(row.find("| ", 1), row.size()));
    while (!row.empty()) {
        const std::size_t end = std::min(row.find(','), row.size());
        const std::string_view cell = row.substr(0, end);
        const std::size_t open = cell.find('`'), close = cell.rfind('`');
        rooms += rooms.empty() ? "" : " ";
        rooms += open < close && close != std::string_view::npos
                     ? cell.substr(open + 1, close - open - 1)
                     : ".";
        row.remove_prefix(std::min(end + 1, row.size()));
    }
    return rooms;
}

// Of what has no place in the order only a room itself is within reach.
bool may_reach(const Order& order, std::string_view from, std::string_view to) {
    if (from == to) return true;
    const auto of_from = place_in(order.rooms, from), of_to = place_in(order.rooms, to);
    return of_from && of_to && *of_to < *of_from;
}

std::string first_word(std::string_view path) {
    const std::string_view file = path.substr(folder_path(path).size() + 1);
    return std::string(file.substr(0, file.find_first_of("_.")));
}

// A series such as lesson_1, lesson_2 is what it says.
bool is_numbered(std::string_view path) {
    const std::string_view file = path.substr(folder_path(path).size() + 1);
    const std::size_t at = file.find('_');
    return at != std::string_view::npos && at + 1 < file.size() && file[at + 1] >= '0' &&
           file[at + 1] <= '9';
}

std::string without_ending(std::string_view path) {
    return std::string(path.substr(0, path.find('.')));
}

struct Room {
    std::size_t files = 0;
    std::map<std::string, std::set<std::string>> namesakes;  // by first word: names
    bool has_readme = false;
};

}  // namespace

std::vector<std::string> check_order_of_rooms(const Tree& tree) {
    std::vector<std::string> findings;
    for (const TextFile& file : tree) {
        if (!is_source(file.path)) continue;
        for (const Order& order : kOrders) {
            const auto from = room_of(file.path, order.folder);
            if (!from) continue;
            for (std::size_t i = 0; i < file.lines.size(); ++i) {
                const auto header = included(file.lines[i]);
                const auto to = header ? room_of(*header, order.folder) : std::nullopt;
                if (!to || may_reach(order, *from, *to)) continue;
                findings.push_back(place(file, i) + "the room " + std::string(*from) + " of " +
                                   std::string(order.folder) + " may not include " +
                                   std::string(*header) + ", which does not stand before it.");
            }
        }
    }
    return findings;
}

std::vector<std::string> check_table_of_rooms(const Tree& tree) {
    const auto table = std::find_if(tree.begin(), tree.end(), [](const TextFile& file) {
        return file.path == "docs/architecture.md";
    });
    if (table == tree.end()) return {"docs/architecture.md is not there."};
    std::vector<std::string> findings;
    for (const Order& order : kOrders) {
        const std::string folder(order.folder);
        const std::string begin = "| [" + folder + "](";
        const auto row =
            std::find_if(table->lines.begin(), table->lines.end(),
                         [&](const std::string& line) { return line.starts_with(begin); });
        if (row == table->lines.end())
            findings.push_back("docs/architecture.md has no row for the rooms of " + folder + ".");
        else if (rooms_of_row(*row) != order.rooms)
            findings.push_back(place(*table, std::size_t(row - table->lines.begin())) +
                               "the rooms of " + folder + " are " + rooms_of_row(*row) +
                               " here, and " + std::string(order.rooms) +
                               " in tests/gates/rooms.cpp.");
    }
    return findings;
}

std::vector<std::string> check_size_of_rooms(const Tree& tree) {
    std::map<std::string, Room> rooms;
    for (const TextFile& file : tree) {
        Room& room = rooms[std::string(folder_path(file.path))];
        if (file.path.ends_with("/README.md")) room.has_readme = true;
        if (!is_source(file.path)) continue;
        ++room.files;
        if (!is_numbered(file.path))
            room.namesakes[first_word(file.path)].insert(without_ending(file.path));
    }
    std::vector<std::string> findings;
    for (const auto& [folder, room] : rooms) {
        if (room.files == 0) continue;
        const bool is_test = folder.starts_with("tests/");  // tests/README.md is the door of all
        if (!room.has_readme && !is_test)
            findings.push_back(folder + " has no README.md to enter by.");
        if (room.files > kMostFiles)
            findings.push_back(folder + " has " + std::to_string(room.files) +
                               " sources; more than " + std::to_string(kMostFiles) +
                               " want rooms.");
        for (const auto& [word, names] : room.namesakes)
            if (names.size() > kMostNamesakes)
                findings.push_back((folder + " has " + std::to_string(names.size()))
                                       .append(" files that begin with ")
                                       .append(word)
                                       .append("; that word wants to be a folder."));
    }
    return findings;
}

}  // namespace kv::gates
