#include "tests/gates/leaks.hpp"

#include <regex>
#include <string>

namespace kv::gates {

std::vector<std::string> check_leaks(const Tree& tree) {
    // In this order: absolute paths of one machine (/home/ada is the examples' own), where one
    // machine gets packages, package hosts, hosts by number, accounts, a folder beside the tree.
    // Brackets keep the lines from matching themselves.
    static const std::regex kMachine(
        "(^|[^A-Za-z0-9_.$}~])/([h]ome(?!/ada)|[r]oot|[U]sers|[w]ork)/"
        "|(index|extra-index)-url|[f]ind-links"
        "|[a-z]+://[^ /\"']*([p]ypi|[p]ythonhosted|[d]eb\\.debian|[c]onda|[p]roxy)"
        "|[a-z]+://([0-9]+\\.){3}[0-9]+"
        "|[a-z]+://[^ /\"']+@"
        "|\\.\\./[s]hared");
    std::vector<std::string> findings;
    for (const TextFile& file : tree)
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            std::smatch match;
            if (std::regex_search(file.lines[i], match, kMachine))
                findings.push_back(place(file, i) + "names a machine: " + match.str());
        }
    return findings;
}

}  // namespace kv::gates
