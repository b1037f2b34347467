#include "storage/store/hbase/hbase_core.h"

#include <algorithm>
#include <mutex>

#include "storage/store/hbase/hbase_wire.h"
#include "storage/store/validate.h"

namespace hob::store {
namespace {

constexpr std::uint32_t kFirstGuessCells = 20;
constexpr std::int32_t kBlockBytes = 64 << 10;

thrift2::TTableName table_name(const HBaseOptions& options, std::string_view table) {
    thrift2::TTableName name;
    if (!options.table_namespace.empty()) name.__set_ns(options.table_namespace);
    name.__set_qualifier(options.table_prefix + std::string(table));
    return name;
}

/// ROW_INDEX_V1 with SNAPPY reads points at a quarter of the cost of HBase's usual encodings
/// (measured).
thrift2::TColumnFamilyDescriptor family_descriptor(char letter) {
    thrift2::TColumnFamilyDescriptor family;
    family.__set_name(std::string(1, letter));
    family.__set_blockSize(kBlockBytes);
    family.__set_bloomnFilterType(thrift2::TBloomFilterType::ROW);
    family.__set_compressionType(thrift2::TCompressionAlgorithm::SNAPPY);
    family.__set_dataBlockEncoding(thrift2::TDataBlockEncoding::ROW_INDEX_V1);
    family.__set_maxVersions(1);
    return family;
}

std::vector<std::string> split_keys(std::size_t splits) {
    std::vector<std::string> keys;
    for (std::size_t i = 1; i < std::min<std::size_t>(splits, 256); ++i) {
        keys.emplace_back(1, static_cast<char>(i * 256 / splits));
    }
    return keys;
}

}  // namespace

HBaseCore::HBaseCore(const HBaseOptions& given, std::vector<Gateway> gateways)
    : options(given),
      pool(given, std::move(gateways)),
      workers(std::max<std::size_t>(1, given.connections) - 1) {
    for (auto& cells : cells_per_row_) {
        cells = kFirstGuessCells;
    }
}

std::string HBaseCore::data_name(std::string_view table) const {
    std::string name = options.table_namespace;
    if (!name.empty()) name += ':';
    return name.append(options.table_prefix).append(table);
}

std::size_t HBaseCore::expected_cells(char family) const {
    return cells_per_row_[static_cast<unsigned char>(family) % cells_per_row_.size()];
}

void HBaseCore::learn_cells(char family, std::size_t rows, std::size_t cells) {
    if (rows == 0) return;
    auto& average = cells_per_row_[static_cast<unsigned char>(family) % cells_per_row_.size()];
    const std::size_t seen = std::clamp<std::size_t>(cells / rows, 1, 100'000);
    average = static_cast<std::uint32_t>((average.load() * std::size_t{3} + seen + 3) / 4);
}

Result<std::string> HBaseCore::read_families(std::string_view table, const CallContext& call) {
    thrift2::TTableDescriptor descriptor;
    Status read =
        pool.call(fmt::format("descriptor of table '{}'", table), call, HBasePool::Repeat::kOnce,
                  [&](HBaseConnection& on) {
                      on.client().getTableDescriptor(descriptor, table_name(options, table));
                  });
    if (!read.ok()) {
        // HBase says just the table's name when it is missing; asking again is the only sure way to
        // know.
        HOB_ASSIGN_OR_RETURN(const bool exists, table_exists(table, call));
        if (!exists) return missing_table(table);
        return std::move(read.error());
    }
    std::string families;
    for (const auto& family : descriptor.columns) {
        if (family.name.size() == 1) families += family.name;
    }
    const std::unique_lock lock(tables_mutex_);
    families_[std::string(table)] = families;
    return families;
}

void HBaseCore::forget(std::string_view table) {
    const std::unique_lock lock(tables_mutex_);
    const auto found = families_.find(table);
    if (found != families_.end()) families_.erase(found);
}

Status HBaseCore::check_family(std::string_view table, char family, const CallContext& call) {
    {
        const std::shared_lock lock(tables_mutex_);
        const auto found = families_.find(table);
        if (found != families_.end() && found->second.find(family) != std::string::npos) return {};
    }
    HOB_TRY(check_table_name(table));
    HOB_ASSIGN_OR_RETURN(const std::string families, read_families(table, call));
    if (families.find(family) == std::string::npos) return missing_family(table, family);
    return {};
}

Error HBaseCore::explain(Error error, std::string_view table, const CallContext& call) {
    if (error.code != Code::kUnavailable && error.code != Code::kNotFound) return error;
    forget(table);
    const auto exists = table_exists(table, call);
    return exists.ok() && !*exists ? missing_table(table) : error;
}

Result<bool> HBaseCore::table_exists(std::string_view table, const CallContext& call) {
    HOB_TRY(check_table_name(table));
    bool exists = false;
    HOB_TRY(pool.call(fmt::format("look for table '{}'", table), call, HBasePool::Repeat::kOnce,
                      [&](HBaseConnection& on) {
                          exists = on.client().tableExists(table_name(options, table));
                      }));
    return exists;
}

Status HBaseCore::create_table(const TableSpec& spec, const CallContext& call) {
    HOB_ASSIGN_OR_RETURN(const bool exists, table_exists(spec.name, call));
    if (!exists) {
        thrift2::TTableDescriptor descriptor;
        descriptor.__set_tableName(table_name(options, spec.name));
        descriptor.__isset.columns = true;
        for (const char family : spec.families) {
            descriptor.columns.push_back(family_descriptor(family));
        }
        const auto keys = spec.salted ? split_keys(options.splits) : std::vector<std::string>();
        Status created = pool.call(
            fmt::format("creation of table '{}'", spec.name), call, HBasePool::Repeat::kNever,
            [&](HBaseConnection& on) { on.client().createTable(descriptor, keys); });
        // Another server may have been quicker.
        if (!created.ok() && created.error().code != Code::kAlreadyExists) return created;
    }
    HOB_ASSIGN_OR_RETURN(const std::string families, read_families(spec.name, call));
    for (const char family : spec.families) {
        if (families.find(family) != std::string::npos) continue;
        return Error::invalid(
            "table '{}' exists in HBase with the families '{}', hobgoblin needs '{}': it is not "
            "hobgoblin's; give the "
            "store another table prefix or namespace, or drop the table",
            data_name(spec.name), families, spec.families);
    }
    return {};
}

Status HBaseCore::drop_table(std::string_view table, const CallContext& call) {
    HOB_ASSIGN_OR_RETURN(const bool exists, table_exists(table, call));
    forget(table);
    if (!exists) return {};
    // A table that is disabled already (a drop that was cut off) refuses to be disabled; the delete
    // decides.
    const Status disabled = pool.call(
        fmt::format("disabling of table '{}'", table), call, HBasePool::Repeat::kNever,
        [&](HBaseConnection& on) { on.client().disableTable(table_name(options, table)); });
    Status deleted = pool.call(
        fmt::format("deletion of table '{}'", table), call, HBasePool::Repeat::kNever,
        [&](HBaseConnection& on) { on.client().deleteTable(table_name(options, table)); });
    if (!deleted.ok() && !disabled.ok()) return disabled;
    return deleted;
}

Status HBaseCore::create_namespace(const CallContext& call) {
    if (options.table_namespace.empty()) return {};
    std::vector<std::string> names;
    HOB_TRY(pool.call("list of namespaces", call, HBasePool::Repeat::kOnce,
                      [&](HBaseConnection& on) { on.client().listNamespaces(names); }));
    if (std::find(names.begin(), names.end(), options.table_namespace) != names.end()) return {};
    thrift2::TNamespaceDescriptor descriptor;
    descriptor.__set_name(options.table_namespace);
    Status created = pool.call(fmt::format("creation of namespace '{}'", options.table_namespace),
                               call, HBasePool::Repeat::kNever, [&](HBaseConnection& on) {
                                   on.client().createNamespace(descriptor);
                               });
    if (!created.ok() && created.error().code != Code::kAlreadyExists) return created;
    return {};
}

}  // namespace hob::store
