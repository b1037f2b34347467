"""Random programs that change the scratch graph. See README.md beside this file."""
from generate import Generator

SETUP = ("g.addV('person').property(T.id,1).property('name','ann').property('age',30).as('a')"
         ".addV('person').property(T.id,2).property('name','bob').property('age',25).as('b')"
         ".addV('thing').property(T.id,3).property('name','cup').as('c')"
         ".addE('knows').from('a').to('b').property(T.id,11).property('w',1)"
         ".addE('has').from('a').to('c').property(T.id,12).property('w',2.5)"
         ".addE('has').from('b').to('c').property(T.id,13)")
DUMP = ["g.V().project('id','l','p').by(__.coalesce(__.id().is(P.within(1,2,3,1020,1021,1050,1060)),__.constant(-1))).by(T.label)"
        ".by(__.properties().project('k','v','m').by(__.key()).by(__.value()).by(__.valueMap()).fold())",
        "g.E().project('l','o','i','p').by(T.label).by(__.outV().valueMap()).by(__.inV().valueMap()).by(__.valueMap())"]


class Writer(Generator):
    """Traversals that change the scratch graph (SETUP); the whole graph is compared afterwards."""

    def value(self):
        return self.pick(["'x'", '1', '2L', '3.5', 'true', 'null', "'ann'", '30', "datetime('2020-01-01T00:00:00Z')", '[1,2]', "__.constant('q')", '__.count()'])

    def prop(self, edge=False):
        r = self.rng.random()
        card = '' if edge and self.chance(0.9) else self.pick(['', '', 'single,', 'list,', 'set,'])
        key = self.pick(["'name'", "'age'", "'w'", "'new'"])
        if r < 0.85:
            meta = ",'since',%s" % self.pick(['1', "'y'"]) if not edge and self.chance(0.15) else ''
            return 'property(%s%s,%s%s)' % (card, key, self.value(), meta)
        return "property(%s['name':%s,'new':2])" % (card, self.pick(["'x'", '1']))

    def vertex(self):
        return self.pick(['V(1)', 'V(2)', 'V(3)', "V().has('name','ann')", "V().hasLabel('thing')", 'V(77)', 'V()'])

    def merge_map(self, edge=False):
        parts = []
        if edge:
            parts = [self.pick(['(T.label):"knows"', '(T.label):"has"', '(T.label):"new"']), '(Direction.OUT):%s' % self.pick(['1', '2', '3', '9']),
                     '(Direction.IN):%s' % self.pick(['1', '2', '3'])]
            if self.chance(0.3):
                parts.append(self.pick(["'w':1", "'w':2.5", "'z':1", '(T.id):11']))
            return '[%s]' % ','.join(parts[self.pick([0, 0, 0, 1]):])
        for p, opts in ((0.4, ['(T.label):"person"', '(T.label):"thing"']), (0.3, ['(T.id):1', '(T.id):1050']), (0.6, ["'name':'ann'", "'name':'new'", "'name':null"]), (0.3, ["'age':30", "'age':30L"])):
            if self.chance(p):
                parts.append(self.pick(opts))
        return '[%s]' % (','.join(parts) or ':')

    def merge_option(self, edge=False):
        r = self.rng.random()
        if r < 0.3:
            return ''
        on = self.pick(['onCreate', 'onMatch'])
        maps = ["['age':5]", "['new':'v']", '[:]', "['name':'zed','age':1]", 'null', '__.constant(["new":1])'] + ([] if edge else ["['age':Cardinality.list(5)]", "['age':Cardinality.set(30)]", "['new':single(3)]", '[(T.label):"other"]', '[(T.id):1060]'])
        return '.option(Merge.%s,%s)' % (on, self.pick(maps)) + (self.merge_option(edge) if self.chance(0.3) else '')

    def mutation(self):
        r = self.rng.random()
        if r < 0.15:
            t = 'addV(%s)' % self.pick(["'person'", "'new'", '', "__.constant('made')"])
            if self.chance(0.5):
                t += '.property(T.id,%d)' % self.pick([1020, 1021, 1])
            return t + ''.join('.' + self.prop() for _ in range(self.rng.randint(0, 3)))
        if r < 0.3:
            t = "%s.addE('%s')" % (self.vertex(), self.pick(['knows', 'new']))
            t += self.pick(['.to(__.V(2))', '.to(__.V(3))', '.from(__.V(1))', '.to(__.out())', '.to(__.identity())', '', '.to(__.V(88))'])
            return t + ''.join('.' + self.prop(True) for _ in range(self.rng.randint(0, 2)))
        if r < 0.5:
            return '%s.%s' % (self.vertex(), '.'.join(self.prop() for _ in range(self.rng.randint(1, 2))))
        if r < 0.6:
            return '%s.%s.drop()' % (self.vertex(), self.pick(['properties()', "properties('name')", 'outE()', "bothE('has')", 'identity()', "out()", "outE().properties('w')", 'properties().properties()']))
        if r < 0.8:
            return 'mergeV(%s)%s' % (self.merge_map(), self.merge_option())
        if r < 0.95:
            return 'mergeE(%s)%s' % (self.merge_map(True), self.merge_option(True))
        return "E().%s" % self.pick([self.prop(True), "has('w',P.gt(1)).drop()", 'drop()'])

    def program(self):
        """[traversal, ...]: what is run behind SETUP, each compared by the shape of its results."""
        out = []
        for _ in range(self.rng.randint(1, 3)):
            t = 'g.' + self.mutation()
            if 'drop()' not in t and self.chance(0.6):
                t += '.' + self.pick(['count()', "valueMap()", 'label()', "values('name')", "property('late',1).count()", "properties().key()"])
            elif 'drop()' not in t:
                t += '.count()'
            out.append(t)
        return out
