// The suffix tree of a text, built on the host in linear time (Ukkonen's algorithm).
#pragma once

#include <algorithm>
#include <vector>

constexpr int kBases = 4, kEndMark = 4;

struct SuffixTree {
  struct Node {
    int start, end;  // the edge to this node is text[start, end)
    int link = 0;    // the node of the same path without its first letter
    int child[kBases + 1] = {};
    int depth = 0;  // letters from the root to this node
  };
  std::vector<Node> nodes;  // node 0 is the root, and no node's child

  // `text` holds letters below kBases and ends with kEndMark.
  explicit SuffixTree(const std::vector<unsigned char>& text) : nodes{{0, 0}} {
    const int length = static_cast<int>(text.size());
    int active = 0, edge = 0, matched = 0, pending = 0;
    for (int i = 0; i < length; ++i) {
      int without_link = 0;
      const auto link_to = [&](int node) {
        if (without_link > 0) nodes[without_link].link = node;
        without_link = node;
      };
      for (++pending; pending > 0; --pending) {
        if (matched == 0) edge = i;
        const int next = nodes[active].child[text[edge]];
        if (next == 0) {
          nodes[active].child[text[edge]] = add(i, length);
          link_to(active);
        } else {
          const int span = std::min(nodes[next].end, i + 1) - nodes[next].start;
          if (matched >= span) {
            edge += span, matched -= span, active = next;
            ++pending;  // the same suffix again, from further down
            continue;
          }
          if (text[nodes[next].start + matched] == text[i]) {
            ++matched;
            link_to(active);
            break;
          }
          const int split = add(nodes[next].start, nodes[next].start + matched);
          nodes[active].child[text[edge]] = split;
          nodes[split].child[text[i]] = add(i, length);
          nodes[next].start += matched;
          nodes[split].child[text[nodes[next].start]] = next;
          link_to(split);
        }
        if (active == 0 && matched > 0) {
          --matched;
          edge = i - pending + 2;
        } else {
          active = nodes[active].link;
        }
      }
    }
    std::vector<int> left{0};
    while (!left.empty()) {
      const int parent = left.back();
      left.pop_back();
      for (const int child : nodes[parent].child) {
        if (child == 0) continue;
        nodes[child].depth = nodes[parent].depth + nodes[child].end - nodes[child].start;
        left.push_back(child);
      }
    }
  }

 private:
  int add(int start, int end) {
    nodes.push_back({start, end});
    return static_cast<int>(nodes.size()) - 1;
  }
};
