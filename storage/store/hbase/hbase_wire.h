#pragma once
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/TSocket.h>

#include "THBaseService.h"
#include "storage/store/hbase/hbase_pool.h"

namespace hob::store {

/// The concrete transport makes Thrift's reads a third cheaper than its virtual one.
using Protocol =
    apache::thrift::protocol::TBinaryProtocolT<apache::thrift::transport::TBufferedTransport>;

struct HBaseConnection::Wire {
    std::shared_ptr<apache::thrift::transport::TSocket> socket;
    std::shared_ptr<Protocol> protocol;
    std::unique_ptr<thrift2::THBaseServiceClient> client;
};

/// What a getMultiple or a getScannerResults answered.
struct ResultList {
    RowBatch rows;               ///< With row keys only when they were asked for.
    std::vector<bool> partial;   ///< By row: the scan's cell limit cut it.
    std::int64_t newest_us = 0;  ///< The latest timestamp of any cell.
};

/// Reads the answer of `call` (its send_ function has been called) straight into `out`, without
/// Thrift's objects for each cell. Throws Thrift's exceptions, TIOError among them.
void read_results(Protocol& in, bool with_keys, ResultList& out);

}  // namespace hob::store
