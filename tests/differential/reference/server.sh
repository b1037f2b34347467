#!/usr/bin/env bash
# The reference of the comparison: Gremlin Server 3.8.1 with the graphs of graphs.yaml.
#   server.sh run --port PORT --air FILE.graphml        in the foreground; end it with SIGTERM
# GREMLIN_CACHE  jars, resolved through Maven once   (default ${XDG_CACHE_HOME:-~/.cache}/gremlin-reference)
# GREMLIN_WORK   filled-in configuration and log     (default ${TMPDIR:-/tmp}/gremlin-differential)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
version=3.8.1 port=8501 air=
[ "${1:-}" = run ] || { sed -n '2,5p' "$0"; exit 2; }
shift
while [ $# -gt 0 ]; do
  case $1 in
    --port) port=$2; shift 2;;
    --air) air=$(realpath "$2"); shift 2;;
    *) echo "unknown option $1" >&2; exit 2;;
  esac
done
lib=${GREMLIN_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/gremlin-reference}/$version
work=${GREMLIN_WORK:-${TMPDIR:-/tmp}/gremlin-differential}/$port
if [ ! -f "$lib/.complete" ]; then
  mkdir -p "$lib"
  mvn -B -q -f "$here/pom.xml" -Dtinkerpop.version="$version" dependency:copy-dependencies -DoutputDirectory="$lib" -DincludeScope=runtime
  touch "$lib/.complete"
fi
mkdir -p "$work"
cp "$here/tinkergraph.properties" "$here/init.groovy" "$work/"
sed -e "s|@PORT@|$port|" -e "s|@DIR@|$work|g" "$here/server.yaml.in" >"$work/server.yaml"
opens=() # Kryo, which reads the grateful-dead sample, reflects on these when Java is 17 or later
for p in java.lang java.util java.util.concurrent java.util.concurrent.atomic java.math java.net java.time; do
  opens+=(--add-opens "java.base/$p=ALL-UNNAMED")
done
REFERENCE_AIR=$air exec java -Xmx1500m "${opens[@]}" -Dorg.slf4j.simpleLogger.defaultLogLevel=error -cp "$lib/*" \
  org.apache.tinkerpop.gremlin.server.GremlinServer "$work/server.yaml" >"$work/server.log" 2>&1
