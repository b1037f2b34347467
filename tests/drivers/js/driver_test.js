// The JavaScript driver against a running server.
//   node driver_test.js --url ws://127.0.0.1:8182/gremlin [--read gmodern] [--write gscratch] [--tx gscratch] [--reference true]
// --reference true leaves out what Apache's own server cannot answer. The last line is "N passed, N failed".
'use strict';
const assert = require('node:assert');
const {randomUUID} = require('node:crypto');
const {parseArgs} = require('node:util');
const gremlin = require('gremlin');

const {P, TextP, order, t} = gremlin.process;
const __ = gremlin.process.statics;
const {traversal} = gremlin.process.AnonymousTraversalSource;
const {Client} = gremlin.driver;
const {GraphSON2Writer, GraphSON2Reader, GraphSON3Writer, GraphSON3Reader} = gremlin.structure.io;

const option = (fallback) => ({type: 'string', default: fallback});
const args = parseArgs({
    options: {url: option(''), read: option('gmodern'), write: option('gscratch'), tx: option('gscratch'), reference: option('')},
}).values;

const serializers = {
    graphbinary: {mimeType: 'application/vnd.graphbinary-v1.0'},
    graphson3: {mimeType: 'application/vnd.gremlin-v3.0+json', reader: new GraphSON3Reader(), writer: new GraphSON3Writer()},
    graphson2: {mimeType: 'application/vnd.gremlin-v2.0+json', reader: new GraphSON2Reader(), writer: new GraphSON2Writer()},
};
const both = ['graphbinary', 'graphson3'];
const slow = 'g.V().repeat(__.both()).times(60).path().count()';
const cases = [];

class Server {
    constructor(serializer) {
        this.options = serializers[serializer];
        this.open = [];
    }

    client(source, options = {}) {
        const client = new Client(args.url, {traversalSource: source, ...this.options, ...options});
        this.open.push(client);
        return client;
    }

    g(source) {
        const connection = new gremlin.driver.DriverRemoteConnection(args.url, {traversalSource: source, ...this.options});
        this.open.push(connection);
        return traversal().withRemote(connection);
    }

    async close() {
        for (const c of this.open) await c.close();
    }
}

async function ask(client, text, bindings, options) {
    return (await client.submit(text, bindings, options)).toArray();
}

async function fails(promise, status, pattern) {
    let got;
    try {
        got = await promise;
    } catch (e) {
        assert.strictEqual(e.statusCode, status, `status ${e.statusCode} (${e.message}), wanted ${status}`);
        assert.match(e.message, pattern);
        return;
    }
    assert.fail(`got ${JSON.stringify(got)}, wanted an error with status ${status}`);
}

function on(serializerNames, name, body, reference = true) {
    cases.push({serializerNames, name, body, reference});
}

on(Object.keys(serializers), 'script with binding', async (s) => {
    assert.deepStrictEqual(await ask(s.client(args.read), 'g.V().has("name", n).values("age")', {n: 'marko'}), [29]);
});

on(Object.keys(serializers), 'script without results', async (s) => {
    assert.deepStrictEqual(await ask(s.client(args.read), 'g.V().has("name","nobody")'), []);
});

on(both, 'script errors', async (s) => {
    const client = s.client(args.read);
    await fails(ask(client, 'g.V().values(', null, {language: 'gremlin-lang'}), 597, /./);
    await fails(ask(s.client('gnothing'), 'g.V()'), 499, /gnothing/);
    await fails(ask(client, slow, null, {evaluationTimeout: 300, language: 'gremlin-lang'}), 598, /time/i);
    assert.deepStrictEqual(await ask(client, 'g.V().count()'), [6]);
});

on(['graphbinary'], 'a syntax error says where', async (s) => {
    await fails(ask(s.client(args.read), 'g.V().vlaues("name")'), 597, /line 1, column 7/);
}, false);

on(both, 'bytecode', async (s) => {
    const g = s.g(args.read);
    assert.strictEqual((await g.V().count().next()).value, 6);
    assert.deepStrictEqual(await g.V().has('age', P.gt(27)).order().by('age', order.desc).values('name').toList(), ['peter', 'josh', 'marko']);
    assert.deepStrictEqual(await g.V().has('name', TextP.startingWith('v')).values('age').toList(), [27]);
    const rows = await g.V().hasLabel('person').order().by('name').project('n', 'o').by('name').by(__.out().count()).toList();
    assert.deepStrictEqual(rows.map((m) => [m.get('n'), Number(m.get('o'))]), [['josh', 2], ['marko', 3], ['peter', 1], ['vadas', 0]]);
    const map = (await g.V(1).elementMap().next()).value;
    assert.strictEqual(map.get('name'), 'marko');
    assert.strictEqual(map.get(t.label), 'person');
    const path = (await g.V(1).as('a').out('created').as('b').values('name').path().next()).value;
    assert.strictEqual(path.objects[2], 'lop');
});

on(both, 'bytecode errors', async (s) => {
    const g = s.g(args.read);
    await fails(g.V(1).fail('told so').toList(), 595, /told so/);
    await fails(g.V().values('name').sum().next(), 500, /./);
    await fails(g.with_('evaluationTimeout', 300).V().repeat(__.both()).times(60).path().count().next(), 598, /time/i);
});

on(both, 'writes', async (s) => {
    const g = s.g(args.write);
    await g.V().drop().iterate();
    await g.addV('person').property('name', 'ada').as('a').addV('person').property('name', 'alan').addE('knows').to('a').iterate();
    assert.deepStrictEqual(await g.V().has('name', 'alan').out('knows').values('name').toList(), ['ada']);
    await g.V().drop().iterate();
    assert.strictEqual((await g.V().count().next()).value, 0);
});

on(both, 'session keeps variables', async (s) => {
    const session = s.client(args.read, {session: randomUUID()});
    await ask(session, 'x = g.V().has("name","marko").next()');
    assert.deepStrictEqual(await ask(session, 'g.V(x).out("created").values("name")'), ['lop']);
});

on(['graphbinary'], 'transaction', async (s) => {
    const g = s.g(args.tx);
    await g.V().drop().iterate();
    const kept = g.tx();
    const inside = kept.begin();
    await inside.addV('tx').property('name', 'kept').iterate();
    assert.strictEqual((await g.V().count().next()).value, 0);
    await kept.commit();
    const lost = g.tx();
    await lost.begin().addV('tx').property('name', 'lost').iterate();
    await lost.rollback();
    assert.deepStrictEqual(await g.V().values('name').toList(), ['kept']);
    await g.V().drop().iterate();
});

on(both, '100 requests in flight on one connection', async (s) => {
    const client = s.client(args.read);
    await client.open();
    const asked = Array.from({length: 100}, (_, k) => ask(client, 'g.inject(k)', {k}));
    assert.deepStrictEqual((await Promise.all(asked)).flat(), Array.from({length: 100}, (_, k) => k));
});

on(both, '100k rows', async (s) => {
    const xs = Array.from({length: 100000}, (_, i) => (i * 7) % 100003);
    assert.deepStrictEqual(await ask(s.client(args.read), 'g.inject(xs).unfold()', {xs}), xs);
});

on(both, 'stream', async (s) => {
    let count = 0;
    for await (const part of s.client(args.read).stream('g.V().values("name")', null, {batchSize: 2})) count += part.toArray().length;
    assert.strictEqual(count, 6);
});

on(['graphbinary'], 'compressed', async (s) => {
    const client = s.client(args.read, {enableCompression: true});
    const xs = Array(2000).fill('the same words again and again');
    assert.deepStrictEqual(await ask(client, 'g.inject(xs).unfold()', {xs}), xs);
});

async function main() {
    let passed = 0;
    let failed = 0;
    for (const {serializerNames, name, body, reference} of cases) {
        if (args.reference && !reference) continue;
        for (const serializer of serializerNames) {
            const server = new Server(serializer);
            try {
                await body(server);
                passed++;
            } catch (e) {
                failed++;
                console.log(`FAILED js: ${name} [${serializer}]\n  ${String(e.stack ?? e).slice(0, 600)}`);
            }
            await server.close().catch((e) => console.log(`  closing after ${name}: ${e}`));
        }
    }
    console.log(`npm gremlin ${require('gremlin/package.json').version}`);
    console.log(`${passed} passed, ${failed} failed`);
    process.exit(failed === 0 ? 0 : 1);
}

main();
