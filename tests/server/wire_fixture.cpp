#include "tests/server/wire_fixture.h"

#include <catch2/catch.hpp>

#include "gremlin/io/graphbinary.h"
#include "server/wire/uuid.h"

namespace hob::server::test {

namespace graphbinary = gremlin::graphbinary;

Fixture::Fixture(ServerOptions options) {
    options.port = 0;
    auto started = Server::start(std::move(options), service);
    INFO((started.ok() ? std::string() : started.error().message));
    REQUIRE(started.ok());
    server = std::move(*started);
}

Value map_of(const Args& entries) {
    Value map = make_map();
    for (const auto& [key, value] : entries)
        map.mutate<MapObject>().put(Value::string(key), value);
    return map;
}

std::string id_text(unsigned byte) {
    return uuid_text(std::string(16, static_cast<char>(byte)));
}

std::string binary_request(unsigned id, std::string_view op, std::string_view processor,
                           const Args& args, std::string_view mime) {
    std::string message(1, static_cast<char>(mime.size()));
    message += mime;
    message += '\x81';
    message.append(16, static_cast<char>(id));
    graphbinary::write_bare_string(op, message);
    graphbinary::write_bare_string(processor, message);
    graphbinary::write_bare_map(map_of(args), {}, message);
    return message;
}

std::string eval(unsigned id, std::string_view text, Args more) {
    more.emplace_back("gremlin", Value::string(text));
    return binary_request(id, "eval", "", more);
}

std::string in_session(unsigned id, std::string_view text, std::string_view session) {
    return binary_request(id, "eval", "session",
                          {{"gremlin", Value::string(text)}, {"session", Value::string(session)}});
}

Answer read_binary(std::string_view payload) {
    ByteReader in(payload);
    Answer answer;
    REQUIRE(in.u8() == 0x81);
    REQUIRE(in.u8() == 0);
    answer.id = uuid_text(in.take(16));
    answer.code = in.i32();
    REQUIRE(in.u8() == 0);
    answer.message = *graphbinary::read_bare_string(in);
    answer.attributes = *graphbinary::read_bare_map(in);
    REQUIRE(graphbinary::read_bare_map(in).ok());
    answer.data = *graphbinary::read_value(in);
    REQUIRE(in.at_end());
    return answer;
}

std::vector<Answer> receive_answer(RawClient& client) {
    std::vector<Answer> parts;
    do {
        const auto frame = client.receive_frame();
        REQUIRE(frame.has_value());
        REQUIRE(frame->fin);
        REQUIRE(frame->opcode == 2);
        parts.push_back(read_binary(frame->payload));
    } while (parts.back().code == 206);
    return parts;
}

Answer ask(RawClient& client, std::string_view message) {
    client.send_frame(2, message);
    auto parts = receive_answer(client);
    REQUIRE(parts.size() == 1);
    return parts[0];
}

}  // namespace hob::server::test
