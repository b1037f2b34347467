#include <catch2/catch.hpp>

#include "server/net/http_gremlin.h"
#include "tests/server/wire_fixture.h"

using namespace hob;
using namespace hob::server::test;
using hob::server::ServerOptions;

namespace {

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

constexpr std::string_view kJson = "Content-Type: application/json\r\n";

}  // namespace

TEST_CASE("POST and GET answer with typed GraphSON 3") {
    Fixture f;
    const auto post = http(f.port(), "POST", "/gremlin", kJson, R"({"gremlin":"ints 2"})");
    CHECK(post.status == 200);
    CHECK(has(post.head, "Content-Type: application/json\r\n"));
    CHECK(has(post.body, R"("data":{"@type":"g:List","@value":[{"@type":"g:Int32","@value":0})"));
    CHECK(has(post.body, R"("code":200)"));
    const auto get = http(f.port(), "GET", "/gremlin?gremlin=ints%202");
    CHECK(get.status == 200);
    CHECK(has(get.body, "g:Int32"));
    CHECK(http(f.port(), "POST", "/", kJson, R"({"gremlin":"ints 1"})").status == 200);
    CHECK(has(http(f.port(), "POST", "/gremlin", kJson, R"({"gremlin":"ints 0"})").body,
              R"("@value":[])"));
}

TEST_CASE("what clients call the script, and in which content type, does not matter") {
    Fixture f;
    for (const char* type :
         {"", "Content-Type: text/plain\r\n", "Content-Type: application/json; charset=UTF-8\r\n",
          "Content-Type: application/x-www-form-urlencoded\r\n",
          "Content-Type: application/vnd.gremlin-v3.0+json\r\n"}) {
        CHECK(http(f.port(), "POST", "/gremlin", type, R"({"query":"ints 1"})").status == 200);
    }
    CHECK(http(f.port(), "POST", "/gremlin", "Content-Type: application/x-www-form-urlencoded\r\n",
               "gremlin=ints+1")
              .status == 200);
    const auto bound = http(f.port(), "POST", "/gremlin", kJson,
                            R"({"gremlin":"binding x","bindings":{"x":"hello"}})");
    CHECK(has(bound.body, "hello"));
    CHECK(has(http(f.port(), "GET", "/gremlin?gremlin=binding%20x&bindings.x=hi").body, "hi"));
    CHECK(has(http(f.port(), "POST", "/gremlin", kJson,
                   R"({"gremlin":"ints 1","requestId":"0a0b0c0d-0000-4000-8000-000000000001"})")
                  .body,
              "0a0b0c0d-0000-4000-8000-000000000001"));
    CHECK(http(f.port(), "POST", "/gremlin", kJson,
               R"({"gremlin":"ints 1","aliases":{"g":"gmodern"}})")
              .status == 200);
    CHECK(
        http(f.port(), "POST", "/gremlin", kJson, R"({"gremlin":"ints 1","g":"gmodern"})").status ==
        200);
}

TEST_CASE("Accept chooses the format") {
    Fixture f;
    const auto body = R"({"gremlin":"ints 2"})";
    const auto untyped = http(f.port(), "POST", "/gremlin",
                              "Accept: application/vnd.gremlin-v3.0+json;types=false\r\n", body);
    CHECK(has(untyped.body, R"("data":[0,1])"));
    CHECK(has(untyped.head, "types=false"));
    CHECK(has(
        http(f.port(), "POST", "/gremlin", "Accept: application/vnd.gremlin-v1.0+json\r\n", body)
            .body,
        R"("data":[0,1])"));
    CHECK(http(f.port(), "POST", "/gremlin", "Accept: text/plain\r\n", body).body ==
          "==>0\n==>1\n");
    CHECK(http(f.port(), "POST", "/gremlin", "Accept: text/html, */*;q=0.1\r\n", body).status ==
          200);
    const auto binary =
        http(f.port(), "POST", "/gremlin", "Accept: application/vnd.graphbinary-v1.0\r\n", body);
    CHECK(read_binary(binary.body).data.items().size() == 2);
    const auto unknown = http(f.port(), "POST", "/gremlin", "Accept: image/png\r\n", body);
    CHECK(unknown.status == 400);
    CHECK(has(unknown.body, "no serializer for requested Accept header: image/png"));
}

TEST_CASE("a driver's whole request over HTTP") {
    Fixture f;
    const auto reply = http(f.port(), "POST", "/gremlin",
                            "Content-Type: application/vnd.graphbinary-v1.0\r\nAccept: "
                            "application/vnd.graphbinary-v1.0\r\n",
                            eval(7, "ints 3"));
    REQUIRE(reply.status == 200);
    const Answer answer = read_binary(reply.body);
    CHECK(answer.id == id_text(7));
    CHECK(answer.data.items().size() == 3);
    CHECK(http(f.port(), "POST", "/gremlin", "Content-Type: application/vnd.graphbinary-v1.0\r\n",
               in_session(1, "ints 1", "a"))
              .status == 400);
}

TEST_CASE("bad requests have HTTP's statuses and say what to do") {
    ServerOptions options;
    options.content_bytes_max = 5'000;
    Fixture f(options);
    CHECK(http(f.port(), "POST", "/gremlin", kJson, "{not json").status == 400);
    CHECK(http(f.port(), "POST", "/gremlin", kJson, "[1]").status == 400);
    CHECK(http(f.port(), "POST", "/gremlin", kJson, "{}").status == 400);
    CHECK(has(http(f.port(), "GET", "/gremlin").body, "no gremlin script supplied"));
    CHECK(http(f.port(), "POST", "/gremlin", kJson, R"({"gremlin":"x","bindings":[1]})").status ==
          400);
    const auto put = http(f.port(), "PUT", "/gremlin", kJson, "{}");
    CHECK(put.status == 405);
    CHECK(has(put.head, "Allow: GET, POST, OPTIONS"));
    CHECK(http(f.port(), "GET", "/nothing").status == 404);
    const auto large = http(f.port(), "POST", "/gremlin", kJson,
                            R"({"gremlin":")" + std::string(6'000, 'x') + "\"}");
    CHECK(large.status == 413);
    CHECK(has(large.body, "maxContentLength"));
    const auto alias = http(f.port(), "POST", "/gremlin", kJson,
                            R"({"gremlin":"ints 1","aliases":{"g":"gnone"}})");
    CHECK(alias.status == 400);
    CHECK(has(alias.body,
              "The traversal source [gnone] for alias [g] is not configured on the server."));
    const auto failed = http(f.port(), "POST", "/gremlin", kJson, R"({"gremlin":"no such thing"})");
    CHECK(failed.status == 500);
    CHECK(has(failed.body, "\"message\""));
    CHECK(has(failed.body, "\"code\":597"));
    CHECK(http(f.port(), "POST", "/gremlin", kJson, R"({"gremlin":"fail 8"})").status == 503);
    RawClient garbage(f.port());
    garbage.send("\x16\x03\x01 this is no HTTP\r\n\r\n");
    CHECK(has(garbage.receive_head(), "400 Bad Request"));
}

TEST_CASE("pages of other origins may ask, preflight and errors included") {
    Fixture f;
    const auto preflight =
        http(f.port(), "OPTIONS", "/gremlin",
             "Origin: http://page.example\r\nAccess-Control-Request-Method: POST\r\n"
             "Access-Control-Request-Headers: content-type, queryid\r\n");
    CHECK(preflight.status == 204);
    CHECK(has(preflight.head, "Access-Control-Allow-Origin: http://page.example\r\n"));
    CHECK(has(preflight.head, "Access-Control-Allow-Methods: GET, POST, OPTIONS"));
    CHECK(has(preflight.head, "Access-Control-Allow-Headers: content-type, queryid"));
    const std::string origin = "Origin: http://page.example\r\n";
    CHECK(has(http(f.port(), "POST", "/gremlin", origin, R"({"gremlin":"ints 1"})").head,
              "Access-Control-Allow-Origin"));
    CHECK(has(http(f.port(), "POST", "/gremlin", origin, "broken").head,
              "Access-Control-Allow-Origin"));
    CHECK(has(http(f.port(), "PUT", "/gremlin", origin, "x").head, "Access-Control-Allow-Origin"));
    CHECK_FALSE(has(http(f.port(), "GET", "/livez").head, "Access-Control"));
}

TEST_CASE("origins can be restricted") {
    ServerOptions options;
    options.cors_origins = {"http://mine.example"};
    Fixture f(options);
    const auto body = R"({"gremlin":"ints 1"})";
    CHECK(http(f.port(), "POST", "/gremlin", "Origin: http://mine.example\r\n", body).status ==
          200);
    CHECK(http(f.port(), "POST", "/gremlin", "Origin: http://theirs.example\r\n", body).status ==
          403);
    CHECK(http(f.port(), "POST", "/gremlin", "", body).status == 200);
    RawClient page(f.port());
    CHECK(has(page.upgrade("/gremlin", "origin: http://theirs.example\r\n"), "403"));
    RawClient java(f.port());
    CHECK(has(java.upgrade("/gremlin", "origin: http://x\r\n"),
              "101"));  // The server itself, as Java's driver says.
}

TEST_CASE("health tells life from readiness") {
    Fixture f;
    CHECK(http(f.port(), "GET", "/livez").status == 200);
    CHECK(http(f.port(), "GET", "/readyz").status == 200);
    f.service.is_store_down = true;
    CHECK(http(f.port(), "GET", "/livez").status == 200);
    const auto away = http(f.port(), "GET", "/readyz");
    CHECK(away.status == 503);
    CHECK(has(away.body, "the store is away"));
    const auto status = http(f.port(), "GET", "/status");
    CHECK(has(status.body, "\"store\":\"double\""));
    CHECK(http(f.port(), "GET", "/version").status == 200);
    CHECK(http(f.port(), "HEAD", "/livez").status == 200);
    CHECK(http(f.port(), "POST", "/livez", "", "x").status == 405);
}

TEST_CASE("one connection asks often; 1.0 and close end it") {
    Fixture f;
    RawClient client(f.port());
    for (int i = 0; i < 5; ++i) {
        CHECK(http_on(client, "POST", "/gremlin", kJson, R"({"gremlin":"ints 1"})").status == 200);
        CHECK(http_on(client, "GET", "/nothing").status == 404);
    }
    CHECK(http_on(client, "GET", "/livez", "Connection: close\r\n").status == 200);
    CHECK(client.is_at_end());
}

TEST_CASE("100-continue is granted") {
    Fixture f;
    RawClient client(f.port());
    const std::string body = R"({"gremlin":"ints 1"})";
    client.send("POST /gremlin HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: " +
                std::to_string(body.size()) + "\r\n\r\n");
    CHECK(has(client.receive_head(), "100 Continue"));
    client.send(body);
    CHECK(has(client.receive_head(), "200 OK"));
}

TEST_CASE("a client that hangs up cancels its query, and a query can be cancelled by name") {
    Fixture f;
    const auto soon = [](const auto& condition) {
        for (int i = 0; i < 5'000 && !condition(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return condition();
    };
    {
        RawClient client(f.port());
        const std::string body = R"({"gremlin":"wait 20000"})";
        client.send("POST /gremlin HTTP/1.1\r\nHost: x\r\nContent-Length: " +
                    std::to_string(body.size()) + "\r\n\r\n" + body);
        REQUIRE(soon([&f] { return f.service.running == 1; }));
    }
    CHECK(soon([&f] { return f.service.cancelled == 1; }));

    RawClient client(f.port());
    const std::string body = R"({"gremlin":"wait 20000","queryId":"q-1"})";
    client.send("POST /gremlin HTTP/1.1\r\nHost: x\r\nContent-Length: " +
                std::to_string(body.size()) + "\r\n\r\n" + body);
    REQUIRE(soon([&f] { return f.service.running == 1; }));
    CHECK(has(http(f.port(), "GET", "/gremlin/status?cancelQuery=&queryId=q-1").body, "true"));
    CHECK(has(client.receive_head(), "503"));
    CHECK(has(http(f.port(), "GET", "/gremlin/status?cancelQuery=&queryId=q-1").body, "false"));
}

TEST_CASE("too large an answer is refused, not kept in memory") {
    ServerOptions options;
    options.run.whole_bytes_max = 100'000;
    Fixture f(options);
    const auto reply =
        http(f.port(), "POST", "/gremlin", kJson, R"({"gremlin":"strings 1000 1000"})");
    CHECK(reply.status == 500);
    CHECK(has(reply.body, "maxHttpResponse"));
}

TEST_CASE("queries and forms are decoded") {
    const auto pairs = server::query_of("/x?a=1%2B1&b=x+y&c&=d&e=%zz");
    REQUIRE(pairs.size() == 5);
    CHECK(pairs[0].second == "1+1");
    CHECK(pairs[1].second == "x y");
    CHECK(pairs[2].first == "c");
    CHECK(pairs[4].second == "%zz");
}
