#include <catch2/catch.hpp>
#include <map>

#include "gremlin/language/traversal.h"
#include "tests/server/wire_fixture.h"

using namespace hob;
using namespace hob::server::test;
using hob::server::ServerOptions;

namespace {

std::size_t results_of(const std::vector<Answer>& parts) {
    std::size_t count = 0;
    for (const auto& part : parts)
        count += part.data.is_null() ? 0 : part.data.items().size();
    return count;
}

const Value* attribute(const Answer& answer, std::string_view name) {
    return answer.attributes.as<MapObject>().find(name);
}

/// Waits for something that another thread does.
template <typename Condition>
bool soon(const Condition& condition) {
    for (int i = 0; i < 5'000; ++i) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
}

}  // namespace

TEST_CASE("upgrades where Gremlin is, and nowhere else") {
    Fixture f;
    for (const char* path : {"/", "/gremlin", "/gremlin/", "/gremlin?x=1"}) {
        RawClient client(f.port());
        CHECK(client.upgrade(path).find("101 Switching Protocols") != std::string::npos);
    }
    RawClient client(f.port());
    CHECK(client.upgrade("/other").find("404 Not Found") != std::string::npos);
}

TEST_CASE("legacy compression names are not taken up, deflate is") {
    Fixture f;
    RawClient java(f.port());
    const std::string head = java.upgrade(
        "/gremlin",
        "sec-websocket-extensions: permessage-deflate,deflate-frame,x-webkit-deflate-frame\r\n");
    CHECK(head.find("permessage-deflate") != std::string::npos);
    CHECK(head.find("deflate-frame") == std::string::npos);
    RawClient old(f.port());
    CHECK(
        old.upgrade("/gremlin", "sec-websocket-extensions: deflate-frame\r\n").find("Extensions") ==
        std::string::npos);
}

TEST_CASE("results come in batches, the last with status 200 and the host") {
    Fixture f;
    RawClient client(f.port());
    client.upgrade();
    client.send_frame(2, eval(1, "ints 130"));
    const auto parts = receive_answer(client);
    REQUIRE(parts.size() == 3);
    CHECK(parts[0].data.items().size() == 64);
    CHECK(parts[1].data.items().size() == 64);
    CHECK(parts[2].data.items().size() == 2);
    CHECK(parts[2].code == 200);
    CHECK(parts[0].id == id_text(1));
    CHECK(attribute(parts[0], "host") == nullptr);
    REQUIRE(attribute(parts[2], "host") != nullptr);
    CHECK(to_text(*attribute(parts[2], "host")).starts_with("/127.0.0.1:"));

    SECTION("a batch that ends exactly is the last") {
        client.send_frame(2, eval(2, "ints 64"));
        CHECK(receive_answer(client).size() == 1);
    }
    SECTION("the request sets the size of batches") {
        client.send_frame(2, eval(3, "ints 10", {{"batchSize", Value::int_(3)}}));
        CHECK(receive_answer(client).size() == 4);
    }
    SECTION("nothing at all is 204 without data") {
        const Answer none = ask(client, eval(4, "ints 0"));
        CHECK(none.code == 204);
        CHECK(none.data.is_null());
    }
    SECTION("an empty script is fine: drivers try connections with it") {
        CHECK(ask(client, eval(5, "")).code == 204);
    }
    SECTION("results as texts") {
        const Answer texts =
            ask(client, binary_request(6, "eval", "", {{"gremlin", Value::string("ints 2")}},
                                       "application/vnd.graphbinary-v1.0-stringd"));
        REQUIRE(texts.data.items().size() == 2);
        CHECK(texts.data.items()[1].is_string());
    }
}

TEST_CASE("a message stays below the limit of bytes") {
    Fixture f;
    RawClient client(f.port());
    client.upgrade();
    client.send_frame(2, eval(1, "strings 60 100000"));
    std::vector<Answer> parts;
    do {
        const auto frame = client.receive_frame();
        REQUIRE(frame.has_value());
        CHECK(frame->fin);
        CHECK(frame->payload.size() <= (1 << 20) + 1'000);
        parts.push_back(read_binary(frame->payload));
    } while (parts.back().code == 206);
    CHECK(parts.size() == 6);
    CHECK(results_of(parts) == 60);
}

TEST_CASE("one result larger than a message still comes in one frame") {
    Fixture f;
    RawClient client(f.port());
    client.upgrade();
    client.send_frame(2, eval(1, "strings 2 9000000"));
    CHECK(results_of(receive_answer(client)) == 2);
}

TEST_CASE("compressed both ways, each message one frame") {
    Fixture f;
    RawClient client(f.port());
    client.upgrade("/gremlin", "sec-websocket-extensions: permessage-deflate\r\n");
    client.send_frame(2, RawClient::deflated(eval(1, "strings 60 100000")), true, true);
    std::size_t results = 0;
    int code = 206;
    while (code == 206) {
        const auto frame = client.receive_frame();
        REQUIRE(frame.has_value());
        CHECK(frame->fin);
        CHECK(frame->rsv1);
        const Answer part = read_binary(client.inflated(frame->payload));
        results += part.data.items().size();
        code = part.code;
    }
    CHECK(code == 200);
    CHECK(results == 60);
}

TEST_CASE("a request may come in fragments, with a ping between") {
    Fixture f;
    RawClient client(f.port());
    client.upgrade();
    const std::string message = eval(1, "ints 1");
    client.send_frame(2, message.substr(0, 10), false);
    client.send_frame(9, "between");
    client.send_frame(0, message.substr(10, 5), false);
    client.send_frame(0, message.substr(15), true);
    const auto pong = client.receive_frame();
    REQUIRE(pong.has_value());
    CHECK(pong->opcode == 10);
    CHECK(pong->payload == "between");
    CHECK(receive_answer(client).back().code == 200);
}

TEST_CASE("requests of one connection run side by side and are answered as they end") {
    Fixture f;
    RawClient client(f.port());
    client.upgrade();
    client.send_frame(2, eval(1, "wait 300"));
    for (unsigned id = 2; id <= 40; ++id)
        client.send_frame(2, eval(id, "ints 70"));
    client.send_frame(9, "alive");
    std::map<std::string, std::size_t> results;
    bool has_pong = false;
    while (!results.contains(id_text(1))) {
        const auto frame = client.receive_frame();
        REQUIRE(frame.has_value());
        if (frame->opcode == 10) {
            has_pong = true;
            continue;
        }
        const Answer part = read_binary(frame->payload);
        results[part.id] += part.data.is_null() ? 0 : part.data.items().size();
    }
    CHECK(has_pong);
    CHECK(results.size() == 40);
    for (unsigned id = 2; id <= 40; ++id)
        CHECK(results[id_text(id)] == 70);
}

TEST_CASE("a request id is refused while it is in use, and free afterwards") {
    Fixture f;
    RawClient client(f.port());
    client.upgrade();
    client.send_frame(2, eval(1, "wait 200"));
    const Answer refused = ask(client, eval(1, "ints 1"));
    CHECK(refused.code == 499);
    CHECK(refused.message.find("in use") != std::string::npos);
    CHECK(receive_answer(client)[0].code == 204);
    for (int i = 0; i < 200; ++i)
        REQUIRE(ask(client, eval(1, "ints 1")).code == 200);
}

TEST_CASE("wrong arguments are refused in TinkerPop's words") {
    Fixture f;
    RawClient client(f.port());
    client.upgrade();
    const Value text = Value::string("ints 1");
    const auto aliases = [](const char* name) { return map_of({{"g", Value::string(name)}}); };

    const Answer unknown = ask(client, eval(1, "ints 1", {{"aliases", aliases("gnone")}}));
    CHECK(unknown.code == 499);
    CHECK(unknown.message ==
          "The traversal source [gnone] for alias [g] is not configured on the server.");
    CHECK(ask(client, eval(2, "ints 1", {{"aliases", aliases("gmodern")}})).code == 200);
    CHECK(ask(client, eval(2, "ints 1", {{"aliases", map_of({})}})).code == 200);
    CHECK(ask(client, eval(2, "ints 1", {{"aliases", Value()}})).code == 200);
    CHECK(ask(client, binary_request(3, "eval", "", {})).message ==
          "A message with an [eval] op code requires a [gremlin] argument.");
    CHECK(ask(client, binary_request(4, "bytecode", "traversal",
                                     {{"gremlin", text}, {"aliases", aliases("g")}}))
              .code == 499);
    CHECK(ask(client, binary_request(5, "fly", "", {})).code == 498);
    CHECK(ask(client, binary_request(6, "eval", "cypher", {{"gremlin", text}})).message ==
          "Invalid OpProcessor requested [cypher]");
    CHECK(ask(client, binary_request(7, "eval", "session", {{"gremlin", text}})).message ==
          "A message with an [eval] op code requires a [session] argument");
    CHECK(ask(client, eval(8, "ints 1", {{"bindings", map_of({{"x", Value()}})}})).code == 200);
    CHECK(ask(client, eval(8, "ints 1", {{"bindings", Value::int_(1)}})).code == 499);
    CHECK(ask(client, binary_request(9, "authentication", "traversal", {{"sasl", text}})).code ==
          204);
    const Answer bound =
        ask(client, eval(10, "binding x", {{"bindings", map_of({{"x", Value::long_(5)}})}}));
    CHECK(bound.data.items()[0].as_int64() == 5);
}

TEST_CASE("bytecode is answered with traversers and their bulks") {
    Fixture f;
    RawClient client(f.port());
    client.upgrade();
    gremlin::Traversal traversal;
    traversal.steps.push_back({.name = "V", .arguments = {}});
    const Answer answer =
        ask(client, binary_request(1, "bytecode", "traversal",
                                   {{"gremlin", gremlin::make_traversal(traversal)},
                                    {"aliases", map_of({{"g", Value::string("gmodern")}})}}));
    REQUIRE(answer.code == 200);
    REQUIRE(answer.data.items()[0].kind() == Kind::kTraverser);
    CHECK(answer.data.items()[0].as<TraverserObject>().bulk == 3);
}

TEST_CASE("each failure has its code") {
    Fixture f;
    RawClient client(f.port());
    client.upgrade();
    const auto code_of = [&client](Code code) {
        const Answer answer =
            ask(client, eval(1, "fail " + std::to_string(static_cast<int>(code))));
        CHECK_FALSE(answer.message.empty());
        REQUIRE(attribute(answer, "exceptions") != nullptr);
        CHECK(attribute(answer, "stackTrace") == nullptr);
        return answer.code;
    };
    CHECK(code_of(Code::kParse) == 597);
    CHECK(code_of(Code::kExecution) == 597);
    CHECK(code_of(Code::kFailStep) == 595);
    CHECK(code_of(Code::kConflict) == 596);
    CHECK(code_of(Code::kUnavailable) == 596);
    CHECK(code_of(Code::kTimeout) == 598);
    CHECK(code_of(Code::kInternal) == 500);

    const Answer thrown = ask(client, eval(1, "throw"));
    CHECK(thrown.code == 500);
    CHECK(thrown.message.find("a bug") != std::string::npos);
    CHECK(ask(client, eval(1, "ints 1")).code == 200);
}

TEST_CASE("time runs out by the request's own setting, the traversal's, or the server's") {
    ServerOptions options;
    options.run.evaluation_timeout_ms = 60;
    Fixture f(options);
    RawClient client(f.port());
    client.upgrade();
    const Answer own = ask(client, eval(1, "wait 5000", {{"evaluationTimeout", Value::long_(30)}}));
    CHECK(own.code == 598);
    CHECK(own.message.find("'evaluationTimeout' threshold of 30 ms") != std::string::npos);
    CHECK(ask(client, eval(2, "wait 5000")).message.find("threshold of 60 ms") !=
          std::string::npos);
    CHECK(ask(client, eval(3, "timed wait 5000")).message.find("threshold of 50 ms") !=
          std::string::npos);
    CHECK(ask(client, eval(4, "wait 150", {{"evaluationTimeout", Value::int_(0)}})).code == 204);
}

TEST_CASE("sessions keep their requests in order, end by close or with the connection") {
    Fixture f;
    RawClient client(f.port());
    client.upgrade();
    CHECK(ask(client, in_session(1, "who", "a")).data.items()[0].as_int64() == 1);
    CHECK(ask(client, in_session(2, "who", "a")).data.items()[0].as_int64() == 1);
    CHECK(ask(client, in_session(3, "who", "b")).data.items()[0].as_int64() == 2);
    CHECK(ask(client, eval(4, "who")).data.items()[0].as_int64() == 0);

    SECTION("one after the other") {
        client.send_frame(2, in_session(5, "wait 100", "a"));
        client.send_frame(2, in_session(6, "who", "a"));
        CHECK(receive_answer(client)[0].id == id_text(5));
        CHECK(receive_answer(client)[0].id == id_text(6));
    }
    SECTION("another connection's session is not mine") {
        RawClient other(f.port());
        other.upgrade();
        const Answer refused = ask(other, in_session(5, "who", "a"));
        CHECK(refused.code >= 499);
        CHECK(refused.message == "Session a is not bound to the connecting client");
    }
    SECTION("close rolls back, and the id begins anew") {
        const Answer closed =
            ask(client, binary_request(5, "close", "session", {{"session", Value::string("a")}}));
        CHECK(closed.code == 204);
        CHECK(soon([&f] { return f.service.rollbacks == 1; }));
        CHECK(ask(client, in_session(6, "who", "a")).data.items()[0].as_int64() == 3);
    }
    SECTION("the connection's end rolls back all of its sessions") {
        client.hang_up();
        CHECK(soon([&f] { return f.service.rollbacks == 2; }));
    }
    SECTION("commit and rollback as drivers send them") {
        for (const char* what : {"commit", "rollback", "begin"}) {
            gremlin::Traversal tx;
            tx.sources.push_back({.name = "tx", .arguments = {Value::string(what)}});
            const Args args{{"gremlin", gremlin::make_traversal(tx)},
                            {"aliases", map_of({{"g", Value::string("g")}})}};
            Args with_session = args;
            with_session.emplace_back("session", Value::string("a"));
            CHECK(ask(client, binary_request(7, "bytecode", "session", with_session)).code == 204);
            CHECK(ask(client, binary_request(8, "bytecode", "traversal", args)).code == 499);
        }
        CHECK(f.service.commits == 1);
        CHECK(f.service.rollbacks == 1);
    }
}

TEST_CASE("sessions are bounded in number and in idleness") {
    ServerOptions options;
    options.sessions_max = 2;
    options.session_timeout_ms = 100;
    Fixture f(options);
    RawClient client(f.port());
    client.upgrade();
    CHECK(ask(client, in_session(1, "who", "a")).code == 200);
    CHECK(ask(client, in_session(2, "who", "b")).code == 200);
    CHECK(ask(client, in_session(3, "who", "c")).code == 596);
    CHECK(soon([&f] { return f.service.rollbacks == 2; }));
    CHECK(ask(client, in_session(4, "who", "c")).code == 200);
}

TEST_CASE("a client that leaves takes its queries with it") {
    Fixture f;
    RawClient client(f.port());
    client.upgrade();
    client.send_frame(2, eval(1, "wait 20000"));
    client.send_frame(2, eval(2, "wait 20000"));
    REQUIRE(soon([&f] { return f.service.running == 2; }));
    client.hang_up();
    CHECK(soon([&f] { return f.service.cancelled == 2; }));
}

TEST_CASE("more requests than the queue holds are refused with a retriable status") {
    ServerOptions options;
    options.workers = 1;
    options.queue_max = 2;
    Fixture f(options);
    RawClient client(f.port());
    client.upgrade();
    client.send_frame(2, eval(1, "wait 300"));
    REQUIRE(soon([&f] { return f.service.running == 1; }));
    for (unsigned id = 2; id <= 5; ++id)
        client.send_frame(2, eval(id, "ints 1"));
    std::map<std::string, Answer> answers;
    while (answers.size() < 5) {
        const Answer answer = receive_answer(client)[0];
        answers[answer.id] = answer;
    }
    CHECK(answers[id_text(3)].code == 200);
    CHECK(answers[id_text(4)].code == 596);
    CHECK(answers[id_text(5)].message.find("busy") != std::string::npos);
}

TEST_CASE("a slow reader holds up its own query, no more memory than allowed, and nobody else") {
    ServerOptions options;
    options.connection_buffer_bytes = 1 << 20;
    Fixture f(options);
    RawClient slow(f.port());
    slow.upgrade();
    slow.send_frame(2, eval(1, "strings 2000 100000"));  // 200 MB that nobody reads.
    REQUIRE(soon([&f] { return f.service.running == 1; }));
    RawClient other(f.port());
    other.upgrade();
    for (unsigned id = 1; id <= 20; ++id)
        REQUIRE(ask(other, eval(id, "ints 1")).code == 200);
    CHECK(f.service.running == 1);

    SECTION("it gets everything once it reads") {
        CHECK(results_of(receive_answer(slow)) == 2'000);
    }
    SECTION("its leaving ends the query") {
        slow.hang_up();
        CHECK(soon([&f] { return f.service.running == 0; }));
    }
}

TEST_CASE("a query does not wait for its reader beyond its own time") {
    ServerOptions options;
    options.connection_buffer_bytes = 1 << 20;
    options.run.evaluation_timeout_ms = 200;
    Fixture f(options);
    RawClient slow(f.port());
    slow.upgrade();
    slow.send_frame(2, eval(1, "strings 2000 100000"));
    REQUIRE(soon([&f] { return f.service.running == 1; }));
    CHECK(soon([&f] { return f.service.running == 0; }));
    CHECK(receive_answer(slow).back().code == 598);
}

TEST_CASE("messages that can't be read are answered, and the connection lives on") {
    ServerOptions options;
    options.content_bytes_max = 100'000;
    Fixture f(options);
    RawClient client(f.port());
    client.upgrade();
    CHECK(ask(client, "").code == 498);
    CHECK(ask(client, std::string("\x7f") + "short").code == 498);
    const Answer unknown = ask(client,
                               "\x10"
                               "application/xml!");
    CHECK(unknown.code == 498);
    CHECK(unknown.message.find("application/vnd.graphbinary-v1.0") != std::string::npos);

    const std::string good = eval(9, "ints 1");
    const Answer cut = ask(client, good.substr(0, good.size() - 3));
    CHECK(cut.code == 498);
    CHECK(cut.id == id_text(9));
    CHECK(ask(client, good + "x").code == 498);

    const Answer large = ask(client, eval(10, std::string(200'000, ' ')));
    CHECK(large.code == 498);
    CHECK(large.id == id_text(10));
    CHECK(large.message.find("maxContentLength") != std::string::npos);
    CHECK(ask(client, good).code == 200);
}

TEST_CASE("frames against the protocol end the connection, not the server") {
    Fixture f;
    RawClient client(f.port());
    client.upgrade();
    client.send(std::string("\x82\x01", 2) + "x");  // Not masked.
    const auto frame = client.receive_frame();
    CHECK((!frame.has_value() || frame->opcode == 8));
    RawClient next(f.port());
    next.upgrade();
    CHECK(ask(next, eval(1, "ints 1")).code == 200);
}

TEST_CASE("closing is answered") {
    Fixture f;
    for (const std::string& payload : {std::string(), std::string("\x03\xe8")}) {
        RawClient client(f.port());
        client.upgrade();
        client.send_frame(8, payload);
        const auto frame = client.receive_frame();
        REQUIRE(frame.has_value());
        CHECK(frame->opcode == 8);
        CHECK(client.is_at_end());
    }
}

TEST_CASE("stopping answers what runs and says goodbye") {
    Fixture f;
    RawClient client(f.port());
    client.upgrade();
    client.send_frame(2, eval(1, "wait 20000"));
    REQUIRE(soon([&f] { return f.service.running == 1; }));
    f.server->stop();
    CHECK(receive_answer(client)[0].code == 596);
    const auto goodbye = client.receive_frame();
    REQUIRE(goodbye.has_value());
    CHECK(goodbye->opcode == 8);
    CHECK(goodbye->payload == "\x03\xe9");
    CHECK_THROWS(RawClient(f.port()));
}

TEST_CASE("the server pings only when asked to") {
    ServerOptions options;
    options.keep_alive_ms = 100;
    Fixture f(options);
    RawClient client(f.port());
    client.upgrade();
    const auto ping = client.receive_frame();
    REQUIRE(ping.has_value());
    CHECK(ping->opcode == 9);
}

TEST_CASE("a connection opened and dropped does no harm") {
    Fixture f;
    for (int i = 0; i < 20; ++i)
        RawClient client(f.port());
    RawClient client(f.port());
    client.upgrade();
    CHECK(ask(client, eval(1, "ints 1")).code == 200);
}
