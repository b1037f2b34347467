#include "gremlin/io/output_file.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace hob::gremlin {
namespace {

constexpr unsigned kBufferBytes = 256 * 1024;

Error failed(std::string_view what, std::string_view path) {
    return Error::make(Code::kUnavailable, "can't {} '{}': {}", what, path, std::strerror(errno));
}

}  // namespace

struct OutputFile::Handle {
    gzFile file = nullptr;
};

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::string& path) {
    std::unique_ptr<OutputFile> output(new OutputFile);
    output->path_ = path;
    output->part_ = path + ".part";
    output->handle_ = std::make_unique<Handle>();
    // "T" writes plain bytes through the same interface.
    output->handle_->file = gzopen(output->part_.c_str(), path.ends_with(".gz") ? "wb6" : "wbT");
    if (output->handle_->file == nullptr) return failed("create", output->part_);
    gzbuffer(output->handle_->file, kBufferBytes);
    return output;
}

OutputFile::~OutputFile() {
    if (handle_ == nullptr || handle_->file == nullptr) return;
    gzclose(handle_->file);
    std::remove(part_.c_str());
}

Status OutputFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto size = static_cast<unsigned>(std::min<std::size_t>(bytes.size(), 1u << 30));
        if (gzwrite(handle_->file, bytes.data(), size) <= 0) return failed("write", part_);
        bytes.remove_prefix(size);
    }
    return {};
}

Status OutputFile::finish() {
    const int closed = gzclose(handle_->file);
    handle_->file = nullptr;
    if (closed != Z_OK || std::rename(part_.c_str(), path_.c_str()) != 0) {
        const Error error = failed("finish", path_);
        std::remove(part_.c_str());
        return error;
    }
    return {};
}

}  // namespace hob::gremlin
