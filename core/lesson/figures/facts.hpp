#pragma once
// What lesson figures show, as plain values: made from the run, the layout and the cost model of a
// step, drawn by app/panels/figure. The order of the types is that of the two tables of figures.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/cache/layout/kv_layout.hpp"
#include "core/cost/model/shape.hpp"
#include "core/lesson/figures/coded.hpp"
#include "core/lesson/figures/kept.hpp"
#include "core/lesson/figures/pool_facts.hpp"

namespace kv {

// The steps of a request twice: computed anew from nothing each time, and with a cache.
struct WithoutCacheFacts {
    std::vector<std::string> words;            // by position
    std::uint32_t prompt = 0;                  // so many of them are given
    std::vector<std::uint32_t> without, with;  // positions that each step computes
    std::uint32_t steps = 0;                   // drawn before the reveal
    std::uint32_t asked = 0;                   // drawn behind it; the same or more
    FigureWhen cache = FigureWhen::Now;        // when the steps with a cache are drawn
};

// The bytes of one layer that holds a few tokens, in both orders, and the way to one element.
struct ByteMapFacts {
    KvLayout token_major, head_major;
    std::uint32_t token = 0, head = 0, dim = 0;
    FigureWhen address = FigureWhen::Now;   // when the way to it is drawn, and all addresses
    FigureWhen places = FigureWhen::Never;  // when the places of the last token's key are
};

// Query heads over the KV heads that they read, for several models, and one of real size.
struct WiringModel {
    std::string title;
    std::uint64_t n_heads = 0, n_kv_heads = 0, n_layers = 0, head_dim = 0, element_bytes = 0;
    std::uint64_t bytes_per_token = 0;
};
struct WiringFacts {
    std::vector<WiringModel> models;
    std::string element;  // the codec by its name
    std::optional<WiringModel> real;
    FigureWhen real_when = FigureWhen::Now;
    std::optional<std::uint32_t> head;  // a query head of it that is asked about
};

// Which keys of a text become others when the text does, layer by layer.
struct ChangedFacts {
    std::vector<std::string> words, old_words;  // by position; those of before may be one fewer
    std::uint32_t position = 0;                 // of the token that is another, or new
    bool is_new = false;
    bool is_causal = true;  // else every token reads every other
    bool is_late = false;   // no token is another; each is read before its own key is stored
    std::vector<std::vector<double>> change;  // by layer and token: relative length
    std::uint32_t n_layers() const { return static_cast<std::uint32_t>(change.size()); }
};

// Two sums that share all terms but those at which they part.
struct TwoSumsFacts {
    enum class Sign : std::uint8_t { Times, Over, Less };
    // What is drawn while the question is open: one row, both with a hole where they part, or all.
    enum class Open : std::uint8_t { Wrong, Right, Both, All };
    struct Term {
        std::string name, wrong_name;  // in the right sum and in the wrong one
        std::string called;            // until the slip is known
        std::string right, wrong;      // as written; empty: the sum lacks it
        bool parts() const { return right != wrong || name != wrong_name; }
    };
    struct Line {  // of the model's config
        enum class Feeds : std::uint8_t { Neither, Right, Wrong };
        std::string name, value;
        Feeds feeds = Feeds::Neither;
    };
    struct Result {
        std::string said, exact;  // exact: where `said` is rounded or in larger units
        double amount = 0;
        std::uint64_t fit = 0;  // so many requests fit into the room
    };
    std::string title, how;                                      // the lesson's own words
    std::string right_name, wrong_name, right_says, wrong_says;  // empty: the usual words
    std::vector<Term> terms;
    Sign sign = Sign::Times;
    Result right, wrong;
    std::vector<Line> lines;
    std::string room;  // as written; empty: none
    Open open = Open::All;
    bool judged = true;  // one sum is wrong; else both are right in their own way
};

// The tokens of a request, and by step which of them are stored, in which block.
struct TextFacts {
    std::vector<std::string>
        words;  // by position: the prompt, and what the steps up to `end` wrote
    std::uint32_t prompt = 0;
    std::uint32_t open = 0, end = 0;     // steps: drawn before the reveal, and behind it
    std::uint32_t block_size = 0;        // 0: no blocks are drawn
    std::uint32_t other_block_size = 0;  // drawn behind the reveal, without names; or 0
    std::vector<std::uint32_t> table;    // blocks, as far as the steps up to `end` filled them
    FigureWhen positions = FigureWhen::Now;
    // Step 1 stores the prompt, and each later one the token that was drawn before it.
    std::uint32_t stored(std::uint32_t step) const { return step == 0 ? 0 : prompt + step - 1; }
};

// The vectors that a model makes of one token, and those that it keeps.
struct VectorsFacts {
    std::uint64_t n_layers = 0, n_heads = 0, n_kv_heads = 0, k_dim = 0, v_dim = 0;
    std::uint64_t layer_bytes = 0, bytes = 0;  // keys and values
    std::string element = {};                  // the codec by its name
    bool queries = false;                      // drawn, though nobody keeps them
    FigureWhen total = FigureWhen::Now;        // when the later layers and the sum are drawn
    std::uint64_t kept() const { return 2 * n_layers * n_kv_heads; }
};

// The passes of an answer: how many positions each computes, with nothing kept and with a cache.
struct PassesFacts {
    std::uint64_t prompt = 0, fresh = 0;
    std::uint64_t then = 0;                  // an answer of so many tokens behind the reveal; or 0
    std::uint64_t without = 0, with = 0;     // positions in all
    FigureWhen last = FigureWhen::Now;       // when it is said how many the last pass computes
    FigureWhen cache = FigureWhen::Now;      // when the passes with a cache are drawn
    FigureWhen sums = FigureWhen::Revealed;  // when it is said how many they are in all
};

// One row of attention by hand.
struct AttendRowFacts {
    struct Key {
        std::vector<double> key, value;
        double dot = 0, score = 0, power = 0;  // q k; over the root of the width; e to that
    };
    struct Shared {  // what softmax makes of the first few keys
        std::vector<double> weights, output;
    };
    std::vector<double> query;
    std::vector<Key> keys;
    std::uint32_t open = 0;  // so many of the keys are drawn before the reveal
    Shared before, after;    // of those, and of all
};

// Sixteen bits as a number.
struct BitsFacts {
    std::uint16_t bits = 0;
    double number = 0;
    FigureWhen value = FigureWhen::Now;
    std::uint32_t sign() const { return bits >> 15; }
    std::uint32_t exponent() const { return bits >> 7 & 0xFF; }
    std::uint32_t fraction() const { return bits & 0x7F; }
};

// The sectors of memory that two jobs touch, in two orders.
struct SectorsFacts {
    KvLayout token_major, head_major;
    FigureWhen other = FigureWhen::Now;  // when the second order's are drawn
};

// Amounts on one scale. Those behind `open` are what is asked.
struct BarsFacts {
    struct Bar {
        std::string name, said;  // the amount with its unit
        double amount = 0;
    };
    std::string title, how;  // the lesson's own words
    std::vector<Bar> bars = {};
    std::uint32_t open = 0;
    std::optional<Bar> limit = {};  // a line across all of them
};

// A product, factor by factor.
struct FactorsFacts {
    struct Factor {
        std::string name, said, product;  // the product up to here
    };
    std::string title, how;
    std::vector<Factor> factors = {};
    std::uint32_t strong = 0;               // the factor that the step is about, from 1; 0: none
    FigureWhen products = FigureWhen::Now;  // when what the factors make together is drawn
};

// Numbers in a row, such as one for each step, for one thing or for several on one scale.
struct SeriesFacts {
    struct Row {
        std::string name;
        std::vector<double> values;
        std::vector<std::string> said;
    };
    std::string title, how, word;  // of what there is one number each: "step"
    std::uint64_t first = 1;
    std::vector<Row> rows = {};
    std::uint32_t open = 0;     // so many rows are drawn before the reveal
    std::uint32_t columns = 0;  // so many columns of each are drawn before it
    bool labels = true;         // whether columns say what they are
};

// Block tables over the pool, where the step opens and where it ends.
struct BlocksFacts {
    struct Request {
        std::string name;
        std::uint32_t stored = 0;
        std::vector<std::optional<std::uint32_t>> table;
        bool waits = false, has_ended = false, was_refused = false;
    };
    struct Block {
        std::uint32_t refs = 0, filled = 0;
        bool is_found = false;  // nobody holds it, and its tokens can be found
    };
    struct State {
        std::uint32_t step = 0;
        bool in_step = false;           // it is not done
        std::vector<Request> requests;  // those that have arrived
        std::vector<Block> blocks;
    };
    struct Copy {
        std::uint32_t from = 0, to = 0;  // blocks
    };
    std::uint32_t block_size = 0;
    State open, end;
    std::vector<Copy> copies;  // on a write, between the two states
};

// Layers that are fetched over a link and computed: one after the other, and a layer ahead. Or,
// where one machine reads prompts and another one decodes (Splitwise, arXiv 2311.18677; DistServe,
// 2401.09670), layers that are computed and sent: `in_turn` all together, `ahead` one by one.
struct LanesFacts {
    struct Span {
        double from = 0, to = 0;  // seconds
    };
    struct Run {
        std::vector<Span> copies, computed, stalls;  // a copy and a computation for each layer
        double end = 0;
        double stalled() const;
    };
    std::uint32_t layers = 0, blocks = 0;  // blocks of the request, drawn in each copy; or 0
    double copy = 0, compute = 0;          // seconds a layer
    bool whole = false;                    // in turn: all layers are fetched, then all computed
    bool sends = false;                    // layers are computed and then sent, not fetched before
    Run in_turn, ahead;
    FigureWhen when = FigureWhen::Now;  // when fetching ahead is drawn
    std::optional<Run> slower;          // fetching ahead over a slower link, behind the reveal
    double slower_copy = 0;
};

// Work on the roof of a machine: how often each byte is used. What that allows is
// attainable_flops() of core/cost/time.
struct RooflineFacts {
    struct Point {
        std::string name;
        double intensity = 0;  // FLOP for each byte
    };
    std::string card;
    double flop_rate = 0, byte_rate = 0;  // FLOP/s and B/s
    std::vector<Point> points = {};
    std::uint32_t open = 0;  // so many of them are drawn before the reveal
    double ridge() const { return flop_rate / byte_rate; }
};

// The signals of one server, or of two under the same load, as a dashboard shows them.
struct ServiceFacts {
    // Rows from the top. Gauges are read after each step; a rate divides what two counters gained.
    enum Signal : std::uint8_t { Usage, Running, Waiting, HitRate, FirstToken, Preempted };
    static constexpr std::size_t kSignals = 6;
    // A value after each step; nothing where a rate has nothing to divide by.
    using Curve = std::vector<std::optional<double>>;
    struct Server {
        std::string name;  // what the lesson says of it; may be empty
        std::array<Curve, kSignals> curves;
        friend bool operator==(const Server&, const Server&) = default;
    };
    std::vector<Server> servers;            // left to right
    std::uint32_t open = 0, end = 0;        // steps: drawn before the reveal, and behind it
    std::uint32_t part = 1, window = 1;     // steps: of a key, and of a rate
    double step = 0;                        // seconds
    double most(std::size_t signal) const;  // of both servers; at least 1
    // The step from which on the right server stood apart from the left one for some time: by a
    // quarter of the left one's own most.
    std::optional<std::uint32_t> apart(std::size_t signal) const;
};

// Who computes how many tokens in which step.
struct BatchFacts {
    enum class State : std::uint8_t { Absent, Waits, Reads, Writes, Idle };
    struct Cell {
        State state = State::Absent;
        std::uint32_t tokens = 0;
        friend bool operator==(const Cell&, const Cell&) = default;
    };
    struct Row {
        std::string name;
        std::vector<Cell> cells;  // one a step
    };
    std::vector<Row> rows;            // requests, as they came
    std::uint32_t first = 1;          // the step of the first column
    std::uint32_t open = 0, end = 0;  // columns: drawn before the reveal, and behind it
    std::uint32_t tokens(std::uint32_t column) const;
};

// What each layer keeps of a text of several lengths, and what it would keep as a full layer.
struct LayersFacts {
    enum class Kind : std::uint8_t { Full, Window, Latent, State };
    struct Group {  // layers that keep alike
        Kind kind = Kind::Full;
        std::uint64_t count = 0, window = 0;
    };
    struct Moment {
        std::uint64_t tokens = 0;
        std::vector<std::uint64_t> held;  // bytes, by layer
        std::uint64_t ghost_layer = 0;    // bytes of a layer of the ghost
        std::uint64_t total = 0, ghost = 0;
        std::string total_said, ghost_said;
    };
    std::string title, how, ghost_name;  // the lesson's own words
    std::vector<Kind> kinds;             // by layer
    std::vector<Group> groups;
    std::vector<Moment> moments;
    std::uint32_t open = 0;  // so many of them are drawn before the reveal
};

// The stages that a token goes through in a step, and the rows that a layer stores of it.
struct StagesFacts {
    std::uint64_t layers = 0;
    std::uint64_t stored = 0;     // rows when the step ends, its own among them
    std::uint64_t row_bytes = 0;  // keys and values of one token in one layer
};

// Two runs with one past: what each has written, token by token.
struct TwoTextsFacts {
    std::string left_name, right_name;
    std::vector<std::string> left, right;
    std::uint32_t open = 0;  // so many tokens are drawn before the reveal
    std::uint32_t longest() const {
        return static_cast<std::uint32_t>(std::max(left.size(), right.size()));
    }
    // Tokens up to the first that differs.
    std::uint32_t same() const {
        const std::size_t n = std::min(left.size(), right.size());
        std::uint32_t same = 0;
        while (same < n && left[same] == right[same]) ++same;
        return same;
    }
};

using AnyFigureFacts =
    std::variant<WithoutCacheFacts, ByteMapFacts, WiringFacts, ChangedFacts, TwoSumsFacts,
                 TextFacts, VectorsFacts, PassesFacts, AttendRowFacts, BitsFacts, SectorsFacts,
                 BarsFacts, FactorsFacts, SeriesFacts, BlocksFacts, LanesFacts, RooflineFacts,
                 ArenaFacts, OutlierFacts, ResidualFacts, FieldsFacts, SinkFacts, HeavyFacts,
                 ObservedFacts, RanksFacts, ServiceFacts, BatchFacts, LayersFacts, SharesFacts,
                 RadixFacts, WalkFacts, LastBlockFacts, BoundsFacts, HashesFacts, StretchesFacts,
                 StagesFacts, TwoTextsFacts>;
struct FigureFacts : AnyFigureFacts {
    using AnyFigureFacts::AnyFigureFacts;
    // Written out in figures.cpp: left implicit, each file that uses one compiles them again.
    FigureFacts();
    FigureFacts(const FigureFacts&);
    FigureFacts(FigureFacts&&) noexcept;
    FigureFacts& operator=(const FigureFacts&);
    FigureFacts& operator=(FigureFacts&&) noexcept;
    ~FigureFacts();
};

}  // namespace kv
