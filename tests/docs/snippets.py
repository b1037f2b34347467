"""Runs the examples of a Markdown file that are marked as tested, and compares what they print with the text block below them.

  snippets.py --port P --binary FILE --node-path DIR --java CLASSPATH --console CLASSPATH FILE.md...

An example is a fenced block after a line `<!-- tested: KIND [contains] -->`, KIND being console, python, java, javascript or shell; the next
fenced block is what it prints ("contains": lines that occur in what it prints). In the example localhost:8182 stands for the server.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'drivers', 'console'))
import console_test  # noqa: E402

EXAMPLE = re.compile(r'^<!-- tested: (\w+)( contains)? -->\n```\w*\n(.*?)^```\n```text\n(.*?)^```$', re.M | re.S)


def run_file(folder, name, text, command, env=None):
    with open(os.path.join(folder, name), 'w', encoding='utf-8') as f:
        f.write(text)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL)
    return done.stdout if done.returncode == 0 else f'{done.stdout}{done.stderr}(exit code {done.returncode})\n'


def run_console(args, folder, text):
    with open(os.path.join(folder, 'remote.yaml'), 'w', encoding='utf-8') as f:
        f.write(console_test.REMOTE_YAML % {'host': '127.0.0.1', 'port': args.port})
    console = console_test.Console(args.console, folder)
    console.type(None)
    printed = [console.type(line) for line in text.splitlines()]
    console.close()
    return printed[-1]


def run(args, kind, text):
    text = text.replace('localhost:8182', f'localhost:{args.port}').replace('.port(8182)', f'.port({args.port})')
    text = text.replace('build/release/hobgoblin', args.binary)
    with tempfile.TemporaryDirectory() as folder:
        if kind == 'console':
            return run_console(args, folder, text)
        if kind == 'python':
            return run_file(folder, 'example.py', text, [sys.executable, 'example.py'])
        if kind == 'java':
            return run_file(folder, 'Example.java', text, ['java', '-cp', args.java, 'Example.java'])
        if kind == 'javascript':
            return run_file(folder, 'example.js', text, ['node', 'example.js'], {'NODE_PATH': args.node_path})
        if kind == 'shell':
            return run_file(folder, 'example.sh', text, ['bash', 'example.sh'])
    sys.exit(f'unknown kind of example: {kind}')


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('--binary', '--node-path', '--java', '--console'):
        p.add_argument(name, required=True)
    p.add_argument('--port', type=int, required=True)
    p.add_argument('files', nargs='+')
    args = p.parse_args()
    passed = failed = 0
    for file in args.files:
        with open(file, encoding='utf-8') as f:
            text = f.read()
        examples = EXAMPLE.findall(text)
        if len(examples) != text.count('<!-- tested:'):
            sys.exit(f'{file}: an example marked as tested is not followed by its code and by what it prints')
        for kind, contains, code, wanted in examples:
            printed = run(args, kind, code)
            good = all(line in printed for line in wanted.splitlines()) if contains else printed.strip() == wanted.strip()
            passed, failed = passed + good, failed + (not good)
            if not good:
                print(f'FAILED {file}: the {kind} example\n{code}printed\n{printed[:1500]}\nnot\n{wanted}')
    print(f'{passed} passed, {failed} failed')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
