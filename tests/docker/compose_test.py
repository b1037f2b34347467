"""Checks what the compose files say against the rest of the tree:  compose_test.py ROOT COMPOSE_JSON

COMPOSE_JSON: one project a line, as docker compose's library read it (compose/main.go). The last line is "N passed, N failed".
"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import image  # noqa: E402


def dockerfile_settings(path):
    """The settings that the last stage of a Dockerfile leaves, without carrying out anything but them."""
    stage = None
    with open(path, encoding='utf-8') as f:
        for _, keyword, rest in image.instructions(f.read()):
            if keyword == 'FROM':
                stage = image.Stage('/nowhere', '/nowhere', {})
            elif keyword == 'WORKDIR':
                stage.config['workdir'] = rest
            elif keyword not in ('RUN', 'COPY'):
                getattr(stage, 'do_' + keyword.lower())(rest, {})
    return stage.config


def known_settings(root):
    """Every key of config/hobgoblin.yaml, as its environment variable."""
    names, parents = set(), []
    with open(os.path.join(root, 'config/hobgoblin.yaml'), encoding='utf-8') as f:
        for line in f:
            match = re.match(r'( *)([A-Za-z]+):', line)
            if match:
                parents = parents[:len(match.group(1)) // 2] + [match.group(2)]
                names.add('HOBGOBLIN_' + '__'.join(p.upper() for p in parents))
    return names


def check_service(root, project, name, service):
    dockerfile = os.path.join(root, service['build']['dockerfile'])
    yield 'builds from this repository', os.path.samefile(service['build']['context'], root) and os.path.exists(dockerfile)
    settings = dockerfile_settings(dockerfile)
    yield 'runs as an unprivileged user', settings['user'] == '65532:65532'
    yield 'the image has a health check', settings['healthcheck'] is not None
    targets = [v['target'] for v in service.get('volumes', [])]
    yield 'its volumes are the image\'s', all(t in settings['volumes'] for t in targets)
    yield 'its volumes are named ones', all(v['type'] == 'volume' and v['source'] in project['volumes'] for v in service.get('volumes', []))
    yield 'its ports are exposed by the image', all(p['target'] in settings['expose'] for p in service.get('ports', []))
    if 'healthcheck' in service:
        yield 'its health check is the image\'s', service['healthcheck']['test'] == ['CMD'] + settings['healthcheck']['test']
    for other, condition in service.get('depends_on', {}).items():
        yield f'waits for {other}, which says when it is healthy', condition['condition'] == 'service_healthy' and 'healthcheck' in project['services'][other]
    known = known_settings(root)
    for variable in list(service.get('environment', {})) + [v for v in settings['env'] if v.startswith('HOBGOBLIN_') and v != 'HOBGOBLIN_CACHE']:
        yield f'{variable} is a setting', variable in known
    yield 'no capabilities, no new privileges', service['cap_drop'] == ['ALL'] and service['security_opt'] == ['no-new-privileges:true']
    if name == 'hobgoblin':
        yield 'read-only root, /tmp in memory', service['read_only'] and service['tmpfs'] == ['/tmp']
        yield 'port 8182', [(p['target'], p['published']) for p in service['ports']] == [(8182, '8182')]
        gateways = service.get('environment', {}).get('HOBGOBLIN_HBASE__GATEWAYS', '')
        for host, _, port in (g.partition(':') for g in gateways.split(',') if g):
            other = dockerfile_settings(os.path.join(root, project['services'][host]['build']['dockerfile']))
            yield f'{host} listens on {port}', int(port) in other['expose'] and port in other['cmd']


def main():
    root, compose = sys.argv[1:3]
    passed = failed = 0
    with open(compose, encoding='utf-8') as f:
        projects = [json.loads(line) for line in f]
    for project in projects:
        for name, service in project['services'].items():
            for what, holds in check_service(root, project, name, service):
                passed, failed = passed + bool(holds), failed + (not holds)
                if not holds:
                    print(f'FAILED {project["name"]}, service {name}: {what}')
    print(f'{passed} passed, {failed} failed')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
