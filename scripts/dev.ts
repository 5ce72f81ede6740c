import { endChildren, ended, endOnSignal, startNode } from "./child.ts";
import { startHost } from "./host.ts";

// `npm run dev`: the host on PORT + 1 and Astro on PORT, which hands the host's paths on to it; both follow every change.
endOnSignal();
const port = Number(process.env.PORT || 4321);
if (!(port > 0 && port < 65_535)) {
  console.error(`PORT must be a number from 1 to 65534 here, as the host takes the next one: ${process.env.PORT}`);
  process.exit(1);
}
const site = `http://localhost:${port}`;
const host = await startHost(
  { PORT: String(port + 1), HOST_ORIGIN: process.env.HOST_ORIGIN ?? site, SITE_ORIGINS: process.env.SITE_ORIGINS ?? site },
  { nodeArgs: ["--watch", "--watch-preserve-output"] },
);
if ("status" in host) process.exit(host.status || 1);

const astro = startNode(
  ["node_modules/astro/bin/astro.mjs", "dev", "--port", String(port)],
  { DEV_HOST: host.origin, BUILD_API_ORIGIN: host.origin, ASTRO_TELEMETRY_DISABLED: "1" },
  "inherit",
);
const { status } = await Promise.race([ended(astro), host.ended]);
await endChildren();
process.exit(status);
