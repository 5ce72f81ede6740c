import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";

// An empty handler: the floor for the measurements of the API server.
const app = new Hono();
app.all("*", (c) => c.json({ code: 1, msg: "", data: {} }));
const server = createAdaptorServer({ fetch: app.fetch });
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ listening: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}` });
});
