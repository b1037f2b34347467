# Shared by the scripts of this folder; source it, do not run it.
# Its functions are described where they stand; root, cache and binary are paths.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=$root/.cache
binary=${HOB_BINARY:-$root/build/release/hobgoblin}

# Clones of one machine share compiled objects although their paths differ.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$root} CCACHE_NOHASHDIR=1 CCACHE_COMPILERCHECK=content
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}

note() { printf '== %s\n' "$*" >&2; }
die() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# usage: prints the comment that a script begins with.
usage() { sed -n '2,/^[^#]/{ /^#/ s/^# \{0,1\}//p }' "$0"; }

# on_exit COMMAND: runs when the script ends, however it ends; the latest first.
exit_commands=()
on_exit() { exit_commands=("$1" ${exit_commands[@]+"${exit_commands[@]}"}); }
run_exit_commands() {
    local status=$? command
    trap - EXIT
    for command in ${exit_commands[@]+"${exit_commands[@]}"}; do eval "$command" || true; done
    exit "$status"
}
trap run_exit_commands EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# ---- Debian packages -----------------------------------------------------------------------------

# missing_packages GROUP...: names of the packages of these groups (scripts/packages.txt) that are not here.
missing_packages() {
    local group package command wanted=" $* "
    while read -r group package command; do
        [[ $wanted == *" $group "* ]] || continue
        [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] && continue
        [[ -n $command ]] && bash -c "$command" >/dev/null 2>&1 </dev/null && continue
        echo "$package"
    done < <(grep -v '^#' "$root/scripts/packages.txt") | sort -u
}

# install_packages GROUP...: one apt-get call, and none when nothing is missing.
install_packages() {
    local missing as_root=()
    mapfile -t missing < <(missing_packages "$@")
    [[ ${#missing[@]} -gt 0 ]] || return 0
    if [[ $(id -u) -ne 0 ]]; then
        command -v sudo >/dev/null || die "these packages are missing, and neither root nor sudo is here to install them: ${missing[*]}"
        as_root=(sudo)
    fi
    note "installing ${missing[*]}"
    ${as_root[@]+"${as_root[@]}"} apt-get update -qq
    ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2 </dev/null
}

# ---- what the tests bring from the language registries, each resolved once into .cache ----------------

# python_venv 3.8|3.7: makes the virtual environment with that gremlinpython, prints its interpreter.
python_venv() {
    local dir=$cache/venv/gremlinpython-$1 wanted=$root/tests/drivers/python/requirements-$1.txt
    if ! cmp -s "$wanted" "$dir/requirements.txt"; then
        install_packages python
        note "making a Python environment with $(head -1 "$wanted")"
        rm -rf "$dir"
        python3 -m venv "$dir" >&2
        "$dir/bin/pip" install -q -r "$wanted" >&2
        cp "$wanted" "$dir/requirements.txt"
    fi
    echo "$dir/bin/python"
}

# npm_install FOLDER: what FOLDER/package-lock.json names, into FOLDER/node_modules.
npm_install() {
    if ! cmp -s "$1/package-lock.json" "$1/node_modules/.resolved-lock.json"; then
        note "installing npm packages for $1"
        (cd "$1" && npm ci --no-audit --no-fund --silent >&2 </dev/null)
        cp "$1/package-lock.json" "$1/node_modules/.resolved-lock.json"
    fi
}

# maven_classpath NAME POM: resolves what the POM names and compiles its sources into .cache/maven/NAME
# when POM or sources changed; prints the class path.
maven_classpath() {
    local name=$1 pom=$2 dir=$cache/maven/$1 stamp
    stamp=$(cd "$(dirname "$pom")" && find "$(basename "$pom")" src -type f 2>/dev/null | sort | xargs sha256sum | sha256sum)
    if [[ $(cat "$dir/stamp" 2>/dev/null) != "$stamp" ]]; then
        install_packages java
        note "resolving and compiling $name with Maven"
        rm -rf "$dir"
        mkdir -p "$dir"
        mvn -B -q -f "$pom" -Dbuild.dir="$dir" compile dependency:build-classpath \
            -Dmdep.outputFile="$dir/classpath" -Dmdep.includeScope=runtime >"$dir/maven.log" 2>&1 </dev/null ||
            { cat "$dir/maven.log" >&2; return 1; }
        echo "$stamp" >"$dir/stamp"
    fi
    echo "$dir/classes:$(cat "$dir/classpath")"
}

# unpack_resource JAR_NAME INSIDE FILE CLASSPATH: copies one file out of the jar of that name on the class path.
unpack_resource() {
    [[ -s $3 ]] && return 0
    mkdir -p "$(dirname "$3")"
    python3 - "$@" <<'PY'
import os, sys, zipfile
jar_name, inside, target, classpath = sys.argv[1:5]
jar = next(p for p in classpath.split(":") if os.path.basename(p).startswith(jar_name + "-"))
with zipfile.ZipFile(jar) as z, open(target + ".new", "wb") as f:
    f.write(z.read(inside))
os.rename(target + ".new", target)
PY
}

# JVM flags that Kryo and the feature suite need on Java 17.
jvm_opens=()
for package in java.lang java.util java.util.concurrent java.util.concurrent.atomic java.math java.net java.time; do
    jvm_opens+=(--add-opens "java.base/$package=ALL-UNNAMED")
done

# sample_data FILE: prints the path of grateful-dead.json (808 vertices, 8,049 edges) or air-routes.graphml (3,749 and
# 57,645), written once from the data inside TinkerGraph's published jar.
sample_data() {
    local classpath
    if [[ ! -s $cache/data/$1 ]]; then
        classpath=$(maven_classpath conformance "$root/tests/conformance/pom.xml") || return 1
        java -Xmx1g "${jvm_opens[@]}" -cp "$classpath" conformance.DataFiles "$cache/data" >&2 </dev/null || return 1
    fi
    echo "$cache/data/$1"
}

# ---- a server of ours ------------------------------------------------------------------------------

# start_server NAME ARGS...: `hobgoblin serve --port 0 ARGS...` in the background; returns when it is ready and
# sets server_pid and server_port. Its log is .cache/log/NAME.log. It is stopped when the script ends.
start_server() {
    local name=$1 log i
    shift
    mkdir -p "$cache/log"
    log=$cache/log/$name.log
    "$binary" serve --port 0 "$@" >"$log" 2>&1 </dev/null &
    server_pid=$!
    on_exit "stop_server $server_pid"
    for ((i = 0; i < 600; i++)); do
        server_port=$(sed -nE 's/^.*hobgoblin ready on [^ ]*:([0-9]+) in .*$/\1/p' "$log" | head -1)
        [[ -n $server_port ]] && return 0
        kill -0 "$server_pid" 2>/dev/null || break
        sleep 0.1
    done
    tail -20 "$log" >&2
    echo "the server $name did not start (its whole log: $log)" >&2
    return 1
}

# stop_server PID: asks it to end, and kills it when it has not ended after 10 s (then fails).
stop_server() {
    local i
    kill "$1" 2>/dev/null || return 0
    for ((i = 0; i < 100; i++)); do
        kill -0 "$1" 2>/dev/null || return 0
        sleep 0.1
    done
    kill -KILL "$1" 2>/dev/null
    echo "the server with pid $1 did not end 10 s after SIGTERM" >&2
    return 1
}

# ---- counting ------------------------------------------------------------------------------------------

passed_total=0 failed_total=0 failed_names=()

# tally NAME COMMAND...: runs it, shows its output, adds up what it counted: its last line "N passed, N failed", ctest's
# summary, or one check that passed or failed by its exit code.
tally() {
    local name=$1 log started status=0 passed failed
    shift
    mkdir -p "$cache/log"
    log=$cache/log/check-${name//[^A-Za-z0-9._-]/-}.log
    started=$(date +%s)
    note "$name"
    "$@" 2>&1 </dev/null | tee "$log" || status=${PIPESTATUS[0]}
    read -r passed failed < <(counts_of "$log" "$status")
    [[ $status -eq 0 || $failed -gt 0 ]] || failed=1
    passed_total=$((passed_total + passed))
    failed_total=$((failed_total + failed))
    [[ $failed -eq 0 ]] || failed_names+=("$name")
    note "$name: $passed passed, $failed failed in $(($(date +%s) - started)) s"
}

counts_of() {
    awk -v status="$2" '
        /^[0-9]+ passed, [0-9]+ failed/ { passed = $1; failed = $3 + 0; seen = 1 }
        /tests passed, [0-9]+ tests? failed out of [0-9]+/ { failed = $4; passed = $NF - failed; seen = 1 }
        END { if (!seen) { passed = status == 0; failed = status != 0 } print passed + 0, failed + 0 }' "$1"
}

# above_floor SUITE COMMAND...: runs a large outside suite. It counts as one check, which passes when at least as many cases
# passed as tests/floors.tsv has for it (a suite that the file does not name needs all); the suite's own numbers are printed.
above_floor() {
    local suite=$1 log=$cache/log/suite-$1.log floor
    shift
    mkdir -p "$cache/log"
    floor=$(awk -F '\t' -v suite="$suite" '$1 == suite { print $2 }' "$root/tests/floors.tsv")
    tally "$suite" judge_floor "$log" "${floor:-all}" "$@"
}

judge_floor() {
    local log=$1 floor=$2 status=0 passed failed
    shift 2
    ( # a shell of its own: what the suite starts ends with it
        exit_commands=()
        trap run_exit_commands EXIT
        "$@"
    ) >"$log" 2>&1 || status=$?
    tail -40 "$log" | grep -vE '^[0-9]+ passed, [0-9]+ failed' || true
    read -r passed failed < <(counts_of "$log" 1)
    [[ $floor != all ]] || floor=$((passed + failed))
    echo "$passed of $((passed + failed)) passed, $floor have to; everything it printed: $log"
    [[ $status -eq 0 && $passed -ge $floor && $passed -gt 0 ]]
}

# finish: the closing line, and the script's exit code.
finish() {
    [[ ${#failed_names[@]} -eq 0 ]] || note "failed: ${failed_names[*]}"
    echo "$passed_total passed, $failed_total failed"
    [[ $failed_total -eq 0 ]] || exit 1
}
