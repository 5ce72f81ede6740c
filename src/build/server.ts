import { once } from "node:events";
import { awaitsServerVariable } from "./files.ts";

/** Waits for the origin of the server where a build was begun without, and sets it for all that asks the server; ends with whoever began it. */
export async function awaitServer(): Promise<void> {
  if (!process.env[awaitsServerVariable] || process.env.BUILD_API_ORIGIN) return;
  const exit = () => process.exit(1);
  process.once("disconnect", exit);
  const [origin] = await once(process, "message");
  process.env.BUILD_API_ORIGIN = origin;
  process.off("disconnect", exit);
  // The channel would keep the build from ending.
  process.disconnect();
}
