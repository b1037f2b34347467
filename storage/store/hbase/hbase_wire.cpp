#include "storage/store/hbase/hbase_wire.h"

namespace hob::store {
namespace {

using apache::thrift::protocol::TMessageType;
using apache::thrift::protocol::TType;
namespace protocol = apache::thrift::protocol;

/// Calls `field(id, type)` for each field of a struct; it gives false to have the field skipped.
template <typename F>
void read_struct(Protocol& in, F&& field) {
    std::string name;
    in.readStructBegin(name);
    while (true) {
        TType type = protocol::T_STOP;
        std::int16_t id = 0;
        in.readFieldBegin(name, type, id);
        if (type == protocol::T_STOP) break;
        if (!field(id, type)) in.skip(type);
        in.readFieldEnd();
    }
    in.readStructEnd();
}

/// Reads results one after another; keeps its strings, so that a cell allocates nothing.
class ResultReader {
  public:
    ResultReader(Protocol& in, bool with_keys, ResultList& out)
        : in_(in), with_keys_(with_keys), out_(out) {}

    void read_list() {
        TType type = protocol::T_STOP;
        std::uint32_t size = 0;
        in_.readListBegin(type, size);
        for (std::uint32_t i = 0; i < size; ++i) {
            read_result();
        }
        in_.readListEnd();
    }

  private:
    /// struct TResult: 1 row, 2 cells, 4 partial
    void read_result() {
        row_.clear();
        bool partial = false;
        read_struct(in_, [&](std::int16_t id, TType type) {
            if (id == 1 && type == protocol::T_STRING) {
                in_.readBinary(row_);
            } else if (id == 2 && type == protocol::T_LIST) {
                read_cells();
            } else if (id == 4 && type == protocol::T_BOOL) {
                in_.readBool(partial);
            } else {
                return false;
            }
            return true;
        });
        if (with_keys_) {
            out_.rows.end_row(row_);
        } else {
            out_.rows.end_row();
        }
        out_.partial.push_back(partial);
    }

    void read_cells() {
        TType type = protocol::T_STOP;
        std::uint32_t size = 0;
        in_.readListBegin(type, size);
        for (std::uint32_t i = 0; i < size; ++i) {
            read_cell();
        }
        in_.readListEnd();
    }

    /// struct TColumnValue: 2 qualifier, 3 value, 4 timestamp
    void read_cell() {
        std::int64_t timestamp = 0;
        read_struct(in_, [&](std::int16_t id, TType type) {
            if (id == 2 && type == protocol::T_STRING) {
                in_.readBinary(qualifier_);
            } else if (id == 3 && type == protocol::T_STRING) {
                in_.readBinary(value_);
            } else if (id == 4 && type == protocol::T_I64) {
                in_.readI64(timestamp);
            } else {
                return false;
            }
            return true;
        });
        out_.rows.add_cell(qualifier_, value_);
        out_.newest_us = std::max(out_.newest_us, timestamp);
    }

    Protocol& in_;
    bool with_keys_;
    ResultList& out_;
    std::string row_;
    std::string qualifier_;
    std::string value_;
};

}  // namespace

void read_results(Protocol& in, bool with_keys, ResultList& out) {
    std::string name;
    TMessageType kind = protocol::T_CALL;
    std::int32_t sequence = 0;
    in.readMessageBegin(name, kind, sequence);
    if (kind == protocol::T_EXCEPTION) {
        apache::thrift::TApplicationException refused;
        refused.read(&in);
        in.readMessageEnd();
        throw refused;
    }
    bool has_results = false;
    bool has_failed = false;
    thrift2::TIOError failure;
    ResultReader reader(in, with_keys, out);
    read_struct(in, [&](std::int16_t id, TType type) {
        if (id == 0 && type == protocol::T_LIST) {
            has_results = true;
            reader.read_list();
        } else if (id == 1 && type == protocol::T_STRUCT) {
            has_failed = true;
            failure.read(&in);
        } else {
            return false;
        }
        return true;
    });
    in.readMessageEnd();
    if (has_failed) throw failure;
    if (!has_results) {
        throw apache::thrift::TApplicationException(
            apache::thrift::TApplicationException::MISSING_RESULT, name + " answered nothing");
    }
}

}  // namespace hob::store
