#include "storage/base/error.h"

namespace hob {

std::string_view name_of(Code code) {
    switch (code) {
        case Code::kInvalidArgument:
            return "InvalidArgument";
        case Code::kParse:
            return "Parse";
        case Code::kUnsupported:
            return "Unsupported";
        case Code::kNotFound:
            return "NotFound";
        case Code::kAlreadyExists:
            return "AlreadyExists";
        case Code::kExecution:
            return "Execution";
        case Code::kFailStep:
            return "FailStep";
        case Code::kConflict:
            return "Conflict";
        case Code::kUnavailable:
            return "Unavailable";
        case Code::kTimeout:
            return "Timeout";
        case Code::kCancelled:
            return "Cancelled";
        case Code::kLimit:
            return "Limit";
        case Code::kCorrupt:
            return "Corrupt";
        case Code::kInternal:
            return "Internal";
    }
    return "Unknown";
}

}  // namespace hob
