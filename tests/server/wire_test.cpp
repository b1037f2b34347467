#include <catch2/catch.hpp>

#include "gremlin/language/traversal.h"
#include "server/run/runner.h"
#include "server/wire/uuid.h"
#include "tests/server/wire_fixture.h"

using namespace hob;
using namespace hob::server;
using namespace hob::server::test;

namespace {

std::string with_mime(std::string_view mime, std::string_view body) {
    return std::string(1, static_cast<char>(mime.size())) + std::string(mime) + std::string(body);
}

std::string json_answer(RawClient& client, int opcode, std::string_view message) {
    client.send_frame(opcode, message);
    const auto frame = client.receive_frame();
    REQUIRE(frame.has_value());
    CHECK(frame->opcode == opcode);
    return frame->payload;
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

// As drivers sent them (recorded by us): Java writes args as a typed map, Python as a plain object
// with a typed id.
constexpr std::string_view kJava =
    R"({"requestId":"A6817D86-a65b-437e-8ed4-660623043da9","op":"eval","processor":"","args":{"@type":"g:Map",)"
    R"("@value":["batchSize",{"@type":"g:Int32","@value":64},"gremlin","ints 2"]}})";
constexpr std::string_view kPython =
    R"({"requestId": {"@type": "g:UUID", "@value": "c0957b47-4e55-4ba4-9cb1-438778218561"}, "processor": "", "op": "eval", )"
    R"("args": {"gremlin": "ints 2", "aliases": {"g": "gmodern"}, "evaluationTimeout": 2000, "batchSize": 10}})";
constexpr std::string_view kBytecode =
    R"({"requestId":"6163f9d6-58f0-41da-ae0d-98ad9b5de6af","op":"bytecode","processor":"traversal","args":{"@type":"g:Map",)"
    R"("@value":["gremlin",{"@type":"g:Bytecode","@value":{"step":[["V"]]}},"aliases",{"@type":"g:Map","@value":["g","g"]}]}})";

}  // namespace

TEST_CASE("GraphSON in the forms that drivers use") {
    Fixture f;
    RawClient client(f.port());
    client.upgrade();
    const std::string v3 = "application/vnd.gremlin-v3.0+json";
    const std::string java = json_answer(client, 2, with_mime(v3, kJava));
    CHECK(java.starts_with(
        R"({"requestId":"a6817d86-a65b-437e-8ed4-660623043da9","status":{"message":"","code":200,)"
        R"("attributes":{"@type":"g:Map","@value":["host",)"));
    CHECK(has(java,
              R"("result":{"data":{"@type":"g:List","@value":[{"@type":"g:Int32","@value":0},)"
              R"({"@type":"g:Int32","@value":1}]},"meta":{"@type":"g:Map","@value":[]}}})"));
    CHECK(has(json_answer(client, 2, with_mime(v3, kPython)),
              R"("requestId":"c0957b47-4e55-4ba4-9cb1-438778218561")"));
    CHECK(
        has(json_answer(client, 2, with_mime("application/json", kPython)), R"("@type":"g:List")"));
    CHECK(has(
        json_answer(client, 2, with_mime("application/vnd.gremlin-v2.0+json", kPython)),
        R"("data":[{"@type":"g:Int32","@value":0},{"@type":"g:Int32","@value":1}],"meta":{}})"));
    CHECK(has(json_answer(client, 2, with_mime("application/vnd.gremlin-v1.0+json", kPython)),
              R"("data":[0,1],"meta":{}})"));
    CHECK(has(json_answer(client, 2, with_mime(v3 + ";types=false", kPython)),
              R"("data":[0,1],"meta":{}})"));
    CHECK(has(json_answer(client, 2,
                          with_mime("Application/vnd.gremlin-v3.0+JSON; types=false", kPython)),
              R"("data":[0,1])"));
    CHECK(has(json_answer(client, 2, with_mime(v3, kBytecode)),
              R"({"@type":"g:Traverser","@value":{"bulk":)"));

    SECTION("text is answered with text") {
        CHECK(has(json_answer(client, 1, kPython), R"("@type":"g:List")"));
        CHECK(has(json_answer(client, 1, "{\"requestId\":"), R"("code":498)"));
    }
    SECTION("an empty answer says null") {
        std::string none(kPython);
        none.replace(none.find("ints 2"), 6, "ints 0");
        CHECK(has(json_answer(client, 2, with_mime(v3, none)), R"("code":204)"));
        CHECK(has(json_answer(client, 2, with_mime(v3, none)), R"("data":null)"));
    }
    SECTION("a broken body is answered under its own id") {
        const std::string cut(kPython.substr(0, kPython.size() - 4));
        const std::string answer = json_answer(client, 2, with_mime(v3, cut));
        CHECK(has(answer, R"("code":498)"));
        CHECK(has(answer, "c0957b47-4e55-4ba4-9cb1-438778218561"));
    }
    SECTION("batches are whole JSON, however they are cut") {
        std::string many(kPython);
        many.replace(many.find("ints 2"), 6, "strings 25 90000");
        client.send_frame(2, with_mime(v3, many));
        std::size_t results = 0;
        std::string part;
        do {
            part = client.receive_frame().value().payload;
            const auto value = gremlin::graphson::read_value(part, {});
            REQUIRE(value.ok());
            const Value& data =
                *value->as<MapObject>().find("result")->as<MapObject>().find("data");
            results += data.items().size();
        } while (has(part, R"("code":206)"));
        CHECK(results == 25);
    }
}

TEST_CASE("dates as the driver's version reads them") {
    CHECK(reads_legacy_dates_only("NotAvailable Gremlin-Python.3.7.2 3.11.0 Linux x86_64"));
    CHECK(reads_legacy_dates_only("NotAvailable Gremlin-Java.3.6.8 17.0.15"));
    CHECK_FALSE(reads_legacy_dates_only("NotAvailable Gremlin-Java.3.8.1 17.0.15"));
    CHECK_FALSE(reads_legacy_dates_only("NotAvailable Gremlin-Go.4.0.0"));
    CHECK_FALSE(reads_legacy_dates_only("curl/8"));
    CHECK_FALSE(reads_legacy_dates_only(""));
    CHECK_FALSE(reads_legacy_dates_only("Gremlin-Java.x.y"));
}

TEST_CASE("UUIDs") {
    CHECK(uuid_text(std::string(16, '\xab')) == "abababab-abab-abab-abab-abababababab");
    CHECK(uuid_bytes("abababab-ABAB-abab-abab-abababababab") == std::string(16, '\xab'));
    CHECK_FALSE(uuid_bytes("abababab-abab-abab-abab-ababababab").has_value());
    CHECK_FALSE(uuid_bytes("abababab-abab-abab-abab-ababababab--").has_value());
    CHECK(random_uuid() != random_uuid());
    CHECK(random_uuid()[14] == '4');
}
