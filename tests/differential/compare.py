#!/usr/bin/env python3
"""Sends random traversals to hobgoblin and to a Gremlin Server and reports where the answers differ. See README.md beside this file."""
import argparse
import asyncio
import os
import random
import re
import struct
import sys
import time
import uuid
from collections import Counter

import aiohttp

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'corpus')]
import diff      # noqa: E402
import generate  # noqa: E402
import mutate    # noqa: E402
import shrink    # noqa: E402

TIMEOUT_MS = 15000


def string(s):
    b = s.encode()
    return struct.pack('>i', len(b)) + b


def request(text, source):
    """One eval request in GraphBinary; its id comes back with the answer."""
    rid = uuid.uuid4()
    args = bytearray()
    pairs = {'gremlin': text, 'language': 'gremlin-lang', 'evaluationTimeout': {'long': TIMEOUT_MS}, 'batchSize': {'int': 100000}}
    for k, v in pairs.items():
        diff.gb_any(k, args)
        diff.gb_any(v, args)
    diff.gb_any('aliases', args)
    args += b'\x0a\x00' + struct.pack('>i', 1)
    diff.gb_any('g', args)
    diff.gb_any(source, args)
    mime = b'application/vnd.graphbinary-v1.0'
    body = b'\x81' + rid.bytes + string('eval') + string('') + struct.pack('>i', len(pairs) + 1) + bytes(args)
    return str(rid), bytes([len(mime)]) + mime + body


class Server:
    """A few connections with many requests in flight on each. Used by one event loop."""

    def __init__(self, port, connections=2):
        self.url, self.n = 'ws://127.0.0.1:%d/gremlin' % port, connections
        self.sockets, self.waiting, self.readers = [], {}, []

    async def open(self):
        self.session = aiohttp.ClientSession()
        for _ in range(self.n):
            ws = await self.session.ws_connect(self.url, max_msg_size=0)
            self.sockets.append(ws)
            self.readers.append(asyncio.ensure_future(self.read(ws)))

    async def close(self):
        for r in self.readers:
            r.cancel()
        await self.session.close()

    async def read(self, ws):
        serializer = diff.BinarySerializer()
        async for m in ws:
            try:
                answer = serializer.deserialize_message(m.data)
            except Exception as e:  # an answer that the decoder does not know: said, not swallowed
                rid = str(uuid.UUID(bytes=bytes(m.data[2:18])))
                answer = {'requestId': rid, 'status': {'code': -1, 'message': 'unreadable answer: %s' % e}, 'result': {'data': []}}
            entry = self.waiting.get(answer['requestId'])
            if entry is None:
                continue
            entry[1].extend(answer['result']['data'])
            code = answer['status']['code']
            if code != 206:
                del self.waiting[answer['requestId']]
                entry[0].set_result(('ok', entry[1]) if code in (200, 204) else ('error', code, answer['status']['message'] or ''))
        for f, _ in self.waiting.values():
            if not f.done():
                f.set_result(('broken', -1, 'connection closed'))

    async def ask(self, text, source, which=0):
        rid, data = request(text, source)
        f = asyncio.get_event_loop().create_future()
        self.waiting[rid] = (f, [])
        await self.sockets[which % self.n].send_bytes(data)
        try:
            return await asyncio.wait_for(f, 60)
        except asyncio.TimeoutError:
            return 'broken', -1, 'no answer in 60 s'


def late(answer):
    return answer[0] == 'error' and (answer[1] == 598 or 'budget' in answer[2] or 'maxFrontier' in answer[2])


KIND = [(re.compile(p), r) for p, r in ((r"'[^']*'|\"[^\"]*\"", 'S'), (r'\d+', 'N'), (r'\s+', ' '))]


def unlike(want, got, ordered):
    """None when the two answers agree, else lines that say how they differ."""
    if late(want) or late(got):
        return None
    if want[0] != got[0]:
        show = lambda a: ('%s %s' % (a[1], a[2]))[:300] if a[0] != 'ok' else 'answers ' + ', '.join(map(diff.text, a[1][:5]))[:300]
        return ['  reference: ' + show(want), '  hobgoblin: ' + show(got)]
    if want[0] != 'ok':
        if want[1] != got[1]:
            return ['  status: reference %s %s' % (want[1], want[2][:200]), '          hobgoblin %s %s' % (got[1], got[2][:200])]
        return None
    case = {'ordered': ordered, 'list_order': False}
    return diff.compare(diff.settle(want[1], case), diff.settle(got[1], case), ordered, False)


class Known:
    """known.tsv: a pattern of the traversal, a pattern of the difference, the reason."""

    def __init__(self, path):
        self.rows, self.hits = [], Counter()
        with open(path, encoding='utf-8') as f:
            for line in f:
                if line.strip() and not line.startswith('#'):
                    query, difference, reason = line.rstrip('\n').split('\t')
                    self.rows.append((re.compile(query), re.compile(difference), reason))

    def explains(self, text, lines):
        told = '\n'.join(lines)
        for query, difference, reason in self.rows:
            if query.search(text) and difference.search(told):
                self.hits[reason] += 1
                return True
        return False


class Hunt:
    def __init__(self, args):
        self.args = args
        self.reference, self.ours = Server(args.reference), Server(args.port)
        self.known = Known(os.path.join(HERE, 'known.tsv'))
        self.found, self.seen, self.outcomes = [], 0, Counter()
        self.shown = Counter()

    async def differs(self, text, source, ordered, which=0):
        want, got = await asyncio.gather(self.reference.ask(text, source, which), self.ours.ask(text, source, which))
        lines = unlike(want, got, ordered)
        return want, lines if lines and not self.known.explains(text, lines) else None

    async def read_one(self, seed, graph, which):
        rng = random.Random('%s-%s' % (self.args.seed, seed))
        text, ordered = generate.Generator(rng).traversal(graph, rng.randint(1, self.args.length))
        source = generate.GRAPHS[graph]['source']
        want, lines = await self.differs(text, source, ordered, which)
        self.outcomes['error' if want[0] != 'ok' else 'empty' if not want[1] else 'answer'] += 1
        if lines:
            async def still(shorter):
                return (await self.differs(shorter, source, False, which))[1]
            small, less = await shrink.shrink(text, lines, still)
            self.report(graph, seed, small, less)

    async def write_one(self, seed, which):
        rng = random.Random('%s-w%s' % (self.args.seed, seed))
        program = mutate.Writer(rng).program()
        lines = await self.run_program(program, which)
        if lines:
            for i in reversed(range(len(program))):
                shorter = program[:i] + program[i + 1:]
                less = await self.run_program(shorter, which) if shorter else None
                if less:
                    program, lines = shorter, less
            self.report('scratch', seed, ' ; '.join(program), lines)

    async def run_program(self, program, which):
        source = 'gscratch%d' % which

        async def run(server):
            answers = []
            for t in ['g.V().drop()', mutate.SETUP] + program + mutate.DUMP:
                answers.append(await server.ask(t, source, which))
            return answers
        want, got = await asyncio.gather(run(self.reference), run(self.ours))
        for i, (a, b) in enumerate(zip(want[2:], got[2:])):
            self.outcomes['error' if a[0] != 'ok' else 'answer'] += 1
            lines = unlike(a, b, False)
            text = (program + ['the vertices afterwards', 'the edges afterwards'])[i]
            if lines:
                return None if self.known.explains(text, lines) or self.known.explains(' ; '.join(program), lines) else ['  in ' + text] + lines
            if a[0] != 'ok' and i < len(program):
                break  # what a failed traversal left behind differs: ours is rolled back, TinkerGraph has no transactions
        return None

    def report(self, graph, seed, text, lines):
        kind = '\n'.join(lines[:2])
        for pattern, to in KIND:
            kind = pattern.sub(to, kind)
        self.found.append(text)
        self.shown[kind] += 1
        if self.shown[kind] > 3:
            return
        print('DIFFERENT [%s] seed %s-%s\n  %s' % (graph, self.args.seed, seed, text))
        for line in lines[:8]:
            print(line[:400])
        sys.stdout.flush()

    async def worker(self, which):
        while time.time() < self.end and self.seen < self.args.count:
            self.seen += 1
            seed = self.seen
            kind = random.Random('%s/%s' % (self.args.seed, seed)).choices(['modern', 'crew', 'grateful', 'air', 'scratch'], self.args.mix)[0]
            try:
                if kind == 'scratch':
                    if which >= 4:
                        kind = 'modern'
                    else:
                        await self.write_one(seed, which)
                        continue
                await self.read_one(seed, kind, which)
            except RecursionError:
                continue

    async def run(self):
        await self.reference.open()
        await self.ours.open()
        self.end, began = time.time() + self.args.seconds, time.time()
        await asyncio.gather(*(self.worker(i) for i in range(self.args.workers)))
        print('%d programs in %.0f s (seed %s): %s; %d differences without a reason' %
              (self.seen, time.time() - began, self.args.seed, dict(self.outcomes), len(self.found)))
        for reason, n in self.known.hits.most_common():
            print('  known, %d times: %s' % (n, reason))
        await self.reference.close()
        await self.ours.close()
        return 1 if self.found else 0


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument('--port', type=int, default=8500, help='hobgoblin')
    p.add_argument('--reference', type=int, default=8501, help='Gremlin Server')
    p.add_argument('--seed', default=str(random.randrange(10 ** 6)))
    p.add_argument('--count', type=int, default=10 ** 9)
    p.add_argument('--seconds', type=int, default=60)
    p.add_argument('--length', type=int, default=5, help='most steps of the outermost chain')
    p.add_argument('--workers', type=int, default=8)
    p.add_argument('--mix', type=lambda s: [float(x) for x in s.split(',')], default=[5, 2, 1, 1, 3], help='weights of modern,crew,grateful,air,scratch')
    args = p.parse_args()
    print('seed ' + args.seed, flush=True)
    sys.exit(asyncio.run(Hunt(args).run()))


if __name__ == '__main__':
    main()
