#include "storage/layout/dictionary.h"

#include <catch2/catch.hpp>
#include <thread>

#include "storage/layout/id_block.h"
#include "storage/store/memory/memory_store.h"

namespace hob::layout {
namespace {

std::unique_ptr<store::RowStore> store_with_meta() {
    auto store = store::make_memory_store();
    REQUIRE(store->create_table({.name = "m", .families = "p"}, {}).ok());
    return store;
}

TEST_CASE("codes ascend from 1 in each space, are kept, and two servers agree on them") {
    const auto store = store_with_meta();
    Dictionary first(*store, "m");
    Dictionary second(*store, "m");
    CHECK(*first.code(NameKind::kKey, "name", {}) == 1);
    CHECK(*first.code(NameKind::kKey, "age", {}) == 2);
    CHECK(*first.code(NameKind::kEdgeLabel, "name", {}) == 1);
    CHECK(*first.code(NameKind::kKey, "name", {}) == 1);
    // The second has an empty cache: its first try is refused by the store, then it reads.
    CHECK(*second.code(NameKind::kKey, "lang", {}) == 3);
    CHECK(*second.code(NameKind::kKey, "age", {}) == 2);
    CHECK(first.names()->code(NameKind::kKey, "lang") == 0);
    REQUIRE(first.load({}).ok());
    CHECK(first.names()->code(NameKind::kKey, "lang") == 3);
    CHECK(first.names()->name(NameKind::kKey, 3)->text() == "lang");
    CHECK(first.names()->name(NameKind::kKey, 4) == nullptr);
    CHECK(first.names()->name(NameKind::kKey, 0) == nullptr);
    CHECK(first.code(NameKind::kKey, "", {}).error().code == Code::kInvalidArgument);
}

TEST_CASE("a key that holds lists or sets is marked for all servers") {
    const auto store = store_with_meta();
    Dictionary first(*store, "m");
    const auto key = *first.code(NameKind::kKey, "location", {});
    CHECK_FALSE(first.names()->is_multi(key));
    REQUIRE(first.mark_multi(key, {}).ok());
    CHECK(first.names()->is_multi(key));
    Dictionary second(*store, "m");
    REQUIRE(second.load({}).ok());
    CHECK(second.names()->is_multi(key));
}

TEST_CASE("names given at once from many threads get distinct codes") {
    const auto store = store_with_meta();
    Dictionary one(*store, "m");
    Dictionary two(*store, "m");
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&, t] {
                for (int i = 0; i < 50; ++i) {
                    (void)(t % 2 == 0 ? one : two)
                        .code(NameKind::kKey, "k" + std::to_string(i), {});
                }
            });
        }
    }
    REQUIRE(one.load({}).ok());
    const auto names = one.names();
    CHECK(names->of(NameKind::kKey).names.size() == 51);
    for (int i = 0; i < 50; ++i) {
        CHECK(*two.code(NameKind::kKey, "k" + std::to_string(i), {}) ==
              names->code(NameKind::kKey, "k" + std::to_string(i)));
    }
}

TEST_CASE("made-up ids ascend, never collide with reserved ones, and survive a restart") {
    const auto store = store_with_meta();
    IdBlock block(*store, "m", "id.vertex");
    CHECK(*block.next({}) == 1);
    CHECK(*block.next({}) == 2);
    REQUIRE(block.reserve(1, {}).ok());
    REQUIRE(block.reserve(5, {}).ok());
    CHECK(*block.next({}) == 6);
    REQUIRE(block.reserve(1'000'000, {}).ok());
    CHECK(*block.next({}) == 1'000'001);
    REQUIRE(block.reserve(-4, {}).ok());
    REQUIRE(block.reserve(INT64_MAX, {}).ok());
    CHECK(*block.next({}) == 1'000'002);
    IdBlock other(*store, "m", "id.vertex");
    const auto from_other = *other.next({});
    CHECK(from_other > 1'000'002);
    IdBlock again(*store, "m", "id.vertex");
    REQUIRE(again.load({}).ok());
    CHECK(again.highest() >= from_other);
    CHECK(*again.next({}) > from_other);
}

}  // namespace
}  // namespace hob::layout
