#include <catch2/catch.hpp>
#include <cstdlib>
#include <random>

#include "gremlin/language/traversal.h"
#include "server/net/http_gremlin.h"
#include "server/run/runner.h"
#include "tests/server/wire_fixture.h"

using namespace hob;
using namespace hob::server;
using namespace hob::server::test;

namespace {

/// Changes, cuts, doubles or splices a few bytes.
std::string mutated(std::string message, const std::vector<std::string>& seeds,
                    std::mt19937& random) {
    const auto below = [&random](std::size_t n) { return n == 0 ? 0 : random() % n; };
    for (std::size_t changes = 1 + below(4); changes > 0 && !message.empty(); --changes) {
        const std::size_t at = below(message.size());
        switch (below(6)) {
            case 0:
                message[at] = static_cast<char>(random());
                break;
            case 1:
                message[at] = static_cast<char>(message[at] ^ (1 << below(8)));
                break;
            case 2:
                message.erase(at, 1 + below(8));
                break;
            case 3:
                message.insert(at, message.substr(below(message.size()), 1 + below(16)));
                break;
            case 4:
                message.resize(at);
                break;
            default: {
                const std::string& other = seeds[below(seeds.size())];
                message.replace(at, std::string::npos, other.substr(below(other.size())));
            }
        }
    }
    return message;
}

std::vector<std::string> seeds() {
    gremlin::Traversal t;
    t.steps.push_back({.name = "V", .arguments = {Value::long_(1)}});
    t.steps.push_back(
        {.name = "has",
         .arguments = {Value::string("age"), gremlin::make_predicate("gt", {Value::int_(3)})}});
    const std::string json =
        R"json({"requestId":{"@type":"g:UUID","@value":"c0957b47-4e55-4ba4-9cb1-438778218561"},)json"
        R"json("op":"eval","processor":"session","args":{"gremlin":"g.V()","session":"s",)json"
        R"json("bindings":{"@type":"g:Map","@value":["x",{"@type":"g:Int64","@value":1}]}}})json";
    return {eval(1, "g.V().has('name', x)", {{"bindings", map_of({{"x", Value::string("y")}})}}),
            binary_request(2, "bytecode", "traversal",
                           {{"gremlin", gremlin::make_traversal(t)},
                            {"aliases", map_of({{"g", Value::string("g")}})}}),
            in_session(3, "g.V()", "s"),
            "\x21"
            "application/vnd.gremlin-v3.0+json" +
                json,
            "\x10"
            "application/json" +
                json,
            json};
}

}  // namespace

// Property: whatever bytes a client sends as a message, they are either a job or a refusal with a
// status of the protocol.
// HOB_MUTATIONS and HOB_SEED set another number of messages and another beginning.
TEST_CASE("100,000 mutated messages are read or refused") {
    const auto setting = [](const char* name, unsigned otherwise) {
        const char* text = std::getenv(name);
        return text != nullptr ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : otherwise;
    };
    const unsigned count = setting("HOB_MUTATIONS", 100'000);
    const unsigned seed = setting("HOB_SEED", 20'261'130);
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const auto all = seeds();
    DoubleService service;
    std::size_t jobs = 0;
    std::size_t refusals = 0;
    for (unsigned i = 0; i < count; ++i) {
        const std::string message = mutated(all[random() % all.size()], all, random);
        const auto envelope = read_envelope(message, random() % 4 == 0);
        if (!envelope.ok()) {
            ++refusals;
            continue;
        }
        const std::string_view body = std::string_view(message).substr(envelope->prefix_bytes);
        const auto request = read_request(envelope->serializer, body);
        if (!request.ok()) {
            REQUIRE_FALSE(request_id_of(envelope->serializer, body).empty());
            REQUIRE_FALSE(request.error().message.empty());
            ++refusals;
            continue;
        }
        const auto planned = plan_job(*request, service);
        if (const auto* line = std::get_if<StatusLine>(&planned)) {
            REQUIRE(line->code >= 498);
            REQUIRE_FALSE(write_answer(envelope->serializer, request->id, *line, nullptr).empty());
            ++refusals;
        } else {
            ++jobs;
        }
    }
    CHECK(jobs > count / 100);
    CHECK(refusals > count / 10);
}

// Property: whatever body and headers an HTTP client sends, they are a request or an error from 400
// to 499.
TEST_CASE("20,000 mutated HTTP requests are read or refused") {
    constexpr unsigned kSeed = 7;
    INFO("seed " << kSeed);
    std::mt19937 random(kSeed);
    auto all = seeds();
    all.emplace_back(
        R"json({"gremlin":"g.V()","bindings":{"x":1},"aliases":{"g":"g"},"queryId":"a"})json");
    all.emplace_back("gremlin=g.V%28%29&bindings.x=1&aliases.g=g");
    std::size_t read_count = 0;
    for (int i = 0; i < 20'000; ++i) {
        const std::string body = mutated(all[random() % all.size()], all, random);
        const auto read = read_http_gremlin(
            {.method = random() % 8 == 0 ? "GET" : "POST",
             .target = "/gremlin?" + (random() % 8 == 0 ? body : std::string()),
             .content_type = random() % 2 == 0 ? "application/x-www-form-urlencoded" : "",
             .accept = random() % 8 == 0 ? body.substr(0, 40) : std::string(),
             .body = body});
        if (const auto* error = std::get_if<HttpError>(&read)) {
            REQUIRE(error->status >= 400);
            REQUIRE(error->status < 500);
        } else {
            ++read_count;
        }
    }
    CHECK(read_count > 500);
}

// Property: after any bytes on any number of connections, frames cut and mangled included, the
// server still answers.
TEST_CASE("a server outlives mutated frames") {
    constexpr unsigned kSeed = 99;
    INFO("seed " << kSeed);
    std::mt19937 random(kSeed);
    const auto all = seeds();
    Fixture f;
    for (int connection = 0; connection < 100; ++connection) {
        RawClient client(f.port());
        if (connection % 10 == 0) {
            client.send(
                mutated("POST /gremlin HTTP/1.1\r\nHost: x\r\nContent-Length: "
                        "20\r\n\r\n{\"gremlin\":\"ints 1\"}",
                        all, random));
            continue;
        }
        client.upgrade("/gremlin", connection % 2 == 0
                                       ? "sec-websocket-extensions: permessage-deflate\r\n"
                                       : "");
        for (int i = 0; i < 20; ++i) {
            const std::string message = mutated(all[random() % all.size()], all, random);
            if (i == 19 && connection % 3 == 0) {
                client.send(message);  // Not even a frame.
            } else {
                client.send_frame(static_cast<int>(1 + random() % 2), message, random() % 8 != 0,
                                  random() % 8 == 0);
            }
        }
    }
    RawClient client(f.port());
    client.upgrade();
    CHECK(ask(client, eval(1, "ints 1")).code == 200);
}
