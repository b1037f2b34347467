#pragma once
#include "gremlin/exec/context.h"
#include "gremlin/plan/engine.h"

namespace hob::gremlin {

/// What the source instructions of a traversal (with, withSack, withSideEffect ...) set for its
/// query; strategies have a file of their own (strategies.h).
struct SourceSettings {
    RequestSettings request;
    bool storage_stats = false;  ///< g.with('storageStats')
};

/// Only the settings that the server applies before the query runs.
RequestSettings request_settings(const Traversal& traversal);

/// Applies them to the query's context. Errors: kInvalidArgument (bad value, unknown source
/// method), kUnsupported (withComputer).
Result<SourceSettings> apply_sources(const Traversal& traversal, QueryContext& context);

}  // namespace hob::gremlin
