#include "gremlin/io/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

namespace hob::gremlin {
namespace {

constexpr std::size_t kChunkBytes = 256 * 1024;
/// A GraphSON line holds all edges of its vertex, so it may be long; without a bound a file without
/// line ends would fill the memory.
constexpr std::size_t kLineBytesMax = 256 * 1024 * 1024;

}  // namespace

struct InputFile::Handle {
    gzFile file = nullptr;
    ~Handle() {
        if (file != nullptr) gzclose(file);
    }
};

InputFile::~InputFile() = default;

Result<std::unique_ptr<InputFile>> InputFile::open(const std::string& path) {
    std::unique_ptr<InputFile> input(new InputFile);
    input->path_ = path;
    input->handle_ = std::make_unique<Handle>();
    const int descriptor =
        path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return Error::make(Code::kNotFound, "can't open '{}': {}", path, std::strerror(errno));
    struct stat status {};
    if (::fstat(descriptor, &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            ::close(descriptor);
            return Error::make(Code::kNotFound, "'{}' is a folder, expected a file", path);
        }
        if (S_ISREG(status.st_mode))
            input->bytes_total_ = static_cast<std::uint64_t>(status.st_size);
    }
    input->handle_->file = gzdopen(descriptor, "rb");
    if (input->handle_->file == nullptr) {
        ::close(descriptor);
        return Error::internal("can't read '{}': out of memory", path);
    }
    gzbuffer(input->handle_->file, kChunkBytes);
    input->buffer_.resize(kChunkBytes);
    return input;
}

Result<std::string_view> InputFile::chunk() {
    const int size = gzread(handle_->file, buffer_.data(), static_cast<unsigned>(buffer_.size()));
    int code = Z_OK;
    const char* message = gzerror(handle_->file, &code);
    // A cut archive gives its bytes first and then reports Z_BUF_ERROR with the last of them.
    if (size < 0 || (size == 0 && code != Z_OK && code != Z_STREAM_END)) {
        return Error::corrupt("{}: can't be unpacked: {}", path_, message);
    }
    return std::string_view(buffer_.data(), static_cast<std::size_t>(size));
}

Result<bool> InputFile::line(std::string& out) {
    out.clear();
    bool too_long = false;
    while (true) {
        if (rest_.empty()) {
            HOB_ASSIGN_OR_RETURN(rest_, chunk());
            if (rest_.empty()) {
                if (out.empty() && !too_long) return false;
                break;
            }
        }
        const std::size_t end = rest_.find('\n');
        const std::string_view piece = rest_.substr(0, end);
        too_long = too_long || out.size() + piece.size() > kLineBytesMax;
        if (too_long) {
            out.clear();
        } else {
            out.append(piece);
        }
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        if (end != std::string_view::npos) break;
    }
    ++lines_;
    if (too_long) {
        return Error::make(Code::kLimit, "{}:{}: the line has more than {} bytes", path_, lines_,
                           kLineBytesMax);
    }
    if (!out.empty() && out.back() == '\r') out.pop_back();
    return true;
}

std::uint64_t InputFile::bytes_read() const {
    const auto offset = gzoffset(handle_->file);
    return offset < 0 ? 0 : static_cast<std::uint64_t>(offset);
}

}  // namespace hob::gremlin
