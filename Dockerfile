# The image of Errata: every role, and the embedded stores. docs/containers.md says how to run it.
# Bases are arguments, so that a mirror or an image of your own can stand in for them. No step depends on the architecture.
ARG NODE_IMAGE=docker.io/library/node:24.21.0-trixie-slim
ARG BASE_IMAGE=docker.io/library/debian:trixie-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /opt/errata
# Apart from the sources, so that a change of these installs nothing again.
COPY package.json package-lock.json .npmrc ./
COPY bin/lib ./bin/lib
RUN ["node", "--input-type=module", "--eval", "import { ensureInstalled } from './bin/lib/ensure-installed.mjs'; ensureInstalled(console.log, 'build')"]
COPY LICENSE next.config.mjs postcss.config.mjs tsconfig.json ./
COPY bin ./bin
COPY src ./src
RUN ["node", "bin/build.mjs"]
COPY docs ./docs

FROM ${BASE_IMAGE}
ARG VERSION=unreleased
LABEL org.opencontainers.image.title="Errata" \
      org.opencontainers.image.description="A self-hosted error monitor for teams that use Sentry SDKs" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}"
# The program belongs to root: the user who runs it can only write to /data and /tmp. PostgreSQL wants a user with a name.
RUN groupadd --gid 10001 errata \
 && useradd --uid 10001 --gid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin errata \
 && install --directory --owner=10001 --group=10001 --mode=0750 /data
COPY --from=build /opt/errata /opt/errata
# The Node that the lockfile names; npm installs only that of this architecture.
RUN ln -s /opt/errata/node_modules/node-linux-*/bin/node /usr/local/bin/node \
 && ln -s /opt/errata/bin/errata /usr/local/bin/errata

ENV ERRATA_DATA_DIR=/data
WORKDIR /opt/errata
VOLUME /data
EXPOSE 9000
USER 10001:10001
# Stopping takes what one digest batch takes: give it 30 seconds.
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=3m --interval=15s --timeout=10s CMD ["node", "/opt/errata/bin/is-healthy.mjs"]
ENTRYPOINT ["errata"]
CMD ["serve"]
