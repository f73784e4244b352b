#include "cuda/device/decode_rungs.hpp"

#include <algorithm>
#include <iterator>

namespace kv::gpu {
namespace {

// The codec that the compiler may know, for both sides alike; else what looks at run time.
template <class Coded>
bool serves(const PagedKv& cache) {
    return Coded::serves(cache.k_codec) && Coded::serves(cache.v_codec);
}

void launch_of_codec(Gpu& gpu, const Attended& a, const HeadGroups& groups,
                     const DecodeRoom& room) {
    const auto launch = [&]<class Coded>() {
        gpu.launch(DecodeTicket<Coded>{a, groups, room.partials, room.tickets});
    };
    if (serves<Bf16Coded>(a.cache)) return launch.template operator()<Bf16Coded>();
    if (serves<Fp8E4m3Coded>(a.cache)) return launch.template operator()<Fp8E4m3Coded>();
    if (serves<IntCoded<8>>(a.cache)) return launch.template operator()<IntCoded<8>>();
    if (serves<IntCoded<4>>(a.cache)) return launch.template operator()<IntCoded<4>>();
    launch.template operator()<AnyCoded>();
}

}  // namespace

const char* name_of(DecodeRung rung) {
    constexpr const char* kNames[] = {"v1", "v2", "v3", "v4", "v5", "v6", "v6 of the codec"};
    static_assert(std::size(kNames) == std::size(kDecodeRungs), "each DecodeRung has a name");
    return kNames[static_cast<std::size_t>(rung)];
}

std::optional<u32> heads_of_block(DecodeRung rung, const Attended& a, u32 most_shared_bytes) {
    if (rung < DecodeRung::V3) return 1;
    if (rung < DecodeRung::V5) return heads_at_once(a, kTileKeys);
    u32 n = std::min(a.group(), kMostPairs);
    while (n > 1 && staged_shared(a, n) > most_shared_bytes) n = (n + 1) / 2;
    if (staged_shared(a, n) > most_shared_bytes) return std::nullopt;
    return n;
}

void launch_rung(Gpu& gpu, DecodeRung rung, const Attended& a, const HeadGroups& groups,
                 const DecodeRoom& room) {
    switch (rung) {
        case DecodeRung::V1:
            gpu.launch(DecodeScores{a, room.scores, room.longest});
            gpu.launch(DecodeSoftmax{a, room.scores, room.longest});
            return gpu.launch(DecodeWeighValues{a, room.scores, room.longest});
        case DecodeRung::V2:
            return gpu.launch(DecodeOnline{a});
        case DecodeRung::V3:
            return gpu.launch(DecodeGrouped{a, {groups.at_once, 1}});
        case DecodeRung::V4:
            gpu.launch(DecodeSplit{a, groups, room.partials});
            return gpu.launch(MergeSplits{a, groups, room.partials});
        case DecodeRung::V5:
            gpu.launch(DecodeStaged<AnyCoded>{a, groups, room.partials});
            return gpu.launch(MergeSplits{a, groups, room.partials});
        case DecodeRung::V6:
            return gpu.launch(DecodeTicket<AnyCoded>{a, groups, room.partials, room.tickets});
        case DecodeRung::OfCodec:
            return launch_of_codec(gpu, a, groups, room);
    }
}

}  // namespace kv::gpu
