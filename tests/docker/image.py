"""Carries out a Dockerfile without a Docker engine, in root file systems made by mmdebstrap (root is needed).

  image.py build DOCKERFILE CONTEXT OUT [--share TARGET=FOLDER...]   OUT/root is then the last stage, OUT/config.json its settings
  image.py run IMAGE [--read-only] [--volume FOLDER=TARGET...] [--env NAME=VALUE...] [-- ARG...]
        runs the entry point (ARG... instead of CMD) as Docker would with --tmpfs /tmp --cap-drop ALL and no-new-privileges:
         process 1 of its own process namespace, as the image's user; the network is the host's
  image.py exec IMAGE PROCESS [-- COMMAND...]                        in the namespaces of the `run` whose process id that is, as the
        same user; without COMMAND the image's health check
  image.py stop PROCESS                                              STOPSIGNAL for that `run`'s process 1

--share gives `RUN --mount=type=cache,target=TARGET` a folder of this machine.
"""
import argparse
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys

BASES = {'debian:bookworm-slim': 'bookworm'}
CACHE = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), '.cache', 'docker')


class Stop(Exception):
    """An instruction that cannot be carried out; the message says which and why."""


def instructions(text):
    """Yields (line number, KEYWORD, rest), continued lines joined."""
    joined, first = '', 0
    for number, line in enumerate(text.split('\n'), 1):
        if line.lstrip().startswith('#') or (not joined and not line.strip()):
            continue
        first = first or number
        if line.rstrip().endswith('\\'):
            joined += line.rstrip()[:-1] + ' '
            continue
        keyword, _, rest = (joined + line).strip().partition(' ')
        yield first, keyword.upper(), rest.strip()
        joined, first = '', 0


def base_archive(image):
    if image not in BASES:
        raise Stop(f'FROM {image}: only {", ".join(BASES)} can be made here')
    archive = os.path.join(CACHE, BASES[image] + '.tar')
    if not os.path.exists(archive):
        os.makedirs(CACHE, exist_ok=True)
        subprocess.run(['mmdebstrap', '--quiet', '--variant=minbase', BASES[image], archive + '.new.tar'], check=True)
        os.rename(archive + '.new.tar', archive)
    return archive


class Stage:
    def __init__(self, folder, context, shares):
        self.root = os.path.join(folder, 'root')
        self.context, self.shares = context, shares
        self.config = {'env': {'PATH': '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'}, 'user': '0:0', 'workdir': '/',
                       'entrypoint': [], 'cmd': [], 'volumes': [], 'expose': [], 'labels': {}, 'healthcheck': None, 'stopsignal': 'SIGTERM'}

    def inside(self, path):
        return os.path.normpath(self.root + os.path.join(self.config['workdir'], path))

    def do_run(self, rest, _stages):
        mounts = []
        while rest.startswith('--mount='):
            option, _, rest = rest.partition(' ')
            settings = dict(part.split('=', 1) for part in option[len('--mount='):].split(','))
            if settings.get('type') != 'cache':
                raise Stop(f'{option}: only type=cache is known')
            if settings['target'] in self.shares:
                mounts.append((self.shares[settings['target']], settings['target']))
            os.makedirs(self.root + settings['target'], exist_ok=True)
        packages = os.path.join(CACHE, 'apt-archives')
        os.makedirs(os.path.join(packages, 'partial'), exist_ok=True)
        mounts += [(packages, '/var/cache/apt/archives'), ('/etc/resolv.conf', '/etc/resolv.conf')]
        open(os.path.join(self.root, 'etc/resolv.conf'), 'a').close()
        script = ['set -e', f'cd {shlex.quote(self.root)}', 'mount -t proc proc proc', 'mount --rbind /dev dev']
        for source, target in mounts:
            os.makedirs(source, exist_ok=True) if not os.path.exists(source) else None
            script.append(f'mount --bind {shlex.quote(source)} .{shlex.quote(target)}')
        inner = f'cd {shlex.quote(self.config["workdir"])} && {rest}'
        script.append(f'exec chroot . /bin/sh -c {shlex.quote(inner)}')
        subprocess.run(['unshare', '--mount', '--pid', '--fork', '--kill-child', 'bash', '-c', '\n'.join(script)], check=True, stdin=subprocess.DEVNULL,
                       env={**self.config['env'], 'DEBIAN_FRONTEND': 'noninteractive', 'HOME': '/root', 'TMPDIR': '/tmp'})

    def do_copy(self, rest, stages):
        words = shlex.split(rest)
        options = dict(w[2:].split('=', 1) for w in words if w.startswith('--'))
        *sources, target = [w for w in words if not w.startswith('--')]
        origin = stages[options['from']].root if 'from' in options else self.context
        into_folder = target.endswith('/') or len(sources) > 1
        for source in sources:
            path = os.path.join(origin, source.lstrip('/'))
            if not os.path.exists(path):
                raise Stop(f'COPY {rest}: there is no {source}')
            goal = self.inside(target)
            if into_folder and not os.path.isdir(path):
                goal = os.path.join(goal, os.path.basename(source))
            os.makedirs(os.path.dirname(goal), exist_ok=True)
            subprocess.run(['cp', '-a', '--no-preserve=ownership', path + ('/.' if os.path.isdir(path) else ''), goal], check=True)
            if 'chown' in options:
                subprocess.run(['chown', '-R', options['chown'], goal], check=True)

    def do_env(self, rest, _stages):
        self.config['env'].update(pair.split('=', 1) for pair in shlex.split(rest))

    def do_label(self, rest, _stages):
        self.config['labels'].update(pair.split('=', 1) for pair in shlex.split(rest))

    def do_workdir(self, rest, _stages):
        self.config['workdir'] = os.path.normpath(os.path.join(self.config['workdir'], rest))
        os.makedirs(self.root + self.config['workdir'], exist_ok=True)

    def do_user(self, rest, _stages):
        if not re.fullmatch(r'\d+:\d+', rest):
            raise Stop(f'USER {rest}: write numbers (UID:GID), so that an engine can tell that it is not root')
        self.config['user'] = rest

    def do_volume(self, rest, _stages):
        self.config['volumes'].append(rest)

    def do_expose(self, rest, _stages):
        self.config['expose'].append(int(rest))

    def do_stopsignal(self, rest, _stages):
        if rest != 'SIGTERM':
            raise Stop(f'STOPSIGNAL {rest}: hobgoblin ends in order at SIGTERM')
        self.config['stopsignal'] = rest

    def do_entrypoint(self, rest, _stages):
        self.config['entrypoint'] = json.loads(rest)

    def do_cmd(self, rest, _stages):
        self.config['cmd'] = json.loads(rest)

    def do_healthcheck(self, rest, _stages):
        options, _, command = rest.partition('CMD ')
        self.config['healthcheck'] = {'test': json.loads(command), **dict(w[2:].split('=', 1) for w in options.split())}


def build(args):
    with open(args.dockerfile, encoding='utf-8') as f:
        text = f.read()
    shares = dict(s.split('=', 1) for s in args.share)
    shutil.rmtree(args.out, ignore_errors=True)
    stages, stage = {}, None
    for number, keyword, rest in instructions(text):
        print(f'{os.path.basename(args.dockerfile)}:{number} {keyword} {rest[:100]}', flush=True)
        if keyword == 'FROM':
            image, _, name = rest.partition(' AS ')
            folder = os.path.join(args.out, 'stage-' + (name or 'last'))
            stage = Stage(folder, args.context, shares)
            os.makedirs(stage.root)
            subprocess.run(['tar', '-C', stage.root, '-xf', base_archive(image), '--exclude=./dev/*'], check=True)
            stages[name or 'last'] = stage
        elif stage is None or not hasattr(stage, 'do_' + keyword.lower()):
            raise Stop(f'line {number}: {keyword} is not an instruction that this builder knows')
        else:
            getattr(stage, 'do_' + keyword.lower())(rest, stages)
    with open(os.path.join(args.out, 'config.json'), 'w', encoding='utf-8') as f:
        json.dump(stage.config, f, indent=1)
    os.rename(stage.root, os.path.join(args.out, 'root'))
    for name in stages:
        shutil.rmtree(os.path.join(args.out, 'stage-' + name), ignore_errors=True)


def as_user(config, command):
    """The command line that becomes `command` as the image's user, without capabilities or new privileges."""
    uid, gid = config['user'].split(':')
    return ['setpriv', f'--reuid={uid}', f'--regid={gid}', '--clear-groups', '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all',
            '/bin/sh', '-c', f'cd {shlex.quote(config["workdir"])} && exec {shlex.join(command)}']


def run(args, config):
    q, root = shlex.quote, os.path.join(os.path.abspath(args.image), 'root')
    script = ['set -e', f'mount --bind {q(root)} {q(root)}', f'cd {q(root)}']
    for volume in args.volume:
        source, target = volume.split('=', 1)
        script.append(f'mount --bind {q(source)} .{q(target)}')
    script += ['mount -t tmpfs -o mode=1777 tmpfs ./tmp', 'mount -t proc proc ./proc', 'mount --rbind /dev ./dev',
               f'mount -o remount,bind,ro {q(root)}' if args.read_only else 'true',
               'exec chroot . ' + shlex.join(as_user(config, config['entrypoint'] + (args.words or config['cmd'])))]
    os.execvpe('unshare', ['unshare', '--mount', '--pid', '--fork', '--kill-child=SIGKILL', 'bash', '-c', '\n'.join(script)],
               {**config['env'], **dict(e.split('=', 1) for e in args.env)})


def first_process(runner):
    """Process 1 of the namespace that `image.py run` (process `runner`) made, as this machine numbers it."""
    with open(f'/proc/{runner}/task/{runner}/children', encoding='ascii') as f:
        return int(f.read().split()[0])


def execute(args, config):
    with open(f'/proc/{first_process(args.runner)}/environ', encoding='utf-8') as f:
        env = dict(e.split('=', 1) for e in f.read().split('\0') if e)
    command = args.words or config['healthcheck']['test']
    os.execvpe('nsenter', ['nsenter', f'--target={first_process(args.runner)}', '--mount', '--pid', '--root', '--'] + as_user(config, command), env)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = p.add_subparsers(dest='command', required=True)
    b = commands.add_parser('build')
    b.add_argument('dockerfile')
    b.add_argument('context')
    b.add_argument('out')
    b.add_argument('--share', action='append', default=[])
    r = commands.add_parser('run')
    r.add_argument('image')
    r.add_argument('--read-only', action='store_true')
    r.add_argument('--volume', action='append', default=[])
    r.add_argument('--env', action='append', default=[])
    e = commands.add_parser('exec')
    e.add_argument('image')
    e.add_argument('runner', type=int)
    s = commands.add_parser('stop')
    s.add_argument('runner', type=int)
    split = sys.argv.index('--') if '--' in sys.argv else len(sys.argv)
    args = p.parse_args(sys.argv[1:split])
    args.words = sys.argv[split + 1:]
    try:
        if args.command == 'build':
            build(args)
        elif args.command == 'stop':
            os.kill(first_process(args.runner), signal.SIGTERM)
        else:
            with open(os.path.join(args.image, 'config.json'), encoding='utf-8') as f:
                (run if args.command == 'run' else execute)(args, json.load(f))
    except (Stop, subprocess.CalledProcessError) as e:
        sys.exit(f'image.py: {e}')


if __name__ == '__main__':
    main()
