#pragma once
#include <cstdint>
#include <optional>

#include "storage/value/value.h"

namespace hob::gremlin::graphbinary {

/// GraphBinary v1's type codes.
enum class Type : std::uint8_t {
    kCustom = 0x00,
    kInt = 0x01,
    kLong = 0x02,
    kString = 0x03,
    kDate = 0x04,
    kTimestamp = 0x05,
    kClass = 0x06,
    kDouble = 0x07,
    kFloat = 0x08,
    kList = 0x09,
    kMap = 0x0a,
    kSet = 0x0b,
    kUuid = 0x0c,
    kEdge = 0x0d,
    kPath = 0x0e,
    kProperty = 0x0f,
    kGraph = 0x10,
    kVertex = 0x11,
    kVertexProperty = 0x12,
    kBarrier = 0x13,
    kBinding = 0x14,
    kBytecode = 0x15,
    kCardinality = 0x16,
    kColumn = 0x17,
    kDirection = 0x18,
    kOperator = 0x19,
    kOrder = 0x1a,
    kPick = 0x1b,
    kPop = 0x1c,
    kLambda = 0x1d,
    kP = 0x1e,
    kScope = 0x1f,
    kT = 0x20,
    kTraverser = 0x21,
    kBigDecimal = 0x22,
    kBigInteger = 0x23,
    kByte = 0x24,
    kByteBuffer = 0x25,
    kShort = 0x26,
    kBoolean = 0x27,
    kTextP = 0x28,
    kTraversalStrategy = 0x29,
    kBulkSet = 0x2a,
    kTree = 0x2b,
    kMetrics = 0x2c,
    kTraversalMetrics = 0x2d,
    kMerge = 0x2e,
    kDT = 0x2f,
    kGType = 0x30,
    kChar = 0x80,
    kDuration = 0x81,
    kInetAddress = 0x82,
    kInstant = 0x83,
    kLocalDate = 0x84,
    kLocalDateTime = 0x85,
    kLocalTime = 0x86,
    kMonthDay = 0x87,
    kOffsetDateTime = 0x88,
    kOffsetTime = 0x89,
    kPeriod = 0x8a,
    kYear = 0x8b,
    kYearMonth = 0x8c,
    kZonedDateTime = 0x8d,
    kZoneOffset = 0x8e,
    kUnspecifiedNull = 0xfe,
};

constexpr Type type_of(EnumType type) {
    switch (type) {
        case EnumType::kT:
            return Type::kT;
        case EnumType::kDirection:
            return Type::kDirection;
        case EnumType::kOrder:
            return Type::kOrder;
        case EnumType::kScope:
            return Type::kScope;
        case EnumType::kPop:
            return Type::kPop;
        case EnumType::kColumn:
            return Type::kColumn;
        case EnumType::kCardinality:
            return Type::kCardinality;
        case EnumType::kOperator:
            return Type::kOperator;
        case EnumType::kPick:
            return Type::kPick;
        case EnumType::kMerge:
            return Type::kMerge;
        case EnumType::kDT:
            return Type::kDT;
        case EnumType::kGType:
            return Type::kGType;
        case EnumType::kBarrier:
            return Type::kBarrier;
    }
    return Type::kUnspecifiedNull;
}

constexpr std::optional<EnumType> enum_of(Type type) {
    for (int i = 0; i <= static_cast<int>(EnumType::kBarrier); ++i) {
        if (type_of(static_cast<EnumType>(i)) == type) return static_cast<EnumType>(i);
    }
    return std::nullopt;
}

/// A type that is carried unchanged. `size_bytes` of its body; 0: an int32 length comes first.
struct ExtendedForm {
    Type type;
    ExtendedType extended;
    std::size_t size_bytes;
};
inline constexpr ExtendedForm kExtendedForms[] = {
    {Type::kClass, ExtendedType::kClass, 0},
    {Type::kTimestamp, ExtendedType::kTimestamp, 8},
    {Type::kInetAddress, ExtendedType::kInetAddress, 0},
    {Type::kInstant, ExtendedType::kInstant, 12},
    {Type::kLocalDate, ExtendedType::kLocalDate, 6},
    {Type::kLocalDateTime, ExtendedType::kLocalDateTime, 14},
    {Type::kLocalTime, ExtendedType::kLocalTime, 8},
    {Type::kMonthDay, ExtendedType::kMonthDay, 2},
    {Type::kOffsetTime, ExtendedType::kOffsetTime, 12},
    {Type::kPeriod, ExtendedType::kPeriod, 12},
    {Type::kYear, ExtendedType::kYear, 4},
    {Type::kYearMonth, ExtendedType::kYearMonth, 5},
    {Type::kZonedDateTime, ExtendedType::kZonedDateTime, 18},
    {Type::kZoneOffset, ExtendedType::kZoneOffset, 4},
};

constexpr const ExtendedForm* extended_form(Type type) {
    for (const ExtendedForm& form : kExtendedForms) {
        if (form.type == type) return &form;
    }
    return nullptr;
}
constexpr Type type_of(ExtendedType extended) {
    for (const ExtendedForm& form : kExtendedForms) {
        if (form.extended == extended) return form.type;
    }
    return Type::kUnspecifiedNull;
}

}  // namespace hob::gremlin::graphbinary
