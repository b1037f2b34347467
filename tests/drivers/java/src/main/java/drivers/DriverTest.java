package drivers;

import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.RequestOptions;
import org.apache.tinkerpop.gremlin.driver.Result;
import org.apache.tinkerpop.gremlin.driver.ResultSet;
import org.apache.tinkerpop.gremlin.driver.exception.ResponseException;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Path;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.ser.Serializers;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource.traversal;

/**
 * The Java driver against a running server: DriverTest HOST PORT READ_SOURCE WRITE_SOURCE TX_SOURCE.
 * READ_SOURCE holds TinkerPop's "modern" graph; the others are emptied. The last line is "N passed, N failed".
 */
public final class DriverTest {
    private static final String SLOW = "g.V().repeat(__.both()).times(60).path().count()";

    private interface Body {
        void run(Cluster cluster) throws Exception;
    }

    private final String host;
    private final int port;
    private final String read;
    private final String write;
    private final String tx;
    private int passed;
    private int failed;

    private DriverTest(final String[] args) {
        host = args[0];
        port = Integer.parseInt(args[1]);
        read = args[2];
        write = args[3];
        tx = args[4];
    }

    public static void main(final String[] args) {
        final DriverTest test = new DriverTest(args);
        for (Serializers serializer : List.of(Serializers.GRAPHBINARY_V1, Serializers.GRAPHSON_V3)) {
            test.scripts(serializer);
            test.bytecode(serializer);
            test.sessions(serializer);
            test.manyAtOnce(serializer);
        }
        System.out.println("gremlin-driver " + org.apache.tinkerpop.gremlin.util.Gremlin.version());
        System.out.println(test.passed + " passed, " + test.failed + " failed");
        System.exit(test.failed == 0 ? 0 : 1);
    }

    // ---- cases --------------------------------------------------------------------------------------

    private void scripts(final Serializers serializer) {
        on(serializer, "script with binding", c ->
                same(ask(c, "g.V().has('name', n).values('age')", Map.of("n", "marko")), List.of(29)));
        on(serializer, "script gives elements with properties", c -> {
            final Vertex v = (Vertex) ask(c, "g.V(1)", Map.of()).get(0);
            same(v.label() + " " + v.value("name") + " " + v.value("age"), "person marko 29");
            final Edge e = (Edge) ask(c, "g.E(7)", Map.of()).get(0);
            same(e.label() + " " + e.outVertex().id() + " " + e.inVertex().id(), "knows 1 2");
        });
        on(serializer, "script without results", c -> same(ask(c, "g.V().has('name','nobody')", Map.of()), List.of()));
        on(serializer, "empty script, as the driver validates a connection", c -> same(ask(c, "''", Map.of()), List.of("")));
        on(serializer, "script errors", c -> {
            final Client client = c.connect().alias(read);
            fails(597, ".", () -> client.submit("g.V().values(", lang().create()).all().get());
            fails(499, "gnothing", () -> c.connect().alias("gnothing").submit("g.V()").all().get());
            fails(598, "time", () -> client.submit(SLOW, lang().timeout(300).create()).all().get());
            same(client.submit("g.V().count()").one().getLong(), 6L);
        });
        on(serializer, "status attributes", c -> {
            final ResultSet results = c.connect().alias(read).submit("g.V()");
            results.all().get();
            same(results.statusAttributes().get().containsKey(Tokens.STATUS_ATTRIBUTE_EXCEPTIONS), false);
            same(results.statusAttributes().get().containsKey("host"), true);
        });
        on(serializer, "100k rows", c -> {
            final List<Integer> rows = IntStream.range(0, 100000).map(i -> (int) (i * 7L % 100003)).boxed().collect(Collectors.toList());
            same(ask(c, "g.inject(xs).unfold()", Map.of("xs", rows)).equals(rows), true);
        });
    }

    private void bytecode(final Serializers serializer) {
        on(serializer, "bytecode", c -> {
            final GraphTraversalSource g = g(c, read);
            same(g.V().count().next(), 6L);
            same(g.V().has("age", P.gt(27).and(P.lt(35))).order().by("age").values("name").toList(), List.of("marko", "josh"));
            same(g.V().has("name", TextP.startingWith("v")).values("age").toList(), List.of(27));
            same(g.V().groupCount().by(T.label).next(), Map.of("person", 4L, "software", 2L));
            same(g.V().hasLabel("person").project("n", "o").by("name").by(__.out().count()).order().by(__.select("n")).select("o").toList(),
                    List.of(2L, 3L, 1L, 0L));
            final Path path = g.V(1).out("created").as("x").values("name").path().next();
            same(path.size() + " " + path.get(2) + " " + path.labels().get(1), "3 lop [x]");
            same(g.V().both().barrier().values("name").barrier().toList().size(), 12);
        });
        on(serializer, "values come back as they went", c -> {
            final GraphTraversalSource g = g(c, read);
            for (Object value : Arrays.asList((byte) 1, (short) 2, 3, 4L, 5.5f, 6.5d, new BigInteger("1180591620717411303424"), new BigDecimal("8.25"), true,
                    "text é😀", UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"), OffsetDateTime.parse("2024-02-29T01:02:03.5+01:00"), null,
                    List.of(1, "a"), Set.of(1L, 2L), Map.of("k", 1)))
                same(g.inject(value).next(), value);
        });
        on(serializer, "bytecode errors", c -> {
            final GraphTraversalSource g = g(c, read);
            fails(595, "told so", () -> g.V(1).fail("told so").toList());
            fails(500, ".", () -> g.V().values("name").sum().next());
            fails(598, "time", () -> g.with(Tokens.ARGS_EVAL_TIMEOUT, 300L).V().repeat(__.both()).times(60).path().count().next());
        });
        on(serializer, "batches", c -> same(g(c, read).with("batchSize", 2).V().values("name").toList().size(), 6));
        on(serializer, "tokens only", c -> same(g(c, read).with("materializeProperties", "tokens").V(1).next().properties().hasNext(), false));
        on(serializer, "writes", c -> {
            final GraphTraversalSource g = g(c, write);
            g.V().drop().iterate();
            g.addV("person").property("name", "ada").as("a").addV("person").property("name", "alan").addE("knows").to("a").property("since", 1936).iterate();
            same(g.V().has("name", "alan").out("knows").values("name").toList(), List.of("ada"));
            same(g.E().values("since").toList(), List.of(1936));
            g.V().drop().iterate();
            same(g.V().count().next(), 0L);
        });
    }

    private void sessions(final Serializers serializer) {
        on(serializer, "session keeps variables", c -> {
            final Client session = c.connect(UUID.randomUUID().toString()).alias(read);
            session.submit("x = g.V().has('name','marko').next(); y = 1").all().get();
            same(values(session.submit("g.V(x).out('created').values('name')")), List.of("lop"));
            same(values(session.submit("y")), List.of(1));
            session.close();
        });
        on(serializer, "transaction commits and rolls back", c -> {
            final GraphTraversalSource g = g(c, tx);
            g.V().drop().iterate();
            final Transaction kept = g.tx();
            final GraphTraversalSource inside = kept.begin();
            inside.addV("tx").property("name", "kept").iterate();
            same(inside.V().count().next(), 1L);
            same(g.V().count().next(), 0L);
            kept.commit();
            final Transaction lost = g.tx();
            lost.<GraphTraversalSource>begin().addV("tx").property("name", "lost").iterate();
            lost.rollback();
            same(g.V().values("name").toList(), List.of("kept"));
            g.V().drop().iterate();
        });
    }

    private void manyAtOnce(final Serializers serializer) {
        on(serializer, "16 requests in flight on one connection, a slow one does not hold up the others", c -> {
            final Client client = c.connect().alias(read);
            final CompletableFuture<List<Result>> slow = client.submit(SLOW, lang().timeout(4000).create()).all();
            final List<CompletableFuture<List<Result>>> quick = new ArrayList<>();
            for (int i = 0; i < 15; i++) quick.add(client.submit("g.inject(k)", Map.of("k", i)).all());
            for (int i = 0; i < 15; i++) same(quick.get(i).get(3, TimeUnit.SECONDS).get(0).getInt(), i);
            same(slow.isDone(), false);
            fails(598, "time", slow::get);
        });
        on(serializer, "ten streams at once", c -> {
            final Client client = c.connect().alias(read);
            final List<Integer> rows = IntStream.range(0, 20000).boxed().collect(Collectors.toList());
            final List<CompletableFuture<List<Result>>> asked = new ArrayList<>();
            for (int i = 0; i < 10; i++) asked.add(client.submit("g.inject(xs).unfold()", Map.of("xs", rows)).all());
            for (CompletableFuture<List<Result>> one : asked)
                same(one.get(30, TimeUnit.SECONDS).stream().map(Result::getInt).collect(Collectors.toList()).equals(rows), true);
        });
    }

    // ---- helpers ------------------------------------------------------------------------------------

    private void on(final Serializers serializer, final String name, final Body body) {
        final Cluster cluster = Cluster.build(host).port(port).serializer(serializer).maxContentLength(64 * 1024 * 1024)
                .minConnectionPoolSize(1).maxConnectionPoolSize(1).maxInProcessPerConnection(16).maxSimultaneousUsagePerConnection(16).create();
        try {
            body.run(cluster);
            passed++;
        } catch (Throwable e) {
            failed++;
            final Throwable cause = innermost(e);
            final String line = Arrays.stream(e.getStackTrace()).filter(f -> f.getClassName().startsWith(DriverTest.class.getName()) && f.getMethodName().startsWith("lambda"))
                    .findFirst().map(f -> "line " + f.getLineNumber() + ": ").orElse("");
            System.out.println("FAILED java: " + name + " [" + serializer + "]\n  " + line + cause.getClass().getSimpleName() + ": " + cause.getMessage());
        } finally {
            cluster.close();
        }
    }

    private static GraphTraversalSource g(final Cluster cluster, final String source) {
        return traversal().withRemote(DriverRemoteConnection.using(cluster, source));
    }

    private static RequestOptions.Builder lang() {
        return RequestOptions.build().language("gremlin-lang");
    }

    private List<Object> ask(final Cluster cluster, final String script, final Map<String, Object> bindings) throws Exception {
        return values(cluster.connect().alias(read).submit(script, new LinkedHashMap<>(bindings)));
    }

    private static List<Object> values(final ResultSet results) throws Exception {
        return results.all().get(60, TimeUnit.SECONDS).stream().map(Result::getObject).collect(Collectors.toList());
    }

    private static void same(final Object got, final Object want) {
        if (!Objects.equals(got, want)) throw new AssertionError("got " + got + ", wanted " + want);
    }

    private interface Call {
        Object run() throws Exception;
    }

    private static void fails(final int status, final String pattern, final Call call) {
        final Object got;
        try {
            got = call.run();
        } catch (Exception e) {
            final ResponseException answer = response(e);
            if (answer == null) throw new AssertionError("wanted status " + status + ", got " + innermost(e));
            same(answer.getResponseStatusCode().getValue(), status);
            if (!java.util.regex.Pattern.compile(pattern, java.util.regex.Pattern.CASE_INSENSITIVE).matcher(answer.getMessage()).find())
                throw new AssertionError("message '" + answer.getMessage() + "' does not match " + pattern);
            return;
        }
        throw new AssertionError("got " + got + ", wanted an error with status " + status);
    }

    private static ResponseException response(final Throwable thrown) {
        for (Throwable t = thrown; t != null; t = t.getCause()) if (t instanceof ResponseException) return (ResponseException) t;
        return null;
    }

    private static Throwable innermost(final Throwable thrown) {
        Throwable t = thrown;
        while (t.getCause() != null) t = t.getCause();
        return t;
    }
}
