#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "storage/base/error.h"

namespace hob::gremlin {

/// A file that takes its name only when it is whole; until then "NAME.part". Used by one thread at
/// a time.
class OutputFile {
  public:
    /// Gzips when the name ends in ".gz". Errors: kUnavailable.
    static Result<std::unique_ptr<OutputFile>> create(const std::string& path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    Status write(std::string_view bytes);
    /// Flushes and renames. Nothing may be written after it.
    Status finish();

  private:
    OutputFile() = default;
    struct Handle;
    std::unique_ptr<Handle> handle_;
    std::string path_;
    std::string part_;
};

}  // namespace hob::gremlin
