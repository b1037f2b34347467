"""Gremlin Console, typed at through a pipe, against a running server.

  python3 console_test.py --classpath CP --host 127.0.0.1 --port 8182 [--read gmodern]

Types a line, waits for the next prompt, looks at what was printed. The last line is "N passed, N failed".
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import threading

REMOTE_YAML = '''hosts: [%(host)s]
port: %(port)d
connectionPool: { enableSsl: false }
serializer: { className: org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1, config: { serializeResultToString: true }}
'''

# What is typed, and what must be printed before the next prompt (a regular expression over all of it, (?s) included).
TRANSCRIPT = [
    (':plugin use tinkerpop.server', r'activated'),
    (':remote connect tinkerpop.server %(yaml)s', r'==>Configured .*%(port)d'),
    (':remote config alias g %(read)s', r'==>g=%(read)s'),
    (':> g.V().count()', r'^==>6\n$'),
    (":> g.V().has('name','marko').out('knows').values('name').order()", r'^==>josh\n==>vadas\n$'),
    (':> g.V(1)', r'^==>v\[1\]\n$'),
    (':> g.V(1).outE("knows").has("weight",1.0d)', r'^==>e\[8\]\[1-knows->4\]\n$'),
    (":> g.V(1).valueMap('name')", r'^==>\{name=\[marko\]\}\n$'),
    (":> g.V().has('name','nobody')", r'^$'),
    (':> g.V().valuez()', r'valuez'),
    (':> g.V().has("age",gt(30)).values("age").order()', r'^==>32\n==>35\n$'),
    (':remote config timeout 5000', r'5000'),
    (':remote console', r'All scripts will now be sent to Gremlin Server'),
    ('g.V().values("name").limit(1).count()', r'^==>1\n$'),
    ('g.inject(xyz)', r'xyz'),
    ('g.V().hasLabel("software").values("name").order()', r'^==>lop\n==>ripple\n$'),
    (':remote console', r'All scripts will now be evaluated locally'),
    (':remote close', r'.'),
    (':remote connect tinkerpop.server %(yaml)s session', r'==>Configured .*%(port)d.*\['),
    (':remote config alias g %(read)s', r'==>g=%(read)s'),
    (":> x = g.V().has('name','marko').next()", r'^==>v\[1\]\n$'),
    (":> g.V(x).out('created').values('name')", r'^==>lop\n$'),
    (':remote console', r'All scripts will now be sent to Gremlin Server'),
    ('y = g.V(x).values("age").next()', r'^==>29\n$'),
    ('y', r'^==>29\n$'),
    ('g.V().has("age",gt(y)).values("name").order()', r'^==>josh\n==>peter\n$'),
]

PROMPT = re.compile(r'gremlin> $')
QUESTION = re.compile(r'\[yN\]$')


class Console:
    def __init__(self, classpath, folder):
        home = os.path.join(folder, 'home')
        os.mkdir(home)
        self.process = subprocess.Popen(
            ['java', '-Duser.home=' + home, '-Djava.util.prefs.userRoot=' + home, '-Dorg.slf4j.simpleLogger.defaultLogLevel=off',
             '-cp', classpath, 'org.apache.tinkerpop.gremlin.console.Console', '-C', '-l', '-Q'],
            cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def type(self, line, seconds=60):
        """Types the line; gives what is printed up to the next prompt."""
        if line is not None:
            self.process.stdin.write(line.encode() + b'\n')
            self.process.stdin.flush()
        printed = b''
        watchdog = threading.Timer(seconds, self.process.kill)
        watchdog.start()
        try:
            while True:
                byte = self.process.stdout.read(1)
                if not byte:
                    return printed.decode(errors='replace') + '\n(the console ended or hung)'
                printed += byte
                text = printed.decode(errors='replace')
                if QUESTION.search(text):
                    self.process.stdin.write(b'n\n')
                    self.process.stdin.flush()
                    printed += b' '
                elif PROMPT.search(text):
                    return PROMPT.sub('', text).partition('\n')[2]  # the first line is the echo of what was typed
        finally:
            watchdog.cancel()

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--classpath', required=True)
    p.add_argument('--host', default='127.0.0.1')
    p.add_argument('--port', type=int, required=True)
    p.add_argument('--read', default='gmodern')
    args = p.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        values = {'yaml': os.path.join(folder, 'remote.yaml'), 'host': args.host, 'port': args.port, 'read': args.read}
        with open(values['yaml'], 'w', encoding='utf-8') as f:
            f.write(REMOTE_YAML % values)
        console = Console(args.classpath, folder)
        console.type(None)
        for typed, wanted in TRANSCRIPT:
            printed = console.type(typed % values)
            if re.search(wanted % values if '%(' in wanted else wanted, printed):
                passed += 1
            else:
                failed += 1
                print(f'FAILED console: {typed % values}\n  wanted {wanted}\n  printed {printed.strip()[:500]!r}')
        console.close()
    print(f'{passed} passed, {failed} failed')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
