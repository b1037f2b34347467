# syntax=docker/dockerfile:1
# A standalone HBase and its Thrift2 gateway in one container, from the published jars, started by the script that the
# tests use (scripts/hbase). Popular HBase images start the Thrift 1 gateway, which hobgoblin cannot use.
#   docker build -f docker/hbase.Dockerfile -t hobgoblin-hbase .

FROM debian:bookworm-slim AS jars
RUN apt-get update \
    && apt-get install -y --no-install-recommends openjdk-17-jre-headless maven \
    && rm -rf /var/lib/apt/lists/*
ENV HOBGOBLIN_CACHE=/opt/hbase
COPY scripts/hbase /opt/scripts/hbase
COPY scripts/hbase.d /opt/scripts/hbase.d
RUN --mount=type=cache,target=/root/.m2 /opt/scripts/hbase jars

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="hobgoblin-hbase" \
      org.opencontainers.image.description="Standalone HBase with its Thrift2 gateway, for trying hobgoblin on HBase"
RUN apt-get update \
    && apt-get install -y --no-install-recommends openjdk-17-jre-headless \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 65532 hbase \
    && useradd --uid 65532 --gid 65532 --home-dir /var/lib/hbase --shell /usr/sbin/nologin hbase \
    && install -d -o 65532 -g 65532 /var/lib/hbase
ENV HOBGOBLIN_CACHE=/opt/hbase
COPY scripts/hbase /opt/scripts/hbase
COPY scripts/hbase.d /opt/scripts/hbase.d
COPY --from=jars --chown=65532:65532 /opt/hbase /opt/hbase
USER 65532:65532
WORKDIR /var/lib/hbase
VOLUME /var/lib/hbase
EXPOSE 9090
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=5s --start-period=90s --retries=3 CMD ["/bin/bash", "-c", "/opt/scripts/hbase status --dir /var/lib/hbase && exec 3<>/dev/tcp/127.0.0.1/9090"]
ENTRYPOINT ["/opt/scripts/hbase"]
CMD ["run", "--dir", "/var/lib/hbase", "--host", "0.0.0.0", "--port", "9090"]
