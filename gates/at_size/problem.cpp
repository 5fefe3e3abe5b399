// The pages that this program was linked with.
#include "gates/at_size/problem.hpp"

#include <map>

namespace seamgate::gates {
namespace {

std::map<std::string, PageAtSize, std::less<>>& pages() {
  static std::map<std::string, PageAtSize, std::less<>> by_op;
  return by_op;
}

std::map<std::string, EvaluateAtSize, std::less<>>& gpu_pages() {
  static std::map<std::string, EvaluateAtSize, std::less<>> by_op;
  return by_op;
}

}  // namespace

RegisterPageAtSize::RegisterPageAtSize(PageAtSize page) {
  pages().insert_or_assign(page.op, page);
}
RegisterGpuAtSize::RegisterGpuAtSize(std::string op, EvaluateAtSize on_gpu) {
  gpu_pages().insert_or_assign(std::move(op), on_gpu);
}

const PageAtSize* find_page_at_size(std::string_view op) {
  const auto found = pages().find(op);
  return found == pages().end() ? nullptr : &found->second;
}

EvaluateAtSize gpu_at_size(std::string_view op) {
  const auto found = gpu_pages().find(op);
  return found == gpu_pages().end() ? nullptr : found->second;
}

std::int64_t workspace_at_size(std::int64_t rows, std::int64_t columns) {
  // What a row's elements share; and sums of stretches of rows, a total and a square each.
  constexpr std::int64_t bytes_of_sum = most_column_inputs * 24;
  return rows * bytes_of_row + ((std::int64_t{1} << 20) + 2 * columns) * bytes_of_sum +
         (std::int64_t{64} << 20);
}

}  // namespace seamgate::gates
