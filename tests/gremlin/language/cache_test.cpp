#include <catch2/catch.hpp>
#include <thread>

#include "gremlin/language/script.h"

namespace hob::gremlin::test {

TEST_CASE("The cache gives the same script for the same text and forgets the least recently used") {
    ParseCache cache(2);
    const auto first = cache.parse("g.V(1)");
    REQUIRE(first.ok());
    const std::weak_ptr<const Script> second = *cache.parse("g.V(2)");
    CHECK(*cache.parse("g.V(1)") == *first);
    CHECK_FALSE(second.expired());
    CHECK(cache.parse("g.V(3)").ok());
    CHECK(second.expired());
    CHECK(*cache.parse("g.V(1)") == *first);
}

TEST_CASE("Errors, long texts and texts that differ each time are not kept") {
    ParseCache cache(10, 20);
    CHECK_FALSE(cache.parse("g.V(").ok());
    CHECK_FALSE(cache.parse("g.V(").ok());
    const std::string longer = "g.V().out().in().both().count()";
    CHECK(*cache.parse(longer) != *cache.parse(longer));
    const std::string random = "g.inject(UUID())";
    CHECK(*cache.parse(random) != *cache.parse(random));
    const std::string now = "g.inject(datetime())";
    CHECK(*cache.parse(now) != *cache.parse(now));
}

TEST_CASE("A cache of no entries still parses") {
    ParseCache cache(0);
    CHECK(cache.parse("g.V(1)").ok());
    CHECK(cache.parse("g.V(1)").ok());
}

TEST_CASE("Threads share a cache") {
    ParseCache cache(8);
    std::atomic<std::size_t> parsed{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&cache, &parsed, t] {
            for (int i = 0; i < 500; ++i) {
                if (cache.parse("g.V(" + std::to_string((i * 7 + t) % 20) + ")").ok()) ++parsed;
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    CHECK(parsed == 2000);
}

}  // namespace hob::gremlin::test
