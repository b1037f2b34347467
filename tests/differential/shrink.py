"""Makes a traversal smaller while something stays true of it. See README.md beside this file."""


def split_outside(text, mark):
    """Cuts at `mark` outside of brackets and strings; a dot between two digits is a number's own."""
    parts, depth, quote, start = [], 0, None, 0
    for i, c in enumerate(text):
        if quote:
            quote = None if c == quote and text[i - 1] != '\\' else quote
        elif c in '\'"':
            quote = c
        elif c in '([{':
            depth += 1
        elif c in ')]}':
            depth -= 1
        elif c == mark and depth == 0 and not (c == '.' and text[i - 1:i].isdigit() and text[i + 1:i + 2].isdigit()):
            parts.append(text[start:i])
            start = i + 1
    return parts + [text[start:]]


def split_steps(text):
    """'g.V().out()' -> ['g', 'V()', 'out()']"""
    return split_outside(text, '.')


def split_arguments(step):
    """'union(a,b)' -> ('union', ['a', 'b']); None when the step has no brackets at its end."""
    if '(' not in step or not step.endswith(')'):
        return None
    name, inner = step[:-1].split('(', 1)
    return name, split_outside(inner, ',') if inner else []


def smaller(text):
    """Texts that are a little shorter than `text`, the boldest first."""
    parts = split_steps(text)
    for i in range(len(parts) - 1, 1, -1):
        yield '.'.join(parts[:i])
    for i in range(1, len(parts)):
        if len(parts) > 2:
            yield '.'.join(parts[:i] + parts[i + 1:])
    for i in range(1, len(parts)):
        split = split_arguments(parts[i])
        if split is None:
            continue
        name, args = split
        for j, a in enumerate(args):
            if len(args) > 1:
                yield '.'.join(parts[:i] + ['%s(%s)' % (name, ','.join(args[:j] + args[j + 1:]))] + parts[i + 1:])
            if a.startswith('__.'):
                yield '.'.join(parts[:i] + split_steps(a)[1:] + parts[i + 1:])
            if a.startswith(('__.', 'P.', 'TextP.')):
                for b in smaller(a):
                    yield '.'.join(parts[:i] + ['%s(%s)' % (name, ','.join(args[:j] + [b] + args[j + 1:]))] + parts[i + 1:])


async def shrink(text, lines, still, tries=150):
    """The shortest of the texts tried that `still` differs, and how: still(text) gives lines or None."""
    kind = lines[0][:14]
    while tries > 0:
        for candidate in smaller(text):
            tries -= 1
            if tries <= 0:
                break
            less = await still(candidate)
            if less and less[0][:14] == kind:
                text, lines = candidate, less
                break
        else:
            break
    return text, lines
