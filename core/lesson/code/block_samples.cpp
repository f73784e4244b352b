// Lessons 8, 9 and 10: who holds a block, who shares it, and who finds it again.

#include "core/lesson/code/rows.hpp"

namespace kv {
namespace {

constexpr std::string_view kAllocatorIdea = R"(def allocate(table):
    block = free_list.pop_head()
    forget(block)  # nobody finds its old content
    ref_count[block] = 1
    table.append(block)

def give_back(table, entry, end):
    block = table[entry]
    ref_count[block] -= 1
    if ref_count[block] == 0:  # the last holder
        free_list.push(block, end)

def give_back_all(table):
    for entry in reversed(range(len(table))):
        give_back(table, entry, tail)
)";
constexpr CodeExcerpt kAllocatorOurs[] = {
    {"core/cache/tables.cpp", "BlockId Tables::take("},
    {"core/cache/tables.cpp", "BlockId Tables::allocate("},
    {"core/cache/blocks/block_pool.cpp", "bool BlockPool::let_go("},
    {"core/cache/tables.cpp", "for (std::uint32_t entry = n; entry-- > 0;)",
     "if (held(entry)) give_back("},
};
constexpr CodeMark kAllocatorMarks[] = {
    {"take", "block = free_list.pop_head()",
     "const BlockId block = *device_.pool(lane).next_free();"},
    {"forget", "forget(block)", "findable_.give_up_next(lane, id);"},
    {"hold", "ref_count[block] = 1", "device_.pool(lane).hold(block);"},
    {"enter", "table.append(block)", ".emplace_back(block);"},
    {"let_go", "ref_count[block] -= 1", "if (--blocks_[b.index()].ref_count > 0) return false;"},
    {"free", "free_list.push(block, end)", "link(b.value, end);"},
    {"last_first", "for entry in reversed(", "for (std::uint32_t entry = n;"},
};

constexpr std::string_view kForkIdea = R"(def fork(child, parent):
    for entry in range(len(parent.table)):
        block = parent.table[entry]
        ref_count[block] += 1  # one holder more
        child.table.append(block)
    child.stored = parent.stored  # nothing is copied
)";
constexpr CodeExcerpt kForkOurs[] = {
    {"core/cache/forks.cpp", "void Forks::share("},
};
constexpr CodeMark kForkMarks[] = {
    {"block", "block = parent.table[entry]", "block = *parent.tables[0][entry]"},
    {"hold", "ref_count[block] += 1", "device_.pool(kOnlyLane).hold(block);"},
    {"enter", "child.table.append(block)", "tables_.enter_shared(s, kOnlyLane, entry"},
    {"stored", "child.stored = parent.stored", "s.stored = shared;"},
};

constexpr std::string_view kCopyIdea = R"(def before_write(request):
    entry = request.stored // block_size
    filled = request.stored % block_size
    block = request.table[entry]
    if filled > 0 and ref_count[block] > 1:
        fresh = take()  # others read the old one
        ref_count[block] -= 1
        request.table[entry] = fresh
        copy(block, fresh, filled)  # what is filled
)";
constexpr CodeExcerpt kCopyOurs[] = {
    {"core/cache/forks.cpp", "bool Forks::writes_shared_tail("},
    {"core/cache/forks.cpp", "void Forks::copy_shared_tail("},
};
constexpr CodeMark kCopyMarks[] = {
    {"shared", "ref_count[block] > 1", "device_.pool(kOnlyLane).ref_count(*table[entry]) > 1"},
    {"take", "fresh = take()", "const BlockId to = tables_.take("},
    {"let_go", "ref_count[block] -= 1", "device_.pool(kOnlyLane).let_go(from"},
    {"enter", "request.table[entry] = fresh", "s.tables[0][entry] = to;"},
    {"copy", "copy(block, fresh, filled)", "transfers_.copy(from, to, slots);"},
};

constexpr std::string_view kPrefixIdea = R"(def find_prefix(tokens, root):
    node, hits = root, []
    for chunk in whole_blocks(tokens[:-1]):
        key = hash(node.hash, chunk)  # and all before
        node = index.get(key)
        if node is None or node.tokens != chunk:
            break
        hits.append(node.block)
    return hits
)";
constexpr CodeExcerpt kPrefixOurs[] = {
    {"core/cache/prefix_chains.cpp", "PrefixId node = *chain.end;", "node = *next;"},
    {"core/cache/prefix/index.cpp", "std::uint64_t chain_hash("},
    {"core/cache/prefix/index.cpp", "std::optional<PrefixId> PrefixIndex::find("},
};
constexpr CodeMark kPrefixMarks[] = {
    {"chunk", "for chunk in whole_blocks(", "for (std::size_t upto = s.stored + size;"},
    {"hash", "key = hash(node.hash, chunk)", "hash = (hash ^ token) *"},
    {"get", "node = index.get(key)", "const auto next = index.find(node"},
    {"same", "node.tokens != chunk", "return std::equal(tokens.begin()"},
    {"miss", "break", "if (!next) break;"},
    {"hit", "hits.append(node.block)", "prefix.hits.push_back(hit);"},
};

constexpr std::string_view kSplitIdea = R"(def find(node, tokens):
    child = node.child(first_block(tokens))
    same = common_length(child.tokens, tokens)
    same -= same % block_size  # whole blocks only
    if same < len(child.tokens):
        child = split(child, same)
    return child

def split(node, cut):
    upper = Node(node.tokens[:cut])  # what both have
    upper.locks = node.locks  # stays protected
    node.tokens = node.tokens[cut:]  # what is left
    node.parent = upper
    return upper
)";
constexpr CodeExcerpt kSplitOurs[] = {
    {"core/cache/prefix/radix_tree.cpp", "RadixTree::Path RadixTree::find("},
    {"core/cache/prefix/radix_tree.cpp", "void RadixTree::end_at_node("},
    {"core/cache/prefix/radix_tree.cpp", "RadixNodeId RadixTree::split("},
};
constexpr CodeMark kSplitMarks[] = {
    {"child", "child = node.child(", "const auto child = s_.child(at"},
    {"same", "same = common_length(", "const auto differ = std::mismatch("},
    {"whole", "same -= same % block_size", "const std::size_t whole = same - same %"},
    {"split", "child = split(child, same)", "path.nodes.back() = split("},
    {"upper", "upper = Node(node.tokens[:cut])", "upper.tokens = FrontCut"},
    {"rest", "node.tokens = node.tokens[cut:]", "rest.tokens.drop_front(cut);"},
    {"parent", "node.parent = upper", "rest.parent = id;"},
};

}  // namespace

namespace code_rows {
const CodeSample kAllocator{"allocator", "Who hands out blocks", kAllocatorIdea, kAllocatorOurs,
                            kAllocatorMarks};
const CodeSample kFork{"fork", "A fork shares its blocks", kForkIdea, kForkOurs, kForkMarks};
const CodeSample kCopyOnWrite{"copy_on_write", "Copy a shared block before it is written",
                              kCopyIdea, kCopyOurs, kCopyMarks};
const CodeSample kFindPrefix{"find_prefix", "A prefix is found block by block", kPrefixIdea,
                             kPrefixOurs, kPrefixMarks};
const CodeSample kRadixSplit{"radix_split", "A node is split where texts part", kSplitIdea,
                             kSplitOurs, kSplitMarks};
}  // namespace code_rows

}  // namespace kv
