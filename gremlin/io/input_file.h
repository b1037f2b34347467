#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "storage/base/error.h"

namespace hob::gremlin {

/// A file's bytes, gunzipped when they are gzip. Used by one thread at a time.
class InputFile {
  public:
    /// "-" is standard input. Errors: kNotFound.
    static Result<std::unique_ptr<InputFile>> open(const std::string& path);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    /// The next bytes, empty at the end; valid until the next call. Errors: kCorrupt for a broken
    /// archive.
    Result<std::string_view> chunk();
    /// One line without its end; false at the end of the file. Errors: kLimit (the line is
    /// skipped), kCorrupt.
    Result<bool> line(std::string& out);
    /// Lines taken by `line` so far.
    [[nodiscard]] std::uint64_t lines() const { return lines_; }
    [[nodiscard]] std::uint64_t bytes_read() const;
    [[nodiscard]] std::uint64_t bytes_total() const { return bytes_total_; }
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    InputFile() = default;
    struct Handle;
    std::unique_ptr<Handle> handle_;
    std::string path_;
    std::string buffer_;
    std::string_view rest_;  ///< Of the buffer, not yet given out by `line`.
    std::uint64_t lines_ = 0;
    std::uint64_t bytes_total_ = 0;
};

}  // namespace hob::gremlin
