# Any Debian-like base with Node >= 22.19 will do. For a release, pin it: --build-arg BASE=node:24-slim@sha256:…
ARG BASE=node:24-slim

FROM ${BASE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# The optional packages only bring a Node binary for machines with an older one: here the base has its own.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM ${BASE} AS runtime
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="recapd" \
      org.opencontainers.image.description="Summaries of long AI-agent sessions over HTTP" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# Environment wins over a config file, so these two are where the container listens, whatever a mounted file says.
# The service refuses to start on 0.0.0.0 without API keys, unless RECAPD_AUTH=none says that this is meant.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8484
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json package-lock.json openapi.yaml ./
COPY prompts ./prompts
# Node runs the TypeScript as it is: there is nothing to build.
COPY src ./src
# A number, not a name: Kubernetes checks runAsNonRoot without reading /etc/passwd. Files stay root's: the service cannot change itself.
USER 65532:65532
EXPOSE 8484
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8484}/livez`, { signal: AbortSignal.timeout(2000) }).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# No tini: recapd handles SIGTERM itself and starts threads, never processes.
CMD ["node", "src/main.ts"]
