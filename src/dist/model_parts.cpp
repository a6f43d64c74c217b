// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/dist/detail/model_parts_impl.hpp>

#include <algorithm>

namespace genten::detail {

namespace {

/// Where process 0 has made the file, on all.
SharedFilePlace share_place(Communicator& processes, SharedFilePlace place) {
  std::size_t length = place.temporary.size();
  processes.broadcast(&length, sizeof length, 0);
  place.temporary.resize(length);
  processes.broadcast(place.temporary.data(), length, 0);
  processes.broadcast(&place.token, sizeof place.token, 0);
  return place;
}

}  // namespace

SharedModelWriter::SharedModelWriter(Communicator& processes, const std::string& path,
                                     const ModelFileShape& shape) {
  SharedFilePlace place;
  first_alone(processes, [&] {
    file.emplace(path, shape);
    place = file->place();
  });
  place = share_place(processes, std::move(place));
  if (place.temporary.empty()) {
    file.reset();  // process 0 opens it again, and writes
    return;
  }
  if (processes.process() != 0) {
    try {
      file.emplace(path, shape, place);
    } catch (const std::exception&) {  // the others do without it
    }
  }
  const auto reached = all_gather(processes, file ? 1 : 0);
  for (std::size_t r = 0; r < reached.size(); ++r) {
    if (reached[r] != 0) writers.push_back(r);
  }
}

std::vector<std::size_t> SharedModelWriter::absent(std::size_t processes) const {
  std::vector<std::size_t> others;
  for (std::size_t r = 0; r < processes; ++r) {
    if (!std::binary_search(writers.begin(), writers.end(), r)) others.push_back(r);
  }
  return others;
}

void SharedModelWriter::commit(Communicator& processes, std::string_view weights) {
  together(processes, [&] {
    if (file) file->flush();
  });
  std::vector<std::vector<NumberedHash>> lists(processes.size());
  if (file) lists[0] = file->hashes();
  const auto received = exchange_lists(processes, lists);
  first_alone(processes, [&] {
    std::vector<NumberedHash> all;
    for (const auto& list : received) all.insert(all.end(), list.begin(), list.end());
    file->commit(weights, std::move(all));
  });
}

std::vector<SectionWindow> section_windows(std::size_t processes,
                                           const std::vector<std::size_t>& writers,
                                           std::size_t section, std::size_t begin,
                                           std::size_t window) {
  std::vector<SectionWindow> windows(processes);
  for (const std::size_t writer : writers) {
    if (begin >= section) break;
    const std::size_t end = begin + std::min(window, section - begin);
    windows[writer] = {begin, end};
    begin = end;
  }
  return windows;
}

}  // namespace genten::detail
