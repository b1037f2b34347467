#include "server/cli/commands.h"
namespace hob::server::cli {
int load(const LoadOptions&) {
    return 1;
}
}  // namespace hob::server::cli
