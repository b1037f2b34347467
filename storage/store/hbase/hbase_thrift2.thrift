/*
 * The part of HBase's Thrift2 interface that hobgoblin calls: field numbers, types and names are those of HBase 2.6,
 * so it is compatible on the wire; what is not used is left out (Thrift skips unknown fields).
 */
namespace cpp hob.store.thrift2

struct TColumn {
  1: required binary family,
  2: optional binary qualifier,
  3: optional i64 timestamp
}

struct TColumnValue {
  1: required binary family,
  2: required binary qualifier,
  3: required binary value,
  4: optional i64 timestamp
}

struct TResult {
  1: optional binary row,
  2: required list<TColumnValue> columnValues,
  4: optional bool partial = false
}

struct TGet {
  1: required binary row,
  2: optional list<TColumn> columns,
  12: optional i32 storeLimit,
  15: optional binary filterBytes
}

struct TPut {
  1: required binary row,
  2: required list<TColumnValue> columnValues,
  3: optional i64 timestamp
}

enum TDeleteType {
  DELETE_COLUMN = 0,
  DELETE_COLUMNS = 1,
  DELETE_FAMILY = 2,
  DELETE_FAMILY_VERSION = 3
}

struct TDelete {
  1: required binary row,
  2: optional list<TColumn> columns,
  3: optional i64 timestamp,
  4: optional TDeleteType deleteType = TDeleteType.DELETE_COLUMNS
}

struct TScan {
  1: optional binary startRow,
  2: optional binary stopRow,
  3: optional list<TColumn> columns,
  4: optional i32 caching,
  8: optional i32 batchSize,
  18: optional binary filterBytes
}

union TMutation {
  1: TPut put,
  2: TDelete deleteSingle
}

struct TRowMutations {
  1: required binary row,
  2: required list<TMutation> mutations
}

enum TCompareOp {
  LESS = 0,
  LESS_OR_EQUAL = 1,
  EQUAL = 2,
  NOT_EQUAL = 3,
  GREATER_OR_EQUAL = 4,
  GREATER = 5,
  NO_OP = 6
}

enum TBloomFilterType {
  NONE = 0,
  ROW = 1,
  ROWCOL = 2
}

enum TCompressionAlgorithm {
  LZO = 0,
  GZ = 1,
  NONE = 2,
  SNAPPY = 3
}

enum TDataBlockEncoding {
  NONE = 0,
  PREFIX = 2,
  DIFF = 3,
  FAST_DIFF = 4,
  ROW_INDEX_V1 = 7
}

struct TTableName {
  1: optional binary ns,
  2: required binary qualifier
}

struct TColumnFamilyDescriptor {
  1: required binary name,
  4: optional i32 blockSize,
  5: optional TBloomFilterType bloomnFilterType,
  6: optional TCompressionAlgorithm compressionType,
  8: optional TDataBlockEncoding dataBlockEncoding,
  10: optional i32 maxVersions
}

struct TTableDescriptor {
  1: required TTableName tableName,
  2: optional list<TColumnFamilyDescriptor> columns
}

struct TNamespaceDescriptor {
  1: required string name
}

exception TIOError {
  1: optional string message,
  2: optional bool canRetry
}

enum TThriftServerType {
  ONE = 1,
  TWO = 2
}

service THBaseService {
  list<TResult> getMultiple(1: required binary table, 2: required list<TGet> tgets) throws (1: TIOError io)

  list<TResult> getScannerResults(1: required binary table, 2: required TScan tscan, 3: i32 numRows = 1)
      throws (1: TIOError io)

  void putMultiple(1: required binary table, 2: required list<TPut> tputs) throws (1: TIOError io)

  list<TDelete> deleteMultiple(1: required binary table, 2: required list<TDelete> tdeletes) throws (1: TIOError io)

  void mutateRow(1: required binary table, 2: required TRowMutations trowMutations) throws (1: TIOError io)

  bool checkAndMutate(1: required binary table, 2: required binary row, 3: required binary family,
      4: required binary qualifier, 5: required TCompareOp compareOp, 6: binary value,
      7: required TRowMutations rowMutations) throws (1: TIOError io)

  bool tableExists(1: TTableName tableName) throws (1: TIOError io)

  TTableDescriptor getTableDescriptor(1: required TTableName table) throws (1: TIOError io)

  void createTable(1: required TTableDescriptor desc, 2: list<binary> splitKeys) throws (1: TIOError io)

  void disableTable(1: required TTableName tableName) throws (1: TIOError io)

  void deleteTable(1: required TTableName tableName) throws (1: TIOError io)

  void createNamespace(1: required TNamespaceDescriptor namespaceDesc) throws (1: TIOError io)

  list<string> listNamespaces() throws (1: TIOError io)

  TThriftServerType getThriftServerType()
}
