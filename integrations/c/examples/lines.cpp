// Scores two files of lines with any metric: lines METRIC HYPOTHESES REFERENCES.
//
//   c++ -std=c++17 lines.cpp $(pkg-config --cflags --libs bleuprint) -o lines
#include <bleuprint.hpp>

#include <fstream>
#include <iostream>

int main(int count, char **arguments) try {
    if (count != 4) return std::cerr << "usage: lines METRIC HYPOTHESES REFERENCES\n", 2;
    const bleuprint::Metric metric(arguments[1]);
    bleuprint::State state(metric);
    std::ifstream hypotheses(arguments[2]), references(arguments[3]);
    std::string hypothesis, reference;
    while (true) {
        const bool more = static_cast<bool>(std::getline(hypotheses, hypothesis));
        if (more != static_cast<bool>(std::getline(references, reference))) return std::cerr << "unlike files\n", 1;
        if (!more) break;
        state.observe(hypothesis, reference);
    }
    std::cout << state.score_json() << '\n';
} catch (const bleuprint::Error &error) {
    std::cerr << error.what() << '\n';
    return 1;
}
