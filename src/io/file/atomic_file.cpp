// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/io/atomic_file.hpp>

#include "temporary_name.hpp"
#include "write_at.hpp"

#include <genten/base/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace genten {

namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 16;
constexpr const char* no_permissions =
    "cannot be given the permissions of the file that it replaces";

/// The file that a symbolic link leads to, so that writing through a link replaces that file.
std::string resolved(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_symlink(path, ignored)) return path;
  const auto target = std::filesystem::weakly_canonical(path, ignored);
  return ignored ? path : target.string();
}

/// A name in the same directory that no other thread or process uses.
std::string new_temporary_name(const std::string& target) {
  static std::atomic<unsigned> counter{0};
  const std::filesystem::path path(target);
  std::string name(".");
  name.append(path.filename().string()).append(".").append(std::to_string(getpid()));
  name.append(".").append(std::to_string(counter++)).append(".tmp");
  return (path.parent_path() / name).string();
}

/// Makes the renaming itself last.
void sync_directory(const std::string& target) {
  const std::filesystem::path directory = std::filesystem::path(target).parent_path();
  const int descriptor =
      open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // some file systems do not let one: the data are safe anyway
  fsync(descriptor);
  close(descriptor);
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path)
    : m_path(path == "-" ? "standard output" : path), m_target(resolved(path)) {
  m_buffer.reserve(buffer_bytes);
  if (const auto open_already = own_descriptor(path)) {
    m_descriptor = fcntl(*open_already, F_DUPFD_CLOEXEC, 0);
    if (m_descriptor < 0) fail("cannot be written", errno);
    return;
  }
  struct stat status {};
  const bool exists = stat(m_target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    throw Error::in_file(m_path, 0, "cannot be written: it is a directory");
  }
  if (exists && !S_ISREG(status.st_mode)) {
    m_descriptor = open(m_target.c_str(), O_WRONLY | O_CLOEXEC);
    if (m_descriptor < 0) fail("cannot be written", errno);
  } else {
    m_temporary = std::make_unique<detail::TemporaryName>(new_temporary_name(m_target));
    m_descriptor = open(m_temporary->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (m_descriptor < 0) {
      const int why = errno;
      m_temporary.reset();  // a file of that name is another's
      fail("cannot be written", why);
    }
    if (!exists) return;
    // Until a commit those who write at places open it, too, whatever the old file lets them.
    m_mode = status.st_mode & 07777;
    if (fchmod(m_descriptor, *m_mode) != 0 || fchmod(m_descriptor, S_IRUSR | S_IWUSR) != 0) {
      const int why = errno;
      discard();
      fail(no_permissions, why);
    }
  }
}

AtomicFile::~AtomicFile() {
  discard();
}

void AtomicFile::fail(const char* what, int why) const {
  throw Error::of_system(m_path, what, why);
}

void AtomicFile::discard() noexcept {
  if (m_descriptor >= 0) close(std::exchange(m_descriptor, -1));
  if (m_temporary) unlink(m_temporary->c_str());
  m_temporary.reset();
}

void AtomicFile::write_out(const char* data, std::size_t bytes) {
  while (bytes != 0) {
    const ssize_t written = ::write(m_descriptor, data, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot be written", errno);
    data += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::flush() {
  write_out(m_buffer.data(), m_buffer.size());
  m_buffer.clear();
}

void AtomicFile::write(std::string_view bytes) {
  if (m_buffer.size() + bytes.size() > buffer_bytes) flush();
  if (bytes.size() > buffer_bytes) {
    write_out(bytes.data(), bytes.size());
  } else {
    m_buffer.append(bytes);
  }
}

void AtomicFile::commit() {
  flush();
  if (!m_temporary) {
    discard();
    return;
  }
  if (m_mode && fchmod(m_descriptor, *m_mode) != 0) fail(no_permissions, errno);
  sync();
  if (close(std::exchange(m_descriptor, -1)) != 0) fail("cannot be written", errno);
  if (rename(m_temporary->c_str(), m_target.c_str()) != 0)
    fail("cannot be renamed into place", errno);
  m_temporary.reset();
  sync_directory(m_target);
}

std::string AtomicFile::temporary_name() const {
  return m_temporary ? m_temporary->c_str() : "";
}

void AtomicFile::reserve(std::size_t bytes) {
  const auto length = static_cast<off_t>(bytes);
  if (ftruncate(m_descriptor, length) != 0) fail("cannot be written", errno);
#ifdef __linux__
  while (fallocate(m_descriptor, 0, 0, length) != 0) {
    if (errno == EINTR) continue;
    if (errno == EOPNOTSUPP || errno == ENOSYS) return;
    fail("cannot be written", errno);
  }
#endif
}

void AtomicFile::write_at(std::size_t begin, std::string_view bytes) {
  const int why = detail::write_all_at(m_descriptor, begin, bytes);
  if (why != 0) fail("cannot be written", why);
}

void AtomicFile::sync() {
  if (fsync(m_descriptor) != 0) fail("cannot be written to the disk", errno);
}

std::optional<int> own_descriptor(const std::string& path) {
  namespace fs = std::filesystem;
  if (path == "-") return STDOUT_FILENO;
  const std::string process = "/proc/" + std::to_string(getpid()) + "/";
  constexpr int most_links = 40;  // as systems follow them
  fs::path place = path;
  for (int link = 0; link < most_links; ++link) {
    std::error_code error;
    const fs::path folder =
        fs::canonical(place.has_parent_path() ? place.parent_path() : fs::path("."), error);
    const std::string name = place.filename().string();
    if (error || name.empty()) return std::nullopt;
    // A thread's folder, /proc/thread-self/fd, has the same ones.
    const bool is_own = folder.string().starts_with(process) && folder.filename() == "fd";
    if (is_own && name.size() < 8 && name.find_first_not_of("0123456789") == std::string::npos) {
      return std::stoi(name);
    }
    const fs::path target = fs::read_symlink(folder / name, error);
    if (error) return std::nullopt;
    place = target.is_absolute() ? target : folder / target;
  }
  return std::nullopt;
}

void write_file(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

void remove_temporary_files() noexcept {
  detail::TemporaryName::remove_all();
}

}  // namespace genten
