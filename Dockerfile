# Two images of one file: `server` (API server, serves the built site) and `site` (a job that builds the site against it).
# compose.yaml runs both; docs/hosting.md shows the commands.
FROM node:24-bookworm-slim AS base
WORKDIR /app
RUN mkdir -p .cache /data /site && chown node:node . .cache /data /site
COPY --chown=node:node package.json package-lock.json ./

FROM base AS site-packages
# The Node package of the lock is for machines without Node 24; the other optional packages are the compilers.
RUN npm ci --ignore-scripts --omit=dev --include=optional --no-audit --no-fund

FROM base AS server-packages
RUN npm ci --ignore-scripts --omit=dev --omit=optional --no-audit --no-fund

FROM base AS site
# The server's /site: Astro builds below the packages, the finished site is renamed within one volume, and the next job finds
# the pictures of this one there.
ENV SITE_DIR=/app/.cache/dist SHOP_CACHE_DIR=/app/.cache/shop ENV_FILE=
VOLUME ["/app/.cache"]
COPY --chown=node:node --from=site-packages /app/node_modules ./node_modules
COPY --chown=node:node . .
USER node
CMD ["node", "scripts/build.ts"]

FROM base AS server
# An address that is no loopback: PAYMENT and SMS must be set, and so must ACTIVATE_NEW_MEMBERS with DATABASE_URL.
ENV HOST=0.0.0.0 PORT=4321 DATA_DIR=/data SITE_DIR=/site/dist ENV_FILE=
COPY --chown=node:node --from=server-packages /app/node_modules ./node_modules
COPY --chown=node:node i18n ./i18n
COPY --chown=node:node src ./src
COPY --chown=node:node server ./server
USER node
VOLUME ["/data", "/site"]
EXPOSE 4321
HEALTHCHECK --interval=5s --timeout=4s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server"]
