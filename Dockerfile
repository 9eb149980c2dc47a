FROM node:24-bookworm-slim

# A system user of its own: PostgreSQL does not run as root.
RUN useradd --system --uid 10001 --create-home errata && mkdir /data && chown errata /data
WORKDIR /opt/errata
COPY --chown=errata . .
RUN chown errata /opt/errata
USER errata
RUN node bin/build.mjs

ENV ERRATA_DATA_DIR=/data
VOLUME /data
EXPOSE 9000
# Stopping takes what one digest batch takes: give it 30 seconds.
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=2m --interval=15s CMD ["node", "-e", "fetch(`http://localhost:${process.env.PORT || 9000}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/errata", "serve"]
