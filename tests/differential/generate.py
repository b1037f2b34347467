"""Random traversals, as text, that have one right answer. See README.md beside this file.

A traversal is built from ROWS: one row a step, with the types it takes and a function that writes it and says what comes out. No answer may
hang on the order in which a store gives its elements, so a step that keeps some of its input (limit, tail, range, dedup) stands behind a total
order only, and once it has run nothing may ask for a traverser's history (equal values may have come by different ways): State.mixed.
"""

import re

REDUCING = re.compile(r'(count|fold|sum|min|max|mean|group|groupCount|cap|tree|project)\(')

GRAPHS = {
    'modern': dict(
        source='gmodern', ids=[1, 2, 3, 4, 5, 6, 99], starts=['g.V()'] * 6 + ['g.E()'] * 2, small=True,
        labels=['person', 'software', 'nobody'], edges=['knows', 'created', 'nothing'],
        keys={'name': 'str', 'age': 'num', 'lang': 'str'}, edge_keys={'weight': 'num'},
        strings=['marko', 'josh', 'peter', 'lop', 'java', 'vadas', 'ripple', '']),
    'crew': dict(
        source='gcrew', ids=[1, 7, 8, 9, 10, 11], starts=['g.V()'] * 6 + ['g.E()'] * 2, small=True,
        labels=['person', 'software'], edges=['develops', 'uses', 'traverses'],
        keys={'name': 'str', 'location': 'str'}, edge_keys={'since': 'num', 'skill': 'num'},
        strings=['marko', 'stephen', 'san diego', 'aachen', 'gremlin', 'brussels']),
    'grateful': dict(
        source='ggrateful', ids=[1, 2, 5, 30, 89, 340, 451, 700], starts=[], small=False,
        labels=['song', 'artist'], edges=['followedBy', 'writtenBy', 'sungBy'],
        keys={'name': 'str', 'songType': 'str', 'performances': 'num'}, edge_keys={'weight': 'num'},
        strings=['HEY BO DIDDLEY', 'cover', 'original', 'Garcia', 'DARK STAR']),
    'air': dict(
        source='gair', ids=[1, 3, 8, 49, 100, 250, 1500, 3450, 3600], starts=[], small=False,
        labels=['airport', 'country', 'continent'], edges=['route', 'contains'],
        keys={'code': 'str', 'city': 'str', 'region': 'str', 'country': 'str', 'runways': 'num', 'elev': 'num', 'lat': 'num'},
        edge_keys={'dist': 'num'}, strings=['US', 'GB', 'US-TX', 'ATL', 'London', 'Austin']),
}
NUMBERS = ['0', '1', '2', '3', '27', '29', '35', '0.5', '1.0', '0.4f', '2L', '10l', '1b', '3s', '100n', '1.5m', '-1', '-3', '2008', '2147483647',
           '9223372036854775807L', '0.2d', 'NaN', 'Infinity', '-Infinity']
DATES = ['datetime("2020-01-01T00:00:00Z")', 'datetime("2021-06-30T12:30:00+02:00")', 'datetime("1969-12-31T23:59:59Z")']
LITERALS = ["'a'", "'B'", "'marko'", "''", 'true', 'false', 'null', '1', '2L', '1.5', '3.0f', '[1,2,3]', "['a','b']", '[]', '{1,2}', "['x':1,'y':2]"]


class State:
    """What is known of the traversers at one place."""

    def __init__(self, kind, graph, ordered=False, labels=None, mixed=False, depth=0, effects=None):
        self.kind, self.graph, self.ordered, self.mixed, self.depth = kind, graph, ordered, mixed, depth
        self.labels = dict(labels or {})
        self.effects = effects if effects is not None else []
        self.moved = 0  # hops taken, to bound the size of answers
        self.sack = None

    def to(self, kind, ordered=False):
        s = State(kind, self.graph, ordered, self.labels, self.mixed, self.depth, self.effects)
        s.moved, s.sack = self.moved, self.sack
        return s

    def child(self):
        s = self.to(self.kind)
        s.depth += 1
        return s


class Generator:
    def __init__(self, rng):
        self.rng = rng
        self.fresh = 0

    # ------------------------------------------------------------ small parts
    def pick(self, xs):
        return self.rng.choice(xs)

    def chance(self, p):
        return self.rng.random() < p

    def string(self, s):
        return "'%s'" % self.pick(s.graph['strings'] + ['a', 'o', 'zzz', 'Ab c'])

    def some(self, xs, most=2):
        return self.rng.sample(xs, self.rng.randint(0, min(most, len(xs))))

    def quoted(self, xs):
        return ','.join("'%s'" % x for x in xs)

    def key(self, s, kind=None):
        keys = s.graph['edge_keys'] if s.kind == 'E' else s.graph['keys']
        fit = [k for k, t in keys.items() if kind in (None, t)]
        return self.pick(fit) if fit and not self.chance(0.03) else 'missing'

    def literal(self, s, kind):
        if self.chance(0.05):
            return self.pick(LITERALS)
        if kind == 'num':
            return self.pick(NUMBERS)
        if kind == 'str':
            return self.string(s)
        if kind == 'bool':
            return self.pick(['true', 'false'])
        if kind == 'date':
            return self.pick(DATES)
        return self.pick(LITERALS)

    def predicate(self, s, kind, depth=0):
        r = self.rng.random()
        if depth < 2 and r < 0.12:
            return '%s.%s(%s)' % (self.predicate(s, kind, depth + 1), self.pick(['and', 'or']), self.predicate(s, kind, depth + 1))
        if depth < 2 and r < 0.18:
            return 'P.not(%s)' % self.predicate(s, kind, depth + 1)
        if depth < 2 and r < 0.22:
            return '%s.negate()' % self.predicate(s, kind, depth + 1)
        if r < 0.26:
            return 'P.typeOf(GType.%s)' % self.pick(['NUMBER', 'INT', 'STRING', 'DOUBLE', 'LIST', 'VERTEX', 'BOOLEAN', 'NULL', 'LONG'])
        if kind == 'str' and r < 0.55:
            return 'TextP.%s(%s)' % (self.pick(['startingWith', 'endingWith', 'containing', 'notStartingWith', 'notEndingWith', 'notContaining']),
                                     self.pick(["'m'", "'o'", "'a'", "''", "'US'", self.string(s)]))
        if kind == 'str' and r < 0.6:
            return 'TextP.%s(%s)' % (self.pick(['regex', 'notRegex']), self.pick(["'^m.*o$'", "'[aeiou]{2}'", "'o'", "'^.{3,4}$'", "'(?i)JO'"]))
        if r < 0.7:
            return 'P.%s(%s)' % (self.pick(['within', 'without']), ','.join(self.literal(s, kind) for _ in range(self.rng.randint(0, 3))))
        if r < 0.78:
            return 'P.%s(%s,%s)' % (self.pick(['between', 'inside', 'outside']), self.literal(s, kind), self.literal(s, kind))
        return 'P.%s(%s)' % (self.pick(['eq', 'neq', 'gt', 'gte', 'lt', 'lte']), self.literal(s, kind))

    # ------------------------------------------------------------ chains
    def chain(self, s, length):
        """Some steps behind `s`: (text, state)."""
        out = ''
        for _ in range(length):
            fit = [row for row in ROWS if self.fits(row, s)]
            row = self.rng.choices(fit, [r[1] for r in fit])[0]
            made = row[3](self, s)
            if made is None:
                continue
            out += '.' + made[0]
            s = made[1]
            if s.kind in ('V', 'E') and not s.mixed and self.chance(0.12):
                label = self.pick('abcd')
                out += ".as('%s')" % label
                s.labels = dict(s.labels)
                s.labels[label] = s.kind if label not in s.labels else 'any'
        return out, s

    def fits(self, row, s):
        name, _, kinds, _ = row
        if kinds == '*':
            return True
        k = s.kind[0] if isinstance(s.kind, tuple) else s.kind
        return k in kinds.split() or self.rng.random() < 0.004

    def child(self, s, want=None, most=2, least=1, reduce=False):
        """An anonymous traversal from `s`: (text, state). `want` is the kind that it should give."""
        inner = s.child()
        for _ in range(12):
            text, end = self.chain(inner, self.rng.randint(least, most if inner.depth < 3 else 1))
            if text and (want is None or end.kind == want):
                if reduce:
                    text += self.pick(['.count()', '.fold()'])
                s.mixed = s.mixed or end.mixed
                s.moved = max(s.moved, end.moved)
                return '__' + text, end
        text = {'num': '__.count()', 'str': "__.constant('c')"}.get(want, '__.identity()')
        return text, inner.to(want or inner.kind)

    def by(self, s, order=False):
        """One by() whose value is the same whichever result comes first."""
        r = self.rng.random()
        k = s.kind[0] if isinstance(s.kind, tuple) else s.kind
        if k in ('V', 'E') and r < 0.45:
            return "by('%s')" % self.key(s)
        if k in ('V', 'E') and r < 0.65:
            return 'by(%s)' % self.pick(['T.id', 'T.label'])
        if k == 'map' and r < 0.3:
            return 'by(%s)' % self.pick(['keys', 'values'])
        if r < 0.75:
            return 'by()'
        return 'by(%s)' % self.child(s, reduce=True, most=2)[0]

    def traversal(self, graph_name, length):
        g = GRAPHS[graph_name]
        r = self.rng.random()
        if g['starts'] and r < 0.75:
            start = self.pick(g['starts'])
            kind = 'E' if start == 'g.E()' else 'V'
            s = State(kind, g)
        elif r < 0.92:
            start = 'g.V(%s)' % ','.join(map(str, self.rng.sample(g['ids'], self.rng.randint(1, 3))))
            s = State('V', g)
        else:
            values, kind = self.injected()
            start, s = 'g.inject(%s)' % values, State(kind, g)
        source = ''
        if self.chance(0.08):
            kind = self.pick(['1', '0.5', '2L'])
            source, s.sack = ".withSack(%s%s)" % (kind, self.pick(['', '', ',sum'])), 'num'
        text, s = self.chain(s, length)
        text = 'g' + source + start[1:] + text
        return text, s.ordered

    def injected(self):
        r = self.rng.random()
        n = self.rng.randint(1, 4)
        if r < 0.35:
            return ','.join(self.pick(NUMBERS) for _ in range(n)), 'num'
        if r < 0.55:
            return ','.join(self.pick(["'marko'", "'Hello World'", "' trim '", "'a,b,c'", "''", "'12'", "'1.5'", "'true'", "'x'"]) for _ in range(n)), 'str'
        if r < 0.62:
            return ','.join(self.pick(DATES) for _ in range(n)), 'date'
        if r < 0.78:
            return ','.join('[%s]' % ','.join(self.pick(NUMBERS[:13]) for _ in range(self.rng.randint(0, 4))) for _ in range(n)), ('list', 'num')
        if r < 0.86:
            return ','.join('[%s]' % ','.join(self.pick(["'a'", "'b'", "'cd'", 'null']) for _ in range(self.rng.randint(0, 4))) for _ in range(n)), ('list', 'str')
        if r < 0.93:
            return ','.join(self.pick(["['x':1,'y':2]", "['x':'a']", "['a':[1,2],'b':null]", "[:]", "[1:2,'k':3.5]"]) for _ in range(n)), 'map'
        return ','.join(self.pick(LITERALS) for _ in range(n)), 'any'


# ---------------------------------------------------------------- the steps
def plain(text, kind=None, keep=True):
    """A row that writes `text`; it gives `kind` (None: what came in)."""
    def write(g, s):
        return text, s.to(kind or s.kind, s.ordered and keep)
    return write


def move(names, kind, labels=True):
    def write(g, s):
        if s.moved >= (3 if s.graph['small'] else 1):
            return None
        n = s.to(kind)
        n.moved += 1
        ls = g.quoted(g.some(s.graph['edges'])) if labels else ''
        return '%s(%s)' % (g.pick(names), ls), n
    return write


def values(g, s):
    ks = sorted({g.key(s) for _ in range(g.pick([1, 1, 1, 2]))})
    kinds = {s.graph['edge_keys' if s.kind == 'E' else 'keys'].get(k, 'any') for k in ks}
    return 'values(%s)' % g.quoted(ks), s.to(kinds.pop() if len(kinds) == 1 else 'any')


def has(g, s):
    r = g.rng.random()
    keys = s.graph['edge_keys' if s.kind == 'E' else 'keys']
    labels = s.graph['edges' if s.kind == 'E' else 'labels']
    k = g.key(s)
    kind = keys.get(k, 'any')
    if r < 0.2:
        text = "hasLabel(%s)" % g.quoted([g.pick(labels) for _ in range(g.pick([1, 1, 2]))])
    elif r < 0.28:
        text = 'hasId(%s)' % g.pick([str(g.pick(s.graph['ids'])), g.predicate(s, 'num')])
    elif r < 0.36:
        text = "has('%s')" % k
    elif r < 0.44:
        text = "hasNot('%s')" % k
    elif r < 0.5:
        text = "hasKey('%s')" % k if s.kind == 'VP' else "has('%s',%s,%s)" % (g.pick(labels), "'%s'" % k, g.literal(s, kind))
    elif r < 0.56:
        text = 'has(%s,%s)' % (g.pick(['T.label', 'T.id']), g.predicate(s, g.pick(['str', 'num'])))
    elif r < 0.64:
        text = "has('%s',%s)" % (k, g.child(s.to(kind), least=1, most=2)[0])
    elif r < 0.74:
        text = "has('%s',%s)" % (k, g.literal(s, kind))
    else:
        text = "has('%s',%s)" % (k, g.predicate(s, kind))
    return text, s.to(s.kind, s.ordered)


def is_step(g, s):
    k = s.kind if isinstance(s.kind, str) else 'any'
    return 'is(%s)' % (g.predicate(s, k) if g.chance(0.75) else g.literal(s, k)), s.to(s.kind, s.ordered)


def filter_child(g, s):
    n = s.to(s.kind, s.ordered)
    name = g.pick(['where', 'filter', 'not', 'and', 'or'])
    count = 1 if name in ('where', 'filter', 'not') else g.rng.randint(1, 3)
    return '%s(%s)' % (name, ','.join(g.child(n)[0] for _ in range(count))), n


def where_labels(g, s):
    if s.mixed or not s.labels:
        return None
    a, b = g.pick(sorted(s.labels)), g.pick(sorted(s.labels))
    r = g.rng.random()
    n = s.to(s.kind, s.ordered)
    p = 'P.%s(\'%s\')' % (g.pick(['eq', 'neq', 'within', 'without', 'gt', 'lt']), b)
    if r < 0.3:
        return 'where(%s)' % p, n
    if r < 0.6:
        return "where('%s',%s)%s" % (a, p, g.pick(['', ".by('name')", '.by(T.id)', ".by(T.label)"])), n
    text, _ = g.child(s.to(s.labels[a]), most=2)
    return "where(__.as('%s')%s%s)" % (a, text[2:], ".as('%s')" % b if g.chance(0.5) else ''), n


def select(g, s):
    if s.mixed or not s.labels:
        return None
    names = sorted(s.labels)
    pop = g.pick(['', '', '', 'first,', 'last,', 'all,', 'mixed,'])
    if g.chance(0.5):
        a = g.pick(names)
        kind = s.labels[a] if pop in ('', 'first,', 'last,') else 'any'
        return "select(%s'%s')" % (pop, a), s.to(kind)
    chosen = g.rng.sample(names, min(len(names), 2))
    if len(chosen) < 2:
        chosen.append('z' if g.chance(0.1) else chosen[0])
    by = g.pick(['', ".by(T.id)", ".by('name')", '.by(__.count())']) if pop not in ('all,', 'mixed,') else ''
    return 'select(%s%s)%s' % (pop, g.quoted(chosen), by), s.to('map')


def project(g, s):
    names = g.pick([['p'], ['p', 'q'], ['p', 'q', 'r']])
    n = s.to('map', s.ordered)
    return 'project(%s)%s' % (g.quoted(names), ''.join('.' + g.by(n.to(s.kind)) for _ in range(g.pick([len(names), len(names), 1])))), n


def choose(g, s):
    a, sa = g.child(s)
    b, sb = g.child(s)
    n = s.to(sa.kind if sa.kind == sb.kind else 'any')
    r = g.rng.random()
    if r < 0.5:
        return 'choose(%s,%s%s)' % (g.child(s)[0], a, ',' + b if g.chance(0.8) else ''), (n if n.kind == s.kind else n.to('any'))
    if r < 0.65:
        k = s.kind if isinstance(s.kind, str) else 'any'
        return 'choose(%s,%s,%s)' % (g.predicate(s, k), a, b), n
    key = '__.label()' if s.kind in ('V', 'E') else g.child(s, least=1, most=1)[0]
    labels = s.graph['edges' if s.kind == 'E' else 'labels']
    opts = ".option('%s',%s).option(%s,%s)" % (g.pick(labels), a, g.pick(['Pick.none', 'Pick.any', 'Pick.unproductive', g.predicate(s, 'str'), g.pick(NUMBERS)]), b)
    return 'choose(%s)%s' % (key, opts), s.to('any')


def branches(g, s):
    name = g.pick(['union', 'coalesce', 'union', 'coalesce', 'optional', 'local', 'map', 'flatMap'])
    if name in ('optional', 'local', 'flatMap'):
        a, sa = g.child(s)
        if name == 'optional' and REDUCING.search(a):
            return None  # the reference's optional() first gives what its child makes of nothing
        return '%s(%s)' % (name, a), s.to(sa.kind if name != 'optional' or sa.kind == s.kind else 'any')
    if name == 'map':
        a, sa = g.child(s, reduce=True)
        return 'map(%s)' % a, s.to('any')
    made = [g.child(s) for _ in range(g.rng.randint(1, 3))]
    kinds = {m[1].kind for m in made}
    return '%s(%s)' % (name, ','.join(m[0] for m in made)), s.to(kinds.pop() if len(kinds) == 1 else 'any')


def repeat(g, s):
    if s.moved >= (2 if s.graph['small'] else 1):
        return None
    base = s.child()
    for _ in range(8):
        text, end = g.chain(base, g.rng.randint(1, 2))
        if text and end.kind == s.kind:
            break
    else:
        text, end = '.out(%s)' % g.quoted(g.some(s.graph['edges'])), base
        if s.kind != 'V':
            return None
    s.mixed = s.mixed or end.mixed
    n = s.to(s.kind)
    n.moved += 2
    times = g.pick([0, 1, 2]) if s.graph['small'] else 1
    r = g.rng.random()
    stop = '.times(%d)' % times
    emit = g.pick(['', '', '.emit()', '.emit(%s)' % g.child(base, most=2)[0]])
    body = 'repeat(__%s)' % text
    if r < 0.15:
        stop = '.until(__.or(__.loops().is(P.gte(%d)),%s))' % (max(times, 1), g.child(base, most=2)[0])
    return (emit[1:] + '.' + body + stop if emit and g.chance(0.4) else body + (stop + emit if g.chance(0.5) else emit + stop)), n


def order(g, s):
    """By values that tell any two results apart, or on values themselves."""
    direction = g.pick(['', ',desc', ',asc'])
    if s.kind in ('V', 'E'):
        first = '.by(%s%s)' % (g.pick(["'%s'" % g.key(s), 'T.label', g.child(s.to(s.kind), want='num')[0]]), direction) if g.chance(0.4) else ''
        return 'order()%s.by(T.id%s)' % (first, g.pick(['', ',desc'])), s.to(s.kind, True)
    return 'order()%s' % g.pick(['', '.by(%s)' % (direction[1:] or 'asc')]), s.to(s.kind, s.kind in ('str', 'bool', 'date'))


def cut(g, s):
    if not s.ordered or s.kind not in ('V', 'E', 'str', 'bool', 'date'):
        return None
    n = s.to(s.kind, True)
    n.mixed = True
    s.mixed = True
    return g.pick(['limit(%d)', 'tail(%d)', 'range(1,%d)', 'skip(%d)']) % g.rng.randint(1, 4), n


def dedup(g, s):
    if s.kind in ('any', 'num', 'list', 'map') or isinstance(s.kind, tuple):
        return None
    s.mixed = True
    n = s.to(s.kind, s.ordered)
    if s.kind in ('V', 'E') and g.chance(0.3):
        return 'dedup().by(%s).count()' % g.pick(['T.label', "'%s'" % g.key(s), '__.bothE().count()' if s.kind == 'V' else '__.inV()']), s.to('num')
    return 'dedup()', n


def group(g, s):
    n = s.to('map')
    keyed = g.by(s.to(s.kind))
    if g.chance(0.4):
        return 'groupCount()' + g.pick(['', '.' + keyed]), n
    value = g.pick(['', '.by(__.count())', '.' + g.by(s.to(s.kind)), '.by(__.%s.%s())' % (values(g, s)[0] if s.kind in ('V', 'E') else 'identity()',
                    g.pick(['count', 'fold', 'min', 'max', 'sum', 'mean']))])
    if value == '.by()':
        value = ''
    return 'group().%s%s' % (keyed, value), n


def effect(g, s):
    g.fresh += 1
    name = 'x%d' % g.fresh
    n = s.to(s.kind, s.ordered)
    r = g.rng.random()
    if r < 0.5:
        text = "aggregate('%s')%s" % (name, g.pick(['', '.' + g.by(s.to(s.kind))]))
    elif r < 0.75:
        text = "groupCount('%s').%s" % (name, g.by(s.to(s.kind)))
    else:
        text = "group('%s').%s.by(__.count())" % (name, g.by(s.to(s.kind)))
    if s.depth == 0 and g.chance(0.7):
        return text + ".cap('%s')" % name, s.to('any')
    return text, n


def sack(g, s):
    if s.mixed or s.sack is None:
        return None
    if g.chance(0.4):
        return 'sack()', s.to('num')
    op = g.pick(['sum', 'mult', 'minus', 'div', 'min', 'max', 'assign'])
    if s.kind in ('V', 'E'):
        return 'sack(%s).by(%s)' % (op, g.pick(["'%s'" % g.key(s, 'num'), '__.count()', '__.constant(2)'])), s.to(s.kind, s.ordered)
    return 'sack(%s)' % op, s.to(s.kind, s.ordered)


def path(g, s):
    if s.mixed:
        return None
    r = g.rng.random()
    if r < 0.3:
        return g.pick(['simplePath()', 'cyclicPath()']), s.to(s.kind, s.ordered)
    if r < 0.4:
        return 'tree()' + g.pick(['', '.by(T.id)', '.by(T.label)']), s.to('tree')
    return 'path()' + g.pick(['', '', '.by(T.label)', '.by(T.id).by(T.label)', ".by(__.count())", ".by('name')"]), s.to('path')


def match(g, s):
    if s.kind != 'V' or s.mixed or s.moved >= 2:
        return None
    s.moved += 1
    parts = []
    for a, b in g.pick([[('m', 'n')], [('m', 'n'), ('n', 'o')], [('m', 'n'), ('m', 'o')], [('m', 'n'), ('n', 'm')]]):
        parts.append("__.as('%s').%s(%s).as('%s')" % (a, g.pick(['out', 'in', 'both', 'out']), g.quoted(g.some(s.graph['edges'])), b))
    if g.chance(0.3):
        parts.append("__.as('m')%s" % g.child(s.to('V'), most=2)[0][2:])
    if g.chance(0.25):
        parts.append("__.not(__.as('m')%s)" % g.child(s.to('V'), most=1)[0][2:])
    n = s.to('map')
    n.labels = dict(s.labels, m='V', n='V')
    if g.chance(0.5):
        return "match(%s).select('m','n')" % ','.join(parts) + g.pick(['', '.by(T.id)', ".by('name')"]), n
    return 'match(%s)' % ','.join(parts), n


def reduce_step(g, s):
    k = s.kind
    if k == 'num' or k == 'any' and g.chance(0.3):
        return '%s()' % g.pick(['sum', 'min', 'max', 'mean', 'count', 'fold', 'fold(0,sum)' if k == 'num' else 'fold']).replace('fold(0,sum)()', 'fold(0,sum)'), s.to('any')
    if k in ('str', 'date', 'bool'):
        return '%s()' % g.pick(['min', 'max', 'count', 'fold']), s.to('any')
    return g.pick(['count()', 'count()', 'fold()']), s.to('any')


def fold_list(g, s):
    """A list in a known order."""
    if s.kind not in ('num', 'str', 'date', 'bool'):
        return None
    return 'order().fold()', s.to(('list', s.kind))


def math(g, s):
    return "math('%s')" % g.pick(['_ + 1', '_ * 2 - 1', 'sqrt _', 'abs(_) / 3', '_ ^ 2', '_ % 2', 'floor(_ / 2)', 'log10(_)', '-_', 'sin _ + cos(_)', 'signum(_)']), s.to('num')


def string_step(g, s):
    scope = g.pick(['', '', '', 'Scope.local'])
    name = g.pick(['toUpper', 'toLower', 'trim', 'lTrim', 'rTrim', 'length', 'reverse', 'concat', 'replace', 'split', 'substring', 'asString', 'asNumber', 'asBool'])
    if name == 'reverse':
        return 'reverse()', s.to('str')
    if name == 'concat':
        return 'concat(%s)' % g.pick(["'-x'", "'a','b'", 'null', "__.constant('k')"]), s.to('str')
    if name in ('replace',):
        return "replace(%s%s)" % (scope + ',' if scope else '', g.pick(["'a','X'", "'o',''", "'','z'", "null,'a'"])), s.to('str')
    if name == 'split':
        return "split(%s%s)" % (scope + ',' if scope else '', g.pick(["','", "'a'", "''", 'null', "' '"])), s.to(('list', 'str'))
    if name == 'substring':
        return 'substring(%s%s)' % (scope + ',' if scope else '', g.pick(['1', '0,2', '-2', '1,-1', '5', '-3,-1', '0,99', '2,1'])), s.to('str')
    if name == 'asNumber':
        return 'asNumber(%s)' % g.pick(['', 'GType.INT', 'GType.DOUBLE', 'GType.LONG', 'GType.BYTE', 'GType.BIGINT']), s.to('num')
    if name == 'asBool':
        return 'asBool()', s.to('bool')
    return '%s(%s)' % (name, scope), s.to('num' if name == 'length' else 'str')


def number_step(g, s):
    return g.pick(['asNumber(%s)' % g.pick(['', 'GType.INT', 'GType.DOUBLE', 'GType.LONG', 'GType.BYTE', 'GType.SHORT', 'GType.FLOAT', 'GType.BIGINT', 'GType.BIGDECIMAL']),
                   'asBool()']), s.to('num')


def date_step(g, s):
    r = g.rng.random()
    if r < 0.5:
        return 'dateAdd(DT.%s,%s)' % (g.pick(['second', 'minute', 'hour', 'day']), g.pick(['1', '-5', '100', '0'])), s.to('date')
    if r < 0.8:
        return 'dateDiff(%s)' % g.pick(DATES + ['__.identity()', '__.constant(%s)' % g.pick(DATES)]), s.to('num')
    return g.pick(['asDate()', 'asString()', 'asNumber()']), s.to('any')


def list_step(g, s):
    elem = s.kind[1] if isinstance(s.kind, tuple) else 'any'
    r = g.rng.random()
    if r < 0.3:
        other = g.pick(['[1,2]', "['a','b']", '[]', '{1,2L}', '[null]', "[1,1,3]", '__.constant([1,2])', '__.identity()', "'a'", 'null'])
        return '%s(%s)' % (g.pick(['combine', 'difference', 'disjunct', 'intersect', 'merge', 'product']), other), s.to('any')
    if r < 0.38:
        return "conjoin(%s)" % g.pick(["','", "''", "'; '"]), s.to('str')
    if r < 0.46:
        return '%s(%s)' % (g.pick(['all', 'any', 'none']), g.predicate(s, elem)), s.to(s.kind)
    if r < 0.7:
        name = g.pick(['count', 'sum', 'min', 'max', 'mean', 'order', 'dedup', 'limit', 'tail', 'range', 'skip', 'sample'])
        arg = {'limit': ',2', 'tail': ',1', 'range': ',1,3', 'skip': ',1'}.get(name, '')
        if name == 'sample':
            return 'reverse()', s.to(s.kind)
        text = '%s(Scope.local%s)' % (name, arg)
        if name == 'order' and g.chance(0.5):
            text += '.by(%s)' % g.pick(['desc', 'asc'])
        return text, s.to(elem if name in ('min', 'max', 'sum', 'mean') else 'num' if name == 'count' else s.kind if name in ('order', 'dedup') else 'any')
    if r < 0.85:
        return 'unfold()', s.to(elem)
    if r < 0.93:
        return g.pick(['reverse()', 'index()', "index().with('~tinkerpop.index.indexer',1)"]), s.to('any')
    return 'asString(%s)' % g.pick(['', 'Scope.local']), s.to('any')


def map_step(g, s):
    r = g.rng.random()
    if r < 0.3:
        return 'select(%s)' % g.pick(["keys", "values"]), s.to('any')
    if r < 0.6:
        return "select(%s)" % g.pick(["'p'", "'x'", "'m'", "'q','p'", "'name'", "'zz'"]), s.to('any')
    if r < 0.75:
        return 'count(Scope.local)', s.to('num')
    if r < 0.85:
        return 'unfold()', s.to('any')
    return 'order(Scope.local).by(%s)' % g.pick(['keys', 'keys,desc']), s.to('map')


def element_map(g, s):
    ks = g.quoted(sorted({g.key(s) for _ in range(g.pick([0, 1, 2]))}))
    r = g.rng.random()
    if r < 0.5:
        by = g.pick(['', '', '.by(__.unfold())', '.by(__.count(Scope.local))', ".with('~tinkerpop.valueMap.tokens')"])
        return 'valueMap(%s)%s' % (g.pick(['', 'true,', 'true'][:2 if ks else 3:1]) + ks if ks else g.pick(['', 'true']), by), s.to('map')
    if r < 0.75:
        return 'elementMap(%s)' % ks, s.to('map')
    return "propertyMap(%s).select(values).unfold().unfold().value()" % ks, s.to('any')


def constant(g, s):
    kind = g.pick(['num', 'str', 'date', 'bool', 'any'])
    return 'constant(%s)' % g.literal(s, kind), s.to(kind)


def side(g, s):
    n = s.to(s.kind, s.ordered)
    r = g.rng.random()
    if r < 0.5:
        return 'sideEffect(%s)' % g.child(n)[0], n
    if r < 0.7:
        return 'barrier()', s.to(s.kind)
    if r < 0.85:
        return 'identity()', n
    return 'index()' if g.chance(0.1) else 'discard()' if g.chance(0.05) else 'identity()', n


ROWS = [
    # name, weight, kinds taken, writer
    ('out', 14, 'V', move(['out', 'in', 'both', 'out'], 'V')),
    ('outE', 8, 'V', move(['outE', 'inE', 'bothE'], 'E')),
    ('outV', 10, 'E', move(['outV', 'inV', 'bothV'], 'V', labels=False)),
    ('otherV', 1, 'E', plain('otherV()', 'V')),
    ('values', 12, 'V E', values),
    ('properties', 3, 'V', lambda g, s: ('properties(%s)' % g.quoted(g.some(sorted(s.graph['keys']))), s.to('VP'))),
    ('edge properties', 2, 'E', lambda g, s: ('properties()', s.to('PR'))),
    ('vp', 8, 'VP PR', lambda g, s: (lambda t: (t[0], s.to(t[1])))(g.pick([('value()', 'any'), ('key()', 'str'), ('element()', 'any'), ('count()', 'num')]))),
    ('meta', 3, 'VP', lambda g, s: (lambda t: (t[0], s.to(t[1])))(g.pick([("values('startTime')", 'num'), ('label()', 'str'), ("has('endTime')", 'VP'), ('valueMap()', 'map')]))),
    ('hasKey', 2, 'VP PR', lambda g, s: (g.pick(["hasKey('%s')" % g.key(s), 'hasValue(%s)' % g.literal(s, 'str'), 'hasValue(%s)' % g.predicate(s, 'str')]), s.to(s.kind))),
    ('id', 2, 'V E', plain('id()', 'num', False)),
    ('label', 3, 'V E', plain('label()', 'str', False)),
    ('elementMap', 3, 'V E', element_map),
    ('has', 14, 'V E', has),
    ('is', 7, '*', is_step),
    ('filter', 8, '*', filter_child),
    ('where labels', 8, '*', where_labels),
    ('select', 9, '*', select),
    ('project', 4, '*', project),
    ('choose', 5, '*', choose),
    ('branches', 9, '*', branches),
    ('repeat', 5, 'V E num str', repeat),
    ('order', 6, 'V E num str date bool any', order),
    ('cut', 12, 'V E str bool date', cut),
    ('dedup', 4, 'V E str bool date VP', dedup),
    ('group', 4, '*', group),
    ('effect', 3, '*', effect),
    ('sack', 12, '*', sack),
    ('path', 5, '*', path),
    ('match', 3, 'V', match),
    ('reduce', 4, '*', reduce_step),
    ('fold', 5, 'num str date bool', fold_list),
    ('math', 6, 'num', math),
    ('number', 3, 'num', number_step),
    ('string', 10, 'str', string_step),
    ('date', 14, 'date', date_step),
    ('list', 20, 'list', list_step),
    ('map', 12, 'map', map_step),
    ('constant', 1, '*', constant),
    ('side', 3, '*', side),
    ('unfold', 2, 'any', plain('unfold()', 'any', False)),
    ('asString', 1, '*', plain('asString()', 'str', False)),
    ('V', 1, 'V', lambda g, s: ('V(%d)' % g.pick(s.graph['ids']), s.to('V'))),
    ('coin', 1, '*', lambda g, s: ('coin(%s)' % g.pick(['0.0', '1.0']), s.to(s.kind))),
    ('fail', 0.1, '*', lambda g, s: ("fail('stop')", s.to(s.kind))),
]
