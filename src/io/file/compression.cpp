// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "file_content.hpp"

#include <genten/base/error.hpp>

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace genten::detail {

namespace {

constexpr std::size_t step = std::size_t{1} << 20;
constexpr int gzip_window = 15 + 16;  // the largest window; gzip, not zlib, framing

[[noreturn]] void truncated(const std::string& path) {
  throw Error::in_file(path, 0, "truncated: the compressed data end too early");
}

[[noreturn]] void damaged(const std::string& path, const char* why) {
  throw Error::in_file(path, 0, "damaged compressed data: " + std::string(why));
}

bool is_gzip(std::string_view bytes) {
  return bytes.substr(0, 2) == "\x1f\x8b";
}

bool is_zstd(std::string_view bytes) {
  if (bytes.size() < 4) return false;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const bool frame = bytes.substr(0, 4) == "\x28\xb5\x2f\xfd";
  // Skippable frames, which some compressors write first.
  const bool skippable = (byte(0) & 0xf0U) == 0x50U && bytes.substr(1, 3) == "\x2a\x4d\x18";
  return frame || skippable;
}

/// Room to decompress into: a guess of what is to come at first, then half as much again.
std::size_t first_guess(std::size_t compressed) {
  return std::max(step, 4 * compressed);
}

struct Inflater {
  z_stream stream{};
  Inflater() {
    if (inflateInit2(&stream, gzip_window) != Z_OK) throw Error(Error::Kind::runtime, "zlib: init");
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
};

uInt zlib_count(std::size_t n) {
  return static_cast<uInt>(std::min<std::size_t>(n, std::numeric_limits<uInt>::max()));
}

/// Goes through compressed bytes.
class CompressedInput {
 public:
  explicit CompressedInput(const Bytes& bytes) : m_bytes(bytes) {}

  /// Some of those that were not taken yet: `least` or more where so many are left.
  std::string_view rest(std::size_t least = 1) {
    if (m_loaded.size() < least && m_taken + m_loaded.size() < m_bytes.size()) {
      m_loaded = m_bytes.load(m_taken, step, m_buffer);
    }
    return m_loaded;
  }
  void take(std::size_t bytes) {
    m_taken += bytes;
    m_loaded.remove_prefix(bytes);
  }
  [[nodiscard]] std::size_t taken() const { return m_taken; }
  [[nodiscard]] bool ended() const { return m_taken == m_bytes.size(); }

 private:
  const Bytes& m_bytes;
  std::vector<char> m_buffer;
  std::string_view m_loaded;
  std::size_t m_taken = 0;
};

/// What may follow a gzip member: nothing, another member, or zeros up to a tape's block.
bool more_members(const std::string& path, CompressedInput& input) {
  if (is_gzip(input.rest(2))) return true;
  // A lone first byte of the magic is a cut file, not garbage.
  if (input.rest(2) == "\x1f") truncated(path);
  for (; !input.ended(); input.take(input.rest().size())) {
    if (input.rest().find_first_not_of('\0') == std::string_view::npos) continue;
    damaged(path, "something else follows the gzip data");
  }
  return false;
}

}  // namespace

Compression compression_of(std::string_view bytes) {
  if (is_gzip(bytes)) return Compression::gzip;
  return is_zstd(bytes) ? Compression::zstd : Compression::none;
}

namespace {

/// Passes everything in all members of a gzip file to the sink.
void decompress_gzip(const std::string& path, CompressedInput input, ByteSink& sink,
                     WorkMeter* meter) {
  Inflater inflater;
  z_stream& stream = inflater.stream;
  for (;;) {
    const std::span<char> to = sink.room();
    const std::string_view from = input.rest();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(from.data()));
    stream.avail_in = zlib_count(from.size());
    stream.next_out = reinterpret_cast<Bytef*>(to.data());
    stream.avail_out = zlib_count(to.size());
    const uInt in = stream.avail_in;
    const uInt room = stream.avail_out;
    const int status = inflate(&stream, Z_NO_FLUSH);
    input.take(in - stream.avail_in);
    if (meter != nullptr) meter->add(in - stream.avail_in);
    if (!sink.put(room - stream.avail_out, input.taken())) return;
    if (status == Z_STREAM_END) {
      if (!more_members(path, input)) return;
      inflateReset(&stream);
    } else if (status == Z_BUF_ERROR ||
               (status == Z_OK && input.ended() && stream.avail_out != 0)) {
      truncated(path);
    } else if (status != Z_OK) {
      damaged(path, stream.msg != nullptr ? stream.msg : "zlib refuses it");
    }
  }
}

/// Passes everything in all frames of a zstd file to the sink.
void decompress_zstd(const std::string& path, CompressedInput input, ByteSink& sink,
                     WorkMeter* meter) {
  const std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(),
                                                                             ZSTD_freeDStream);
  if (!stream) throw Error(Error::Kind::runtime, "zstd: init");
  for (;;) {
    const std::span<char> to = sink.room();
    const std::string_view from = input.rest();
    ZSTD_inBuffer in{from.data(), from.size(), 0};
    ZSTD_outBuffer block{to.data(), to.size(), 0};
    const std::size_t hint = ZSTD_decompressStream(stream.get(), &block, &in);
    input.take(in.pos);
    if (meter != nullptr) meter->add(in.pos);
    if (ZSTD_isError(hint)) damaged(path, ZSTD_getErrorName(hint));
    if (!sink.put(block.pos, input.taken())) return;
    if (!input.ended()) continue;
    if (hint == 0) return;                        // a frame ended where the file does
    if (block.pos < block.size) truncated(path);  // nothing is held back for want of room
  }
}

/// Keeps everything.
class WholeSink final : public ByteSink {
 public:
  WholeSink(const std::string& path, std::size_t compressed, std::size_t memory_limit)
      : m_path(path), m_limit(memory_limit) {
    m_out.grow(path, first_guess(compressed), memory_limit);
  }
  std::span<char> room() override {
    char* const to = m_out.grow(m_path, step, m_limit);
    return {to, m_out.room()};
  }
  bool put(std::size_t bytes, std::size_t) override {
    m_out.add_size(bytes);
    return true;
  }
  ByteBuffer take() { return std::move(m_out); }

 private:
  const std::string& m_path;
  std::size_t m_limit;
  ByteBuffer m_out;
};

}  // namespace

void decompress(const std::string& path, const Bytes& bytes, Compression compression,
                ByteSink& sink, WorkMeter* meter) {
  if (meter != nullptr) meter->begin("decompressing", bytes.size());
  if (compression == Compression::gzip) {
    decompress_gzip(path, CompressedInput(bytes), sink, meter);
  } else {
    decompress_zstd(path, CompressedInput(bytes), sink, meter);
  }
}

ByteBuffer decompressed(const std::string& path, const Bytes& bytes, Compression compression,
                        std::size_t memory_limit, WorkMeter* meter) {
  WholeSink sink(path, bytes.size(), memory_limit);
  decompress(path, bytes, compression, sink, meter);
  return sink.take();
}

namespace {

std::string compress_gzip(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw Error(Error::Kind::runtime, "zlib: init");
  }
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = zlib_count(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = zlib_count(out.size());
  const int status = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw Error(Error::Kind::runtime, "zlib: deflate");
  return out;
}

std::string compress_zstd(std::string_view bytes) {
  const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(),
                                                                        ZSTD_freeCCtx);
  if (!context) throw Error(Error::Kind::runtime, "zstd: init");
  // Unlike gzip, zstd frames have no checksum unless one is asked for.
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size)) throw Error(Error::Kind::runtime, "zstd: compress");
  out.resize(size);
  return out;
}

}  // namespace

std::string compress(std::string_view bytes, Compression compression) {
  switch (compression) {
    case Compression::gzip:
      return compress_gzip(bytes);
    case Compression::zstd:
      return compress_zstd(bytes);
    case Compression::none:
      break;
  }
  return std::string(bytes);
}

}  // namespace genten::detail
