"""check_layers and check_rules find what they are there to find. The last line is "N passed, N failed"."""
import os
import subprocess
import sys
import tempfile

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'scripts')

# script, files (path -> text), what it must say (nothing: it must be content)
CASES = [
    ('check_layers', {'storage/base/a.h': '', 'storage/value/b.h': '#include "storage/base/a.h"\n'}, None),
    ('check_layers', {'storage/base/a.h': '#include "storage/value/b.h"\n', 'storage/value/b.h': ''}, 'storage/base/a.h:1: storage/base must not know of storage/value'),
    ('check_layers', {'storage/graph/g.cpp': '\n#include "gremlin/exec/x.h"\n'}, 'storage/graph/g.cpp:2: storage/graph must not know of gremlin/exec'),
    ('check_layers', {'gremlin/exec/x.cpp': '#include "server/net/server.h"\n'}, 'must not know of server'),
    ('check_layers', {'gremlin/steps/x.cpp': '#include "tests/helper.h"\n'}, 'the product includes a test'),
    ('check_layers', {'gremlin/steps/x.cpp': '#include "y.h"\n', 'gremlin/steps/y.h': ''}, 'gremlin/steps/x.cpp:1: write the include from the repository root'),
    ('check_layers', {'gremlin/odd/x.cpp': ''}, 'lies in no room'),
    ('check_rules', {'CMakeLists.txt': 'add_library(a a/b.cpp)', 'a/b.cpp': 'int x;\n', 'README.md': '[b](a/b.cpp) [c](https://example.org/)'}, None),
    ('check_rules', {'CMakeLists.txt': '', 'a/b.cpp': ''}, 'a/b.cpp: no CMakeLists.txt names it'),
    ('check_rules', {'a.h': 'int x;\n' * 701}, 'a.h: 702 lines'),
    ('check_rules', {'a.py': '# TO' + 'DO later\n'}, 'a.py:1: unfinished'),
    ('check_rules', {'README.md': '[gone](docs/gone.md)'}, 'the link to docs/gone.md leads nowhere'),
    ('check_rules', {'tests/CMakeLists.txt': '', 'tests/a/b/CMakeLists.txt': ''}, 'does not add a/b'),
]


def problem(script, files, wanted):
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), 'w', encoding='utf-8') as f:
                f.write(text)
        subprocess.run('git init -q && git add .', shell=True, cwd=root, check=True)
        done = subprocess.run([os.path.join(SCRIPTS, script), root], capture_output=True, text=True, check=False)
        said = done.stdout + done.stderr
        if wanted is None:
            return None if done.returncode == 0 else said
        return None if done.returncode == 1 and wanted in said else f'{said}(wanted: {wanted})'


def main():
    failed = 0
    for script, files, wanted in CASES:
        what = problem(script, files, wanted)
        if what:
            failed += 1
            print(f'FAILED {script} on {", ".join(files)}\n  {what}')
    print(f'{len(CASES) - failed} passed, {failed} failed')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
