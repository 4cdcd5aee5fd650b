# One gateway. Build from the repository's root: docker build -t flowgate:0.1.0 .
# It runs as a user without rights on a read-only root file system; only SQLite needs a volume, at /var/lib/flowgate.

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages packages
COPY apps/gateway/package.json apps/gateway/
COPY apps/cli/package.json apps/cli/
COPY client/package.json client/
# No package's script runs: Bun's binary lies in the package of its platform, where bin/flowgate finds it. viem's types would bring the compiler along.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace apps/gateway --workspace apps/cli \
 && mkdir -p apps/gateway/node_modules apps/cli/node_modules \
 && rm -rf node_modules/typescript node_modules/@typescript \
 && set -- node_modules/@oven/bun-*/bin/bun \
 && ln -sf "../${1#node_modules/}" node_modules/.bin/bun \
 && node_modules/.bin/bun --version

# The console is built to one file; none of its packages is in the image.
FROM node:24-bookworm-slim AS console
WORKDIR /app
COPY package.json package-lock.json ./
COPY client/package.json client/
COPY apps/console/package.json apps/console/
RUN npm ci --ignore-scripts --no-audit --no-fund --workspace apps/console --include-workspace-root
COPY client client
COPY apps/console apps/console
COPY scripts scripts
RUN node_modules/@oven/bun-*/bin/bun scripts/build-console.mjs

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Flowgate" \
      org.opencontainers.image.description="The gateway in front of blockchains" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="0.1.0"
RUN groupadd --gid 10001 flowgate \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /var/lib/flowgate --shell /usr/sbin/nologin flowgate \
 && install -d -o flowgate -g flowgate -m 0700 /var/lib/flowgate \
 && install -d -m 0755 /etc/flowgate
COPY --from=packages /app/node_modules /app/node_modules
COPY --from=packages /app/packages /app/packages
COPY package.json /app/
COPY apps/gateway /app/apps/gateway
COPY apps/cli /app/apps/cli
COPY client /app/client
COPY --from=console /app/apps/gateway/console /app/apps/gateway/console
# What npm did not place at the root, because something there has another version: often nothing.
COPY --from=packages /app/apps/gateway/node_modules /app/apps/gateway/node_modules
COPY --from=packages /app/apps/cli/node_modules /app/apps/cli/node_modules
COPY deploy/container/with-secrets /app/bin/with-secrets
# Bun would keep compiled sources in the home directory, which is not writable.
ENV NODE_ENV=production \
    BUN_RUNTIME_TRANSPILER_CACHE_PATH=0 \
    PATH=/app/bin:/app/node_modules/.bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
WORKDIR /var/lib/flowgate
USER 10001:10001
EXPOSE 8080
STOPSIGNAL SIGTERM
# Alive, not ready: a restart cures no outage of the database or the issuer.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["with-secrets", "flowgate", "healthcheck", "/etc/flowgate/flowgate.yaml"]
# Both replace themselves, so that signals reach the gateway.
ENTRYPOINT ["with-secrets", "flowgate"]
CMD ["start", "--config", "/etc/flowgate/flowgate.yaml"]
