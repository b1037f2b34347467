"""The gremlinpython driver (3.8 or 3.7) against a running server.

  python driver_test.py --url ws://127.0.0.1:8182/gremlin [--read gmodern] [--write gscratch] [--tx gscratch] [--only REGEX] [--reference]

--read names a source with TinkerPop's "modern" graph, --write and --tx writable ones (emptied here). --reference leaves out
what Apache's own server cannot answer, so that this test can be tested on it. The last line is "N passed, N failed".
"""
import argparse
import datetime
import logging
import re
import sys
import time
import traceback
import uuid

import importlib.metadata
from gremlin_python.driver.client import Client
from gremlin_python.driver.driver_remote_connection import DriverRemoteConnection
from gremlin_python.driver.protocol import GremlinServerError
from gremlin_python.driver.serializer import (GraphBinarySerializersV1, GraphSONSerializersV2d0,
                                              GraphSONSerializersV3d0)
from gremlin_python.process.anonymous_traversal import traversal
from gremlin_python.process.graph_traversal import __
from gremlin_python.process.traversal import P, T, TextP
from gremlin_python.statics import bigint, long

VERSION = importlib.metadata.version('gremlinpython')
SLOW = 'g.V().repeat(__.both()).times(60).path().count()'
cases = []


def case(function=None, *, serializers=('graphbinary', 'graphson3'), reference=True):
    """Registers a case; it runs once for each of `serializers`."""
    if function is None:
        return lambda f: case(f, serializers=serializers, reference=reference)
    cases.append((function, serializers, reference))
    return function


SERIALIZERS = {'graphbinary': GraphBinarySerializersV1, 'graphson3': GraphSONSerializersV3d0, 'graphson2': GraphSONSerializersV2d0}


class Server:
    """Opens clients with one serializer, and closes what it opened."""

    def __init__(self, args, serializer):
        self.args, self.serializer, self.open = args, serializer, []
        self.read, self.write, self.tx = args.read, args.write, args.tx

    def client(self, source, **options):
        url = options.pop('url', self.args.url)
        options.setdefault('pool_size', 1)
        c = Client(url, source, message_serializer=SERIALIZERS[self.serializer](), **options)
        self.open.append(c)
        return c

    def g(self, source):
        remote = DriverRemoteConnection(self.args.url, source, pool_size=1, message_serializer=SERIALIZERS[self.serializer]())
        self.open.append(remote)
        return traversal().with_remote(remote)

    def close(self):
        for c in self.open:
            c.close()

    def empty(self, source):
        self.g(source).V().drop().iterate()


def same(got, want):
    assert got == want, f'got {got!r}, wanted {want!r}'


def fails(call, status, pattern):
    try:
        got = call()
    except GremlinServerError as e:
        assert e.status_code == status, f'status {e.status_code} ({e.status_message}), wanted {status}'
        assert re.search(pattern, e.status_message, re.I), f'message {e.status_message!r} does not match {pattern!r}'
        return
    raise AssertionError(f'got {got!r}, wanted an error with status {status}')


# ---- scripts --------------------------------------------------------------------------------------------

@case(serializers=('graphbinary', 'graphson3', 'graphson2'))
def script_with_binding(s):
    same(s.client(s.read).submit('g.V().has("name", n).values("age")', {'n': 'marko'}).all().result(), [29])


@case(serializers=('graphbinary', 'graphson3', 'graphson2'))
def script_gives_elements_with_properties(s):
    vertex, = s.client(s.read).submit('g.V(1)').all().result()
    same((int(vertex.id), vertex.label), (1, 'person'))
    same(sorted((p.key, p.value) for p in vertex.properties), [('age', 29), ('name', 'marko')])
    edge, = s.client(s.read).submit('g.E(7)').all().result()
    same((edge.label, int(edge.outV.id), int(edge.inV.id)), ('knows', 1, 2))


@case(serializers=('graphbinary', 'graphson3', 'graphson2'))
def script_without_results(s):
    same(s.client(s.read).submit('g.V().has("name","nobody")').all().result(), [])


@case
def script_syntax_error(s):
    fails(lambda: s.client(s.read).submit('g.V().values(', request_options={'language': 'gremlin-lang'}).all().result(), 597, r'line 1|1:\d+')


@case(reference=False)
def script_syntax_error_says_where_and_hides_the_stack(s):
    fails(lambda: s.client(s.read).submit('g.V().vlaues("name")').all().result(), 597, r'line 1, column 7')


@case
def script_unknown_source(s):
    fails(lambda: s.client('gnothing').submit('g.V()').all().result(), 499, r'gnothing')


@case
def script_times_out(s):
    started = time.time()
    fails(lambda: s.client(s.read).submit(SLOW, request_options={'evaluationTimeout': 300}).all().result(), 598, r'time')
    assert time.time() - started < 5, 'the time-out came late'


@case
def script_batches(s):
    got = s.client(s.read).submit('g.V().values("name").order()', request_options={'batchSize': 2})
    same([len(part) for part in got], [2, 2, 2])


@case(serializers=('graphbinary', 'graphson3', 'graphson2'))
def script_streams_100k_rows(s):
    rows = [i * 7 % 100003 for i in range(100000)]
    same(s.client(s.read).submit('g.inject(xs).unfold()', {'xs': rows}).all().result(60), rows)


@case
def script_values_of_every_kind(s):
    c = s.client(s.read)
    for literal, want in (('1', 1), ('2L', 2), ('1.5d', 1.5), ('"é😀"', 'é😀'), ('true', True), ('null', None),
                          ('[1,"a"]', [1, 'a']), ('["k":1]', {'k': 1})):
        same(c.submit(f'g.inject({literal})', request_options={'language': 'gremlin-lang'}).all().result(), [want])


# ---- bytecode -------------------------------------------------------------------------------------------

@case
def bytecode_count(s):
    same(s.g(s.read).V().count().next(), 6)


@case
def bytecode_predicates_and_order(s):
    same(s.g(s.read).V().has('age', P.gt(27).and_(P.lt(35))).order().by('age').values('name').to_list(), ['marko', 'josh'])
    same(sorted(s.g(s.read).V().has('name', TextP.starting_with('p').or_(P.within('josh', 'vadas'))).values('name').to_list()),
         ['josh', 'peter', 'vadas'])


@case
def bytecode_nested_traversals(s):
    got = s.g(s.read).V().has_label('person').project('name', 'out').by('name').by(__.out().count()).order().by(__.select('name')).to_list()
    same(got, [{'name': 'josh', 'out': 2}, {'name': 'marko', 'out': 3}, {'name': 'peter', 'out': 1}, {'name': 'vadas', 'out': 0}])


@case
def bytecode_path(s):
    path = s.g(s.read).V(1).out('created').as_('x').values('name').path().next()
    same((len(path), path[2], path.labels[1]), (3, 'lop', {'x'}))


@case
def bytecode_maps_and_groups(s):
    same(s.g(s.read).V().group_count().by(T.label).next(), {'person': 4, 'software': 2})
    value_map = s.g(s.read).V(1).element_map().next()
    same((value_map[T.label], value_map['name'], value_map['age']), ('person', 'marko', 29))


@case
def bytecode_values_come_back_as_they_went(s):
    for value in (1, long(2), 1.5, 'text', True, None, uuid.UUID(int=5), [1, 2], {'a': 1}, {1, 2}, bigint(2 ** 70), b'\x00\xff' if s.serializer == 'graphbinary' else 'b'):
        got = s.g(s.read).inject(value).next()
        assert got == value, f'{value!r} came back as {got!r}'


@case(reference=False)
def bytecode_date_fits_the_client(s):
    """3.7 clients cannot read the date type of 3.8: the server has to choose by the User-Agent."""
    moment = datetime.datetime(2024, 2, 29, 1, 2, 3)
    got = s.client(s.read).submit('g.inject(datetime("2024-02-29T01:02:03Z"))').all().result()[0]
    same(got.replace(tzinfo=None), moment)


@case
def bytecode_failing_traversal(s):
    fails(lambda: s.g(s.read).V().values('name').sum_().next(), 500, r'.')


@case(reference=False)
def bytecode_failing_traversal_says_why(s):
    fails(lambda: s.g(s.read).V().values('name').sum_().next(), 500, r'sum\(\)')


@case
def bytecode_fail_step(s):
    fails(lambda: s.g(s.read).V(1).fail('told so').to_list(), 595, r'told so')


@case
def bytecode_times_out(s):
    fails(lambda: s.g(s.read).with_('evaluationTimeout', 300).V().repeat(__.both()).times(60).path().count().next(), 598, r'time')


@case
def bytecode_streams_100k_rows(s):
    rows = [i * 7 % 100003 for i in range(100000)]
    same(s.g(s.read).inject(rows).unfold().to_list(), rows)


@case
def bytecode_writes(s):
    s.empty(s.write)
    g = s.g(s.write)
    g.add_v('person').property('name', 'ada').as_('a').add_v('person').property('name', 'alan').add_e('knows').to('a').property('since', 1936).iterate()
    same(g.V().has('name', 'alan').out('knows').values('name').to_list(), ['ada'])
    same(g.E().values('since').next(), 1936)
    g.V().has('name', 'ada').drop().iterate()
    same((g.V().count().next(), g.E().count().next()), (1, 0))


# ---- sessions and transactions --------------------------------------------------------------------------

@case
def session_keeps_variables(s):
    session = s.client(s.read, session=str(uuid.uuid4()))
    session.submit('x = g.V().has("name","marko").next(); y = 1').all().result()
    same(session.submit('g.V(x).out("created").values("name")').all().result(), ['lop'])
    same(session.submit('y').all().result(), [1])


@case
def sessions_are_apart(s):
    one, two = (s.client(s.read, session=str(uuid.uuid4())) for _ in range(2))
    one.submit('only_here = 1').all().result()
    fails(lambda: two.submit('only_here').all().result(), 597, r'only_here')


@case
def transaction_commits(s):
    s.empty(s.tx)
    g = s.g(s.tx)
    tx = g.tx()
    gtx = tx.begin()
    gtx.add_v('tx').property('name', 'kept').iterate()
    same(gtx.V().has_label('tx').count().next(), 1)
    same(g.V().has_label('tx').count().next(), 0)
    tx.commit()
    same(g.V().has_label('tx').values('name').to_list(), ['kept'])
    s.empty(s.tx)


@case
def transaction_rolls_back(s):
    s.empty(s.tx)
    g = s.g(s.tx)
    tx = g.tx()
    gtx = tx.begin()
    gtx.add_v('tx').property('name', 'lost').iterate()
    tx.rollback()
    same(g.V().has_label('tx').count().next(), 0)


# ---- many at once, other transports ---------------------------------------------------------------------

@case
def ten_requests_at_once(s):
    c = s.client(s.read, pool_size=10, max_workers=10)
    c.submit('g.inject(0)').all().result()
    futures = [c.submit_async('g.V().has("age", gt(k)).count()', {'k': k}) for k in range(26, 36)]
    same([f.result().all().result()[0] for f in futures], [4, 3, 3, 2, 2, 2, 1, 1, 1, 0])


@case
def connection_outlives_errors(s):
    c = s.client(s.read)
    for _ in range(3):
        fails(lambda: c.submit('g.V().nonsense()').all().result(), 597, r'nonsense')
        same(c.submit('g.V().count()').all().result(), [6])


@case
def compressed(s):
    c = s.client(s.read, enable_compression=True)
    rows = ['the same words again and again'] * 2000
    same(c.submit('g.inject(xs).unfold()', {'xs': rows}).all().result(), rows)


@case(serializers=('graphbinary', 'graphson3'), reference=False)
def http(s):
    url = re.sub('^ws(.*/)gremlin$', r'http\1', s.args.url)  # the driver puts /gremlin behind it
    same(s.client(s.read, url=url).submit('g.V().has("name", n).values("age")', {'n': 'marko'}).all().result(), [29])


@case(serializers=('graphbinary',), reference=False)
def root_path(s):
    url = re.sub('/gremlin/?$', '/', s.args.url)
    same(s.client(s.read, url=url).submit('g.V().count()').all().result(), [6])


def run(function, serializer, args):
    s = Server(args, serializer)
    try:
        function(s)
        return None
    except Exception as e:
        where = traceback.extract_tb(e.__traceback__)
        line = next((f.lineno for f in reversed(where) if f.filename == __file__ and f.name == function.__name__), '?')
        return f'line {line}: {type(e).__name__}: {e}'
    finally:
        try:
            s.close()
        except Exception as e:
            print(f'  closing after {function.__name__}: {type(e).__name__}: {e}')


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--url', required=True)
    p.add_argument('--read', default='gmodern')
    p.add_argument('--write', default='gscratch')
    p.add_argument('--tx', default='gscratch')
    p.add_argument('--only', default='')
    p.add_argument('--reference', action='store_true')
    args = p.parse_args()
    logging.disable(logging.CRITICAL)
    passed = failed = 0
    for function, serializers, reference in cases:
        if args.reference and not reference:
            continue
        for serializer in serializers:
            name = f'{function.__name__} [{serializer}]'
            if not re.search(args.only, name):
                continue
            problem = run(function, serializer, args)
            passed, failed = (passed + 1, failed) if problem is None else (passed, failed + 1)
            if problem is not None:
                print(f'FAILED python {VERSION}: {name}\n  {problem[:600]}', flush=True)
    print(f'gremlinpython {VERSION}')
    print(f'{passed} passed, {failed} failed')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
