// The list of toys of one build.
#include "kernels/simt/tests/toys.hpp"

#include "kernels/simt/tests/toy_meetings.hpp"
#include "kernels/simt/tests/toy_memory.hpp"
#include "kernels/simt/tests/toy_races.hpp"

namespace seamgate::simt::test {
inline namespace SIMT_BUILD {

template <auto Kernel, const Config& How>
kernels::Status run(const ToyMemory& memory) {
  return launch<Kernel>(How, memory);
}

inline const Config with_dynamic_memory{.grid = 1, .block = 32, .smem_bytes = 32 * sizeof(float)};

std::vector<Toy> all_toys() {
  return {
      {"mirror", run<mirror_kernel<true>, four_blocks>, ""},
      {"mirror without a barrier", run<mirror_kernel<false>, four_blocks>, "race_in_block"},
      {"two sums", run<two_sums_kernel<true>, four_blocks>, ""},
      {"two sums without a barrier before reuse", run<two_sums_kernel<false>, four_blocks>, "race_in_block"},
      {"lane exchange", run<lane_exchange_kernel<Between::syncwarp>, one_block>, ""},
      {"lane exchange without syncwarp", run<lane_exchange_kernel<Between::nothing>, one_block>,
       "missing_syncwarp"},
      {"lane exchange by a shuffle", run<lane_exchange_kernel<Between::shuffle>, one_block>,
       "missing_syncwarp"},
      {"sync of a whole warp", run<half_warp_sync_kernel<0xFFFFFFFFU>, one_warp>, ""},
      {"sync of half a warp", run<half_warp_sync_kernel<0x0000FFFFU>, one_warp>, "missing_syncwarp"},
      {"relay", run<relay_kernel, one_warp>, ""},
      {"block result", run<block_result_kernel<true>, four_blocks>, ""},
      {"block result in one place", run<block_result_kernel<false>, four_blocks>, "race_between_blocks"},
      {"last block", run<last_block_kernel<Fence::after_the_write>, four_blocks>, ""},
      {"last block without a fence", run<last_block_kernel<Fence::none>, four_blocks>, "race_between_blocks"},
      {"last block with an early fence", run<last_block_kernel<Fence::before_the_write>, four_blocks>,
       "race_between_blocks"},
      {"last thread", run<last_thread_kernel<true>, four_blocks>, ""},
      {"last thread without fences", run<last_thread_kernel<false>, four_blocks>, "race_between_blocks"},
      {"last block of fencing threads", run<last_block_all_threads_kernel<true>, four_blocks>, ""},
      {"last block of threads without fences", run<last_block_all_threads_kernel<false>, four_blocks>,
       "race_between_blocks"},
      {"histogram", run<histogram_kernel, four_blocks>, ""},
      {"peek at a counter", run<peek_kernel, one_block>, "race_in_block"},
      {"narrow elements", run<narrow_kernel<1>, four_blocks>, ""},
      {"narrow elements of two threads", run<narrow_kernel<2>, four_blocks>, "missing_syncwarp"},

      {"shared memory written", run<unwritten_shared_kernel<true>, one_block>, ""},
      {"shared memory not written", run<unwritten_shared_kernel<false>, one_block>, "unwritten_shared_read"},
      {"shared memory left over", run<left_over_shared_kernel, four_blocks>, "unwritten_shared_read"},
      {"read to the end", run<read_past_end_kernel<0>, four_blocks>, ""},
      {"read past the end", run<read_past_end_kernel<1>, four_blocks>, "out_of_bounds"},
      {"write from the beginning", run<write_before_begin_kernel<0>, four_blocks>, ""},
      {"write before the beginning", run<write_before_begin_kernel<2>, four_blocks>, "out_of_bounds"},
      {"null pointer", run<null_pointer_kernel, one_block>, "out_of_bounds"},
      {"static index", run<static_index_kernel<0>, one_warp>, ""},
      {"static index past the end", run<static_index_kernel<1>, one_warp>, "out_of_bounds"},
      {"dynamic index", run<dynamic_index_kernel<0>, with_dynamic_memory>, ""},
      {"dynamic index past the end", run<dynamic_index_kernel<1>, with_dynamic_memory>, "out_of_bounds"},
      {"dynamic index far past the end", run<dynamic_index_kernel<65>, with_dynamic_memory>, "out_of_bounds"},
      {"vector load", run<vector_load_kernel<4>, one_warp>, ""},
      {"vector load off by one", run<vector_load_kernel<1>, one_warp>, "misaligned"},
      {"64-bit index", run<wide_index_kernel<std::int64_t>, one_warp>, ""},
      {"32-bit index", run<wide_index_kernel<int>, one_warp>, "index_overflow"},

      {"sum of out", run<sum_of_out_kernel<false>, one_block>,
       ""},  // unless `out` is registered as unwritten
      {"sum of written out", run<sum_of_out_kernel<true>, one_block>, ""},

      {"barrier", run<barrier_kernel<Divergence::none>, one_block>, ""},
      {"barrier of half the threads", run<barrier_kernel<Divergence::half_go>, one_block>,
       "divergent_barrier"},
      {"barrier in two places", run<barrier_kernel<Divergence::two_places>, one_block>, "divergent_barrier"},
      {"barrier after a return", run<barrier_kernel<Divergence::some_returned>, one_block>,
       "divergent_barrier"},
      {"shuffle then barrier", run<cross_wait_kernel<true>, one_block>, ""},
      {"shuffle against barrier", run<cross_wait_kernel<false>, one_block>, "deadlock"},
      {"half-warp shuffle", run<half_warp_shuffle_kernel<0x0000FFFFU>, one_warp>, ""},
      {"half-warp shuffle that names others", run<half_warp_shuffle_kernel<0xFFFF0000U>, one_warp>,
       "shuffle_mask"},
      {"shuffle from a lane", run<absent_lane_kernel<3>, one_warp>, ""},
      {"shuffle from an absent lane", run<absent_lane_kernel<20>, one_warp>, "shuffle_mask"},
      {"shuffle of width 8", run<width_kernel<8>, one_warp>, ""},
      {"shuffle of width 12", run<width_kernel<12>, one_warp>, "shuffle_mask"},
      {"one operation", run<two_operations_kernel<true>, one_warp>, ""},
      {"two operations", run<two_operations_kernel<false>, one_warp>, "shuffle_mask"},
      {"returned lanes", run<returned_lanes_kernel, one_warp>, ""},
      {"poll", run<poll_kernel<true>, one_block>, ""},
      {"poll for ever", run<poll_kernel<false>, one_block>, "deadlock"},
      {"spin for ever", run<spin_kernel, one_warp>, "deadlock"},
  };
}

}  // namespace SIMT_BUILD

#if defined(__CUDACC__)
std::vector<Toy> cuda_toys() {
  return all_toys();
}
#elif SIMT_CHECKED
std::vector<Toy> checked_toys() {
  return all_toys();
}
#else
std::vector<Toy> plain_toys() {
  return all_toys();
}
#endif

}  // namespace seamgate::simt::test
