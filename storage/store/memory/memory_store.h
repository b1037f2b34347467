#pragma once
#include <memory>

#include "storage/store/row_store.h"

namespace hob::store {

/// A RowStore that keeps everything in this process's memory and loses it at its end. Snapshots are
/// exact: a cell's older versions live as long as a snapshot that sees them. Never kUnavailable. A
/// scan without a snapshot reads each page as it then is. Thread-safe.
std::unique_ptr<RowStore> make_memory_store();

}  // namespace hob::store
