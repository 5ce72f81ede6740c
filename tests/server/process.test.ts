// @module-tag full
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { expect, it } from "vitest";
import { contract } from "#src/api/contract.ts";
import { clientAt } from "#tests/support/client/client.ts";
import { describeOnEngines, newPostgres } from "#tests/support/database/database.ts";
import { deliveredTo, newFolder, spawnServer, startServer, withPostgres } from "#tests/support/processes/child-process.ts";

const send = "/v1/VerificationCode/send";

describeOnEngines(
  "the server process on %s",
  (engine) => {
    const environment = async (content: "empty" | "seeded" = "seeded") => {
      if (engine === "PGlite") return { DATA_DIR: newFolder(content) };
      return withPostgres(await newPostgres(content), newFolder());
    };

    it("prints its origin, its durability and the login codes, and accepts the printed code", async () => {
      const env = { ...(await environment("empty")), DEMO: "true" };
      const server = await startServer(env);
      const { port } = new URL(server.origin);
      expect(server.origin).toBe(`http://localhost:${port}`);
      await clientAt(server.origin).send(contract.sendCode, { username: "13800138000" });
      const code = await deliveredTo(env.DATA_DIR, "13800138000");
      const output = server.output();
      expect(output).toContain(server.origin);
      expect(output).toContain(
        engine === "PGlite" ? "not a power cut (fsync is off); before real orders read" : "PostgreSQL at 127.0.0.1",
      );
      expect(output).not.toContain("postgres@");
      expect(output).toContain("13800138001");
      expect(output).toMatch(/^ {2}Payment +sandbox: anyone with a pay code's URL can mark an order as paid; no money moves$/m);
      await expect.poll(server.output).toContain(`Login code for 13800138000: ${code}`);
      const { info } = await clientAt(server.origin).call(contract.login, { username: "demo", verification_code: code });
      expect(info).toMatchObject({ account: "demo", activated: true });
      const outbox = readFileSync(join(env.DATA_DIR, "outbox.jsonl"), "utf8");
      expect(JSON.parse(outbox)).toEqual({ to: "13800138000", code, at: expect.stringMatching(/^\d{4}-.*Z$/) });
      expect(statSync(join(env.DATA_DIR, "outbox.jsonl")).mode & 0o777).toBe(0o600);
      if (engine === "PGlite") expect(statSync(join(env.DATA_DIR, "secret.key")).mode & 0o777).toBe(0o600);
    });

    it("completes a request in flight on SIGTERM and exits with status 0", async () => {
      const env = await environment();
      const server = await startServer(env);
      const { port } = new URL(server.origin);
      const body = JSON.stringify({ goods_uid: "vinyl" });
      const socket = connect(Number(port), "127.0.0.1");
      await once(socket, "connect");
      let response = "";
      socket.setEncoding("utf8").on("data", (text) => (response += text));
      socket.write(
        `POST /v1/goods/info HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
      );
      // The server reads the request: another connection was answered since.
      await fetch(`${server.origin}/healthz`);
      server.child.kill("SIGTERM");
      const isRefused = () => fetch(`${server.origin}/healthz`).then(Boolean, () => "refused");
      await expect.poll(isRefused, { timeout: 5_000 }).toBe("refused");
      socket.write(body.slice(5));
      await once(socket, "close");
      expect(response).toMatch(/^HTTP\/1\.1 200 /);
      expect(response).toContain('"goods_uid":"vinyl"');
      expect((await server.ended).status).toBe(0);
    });

    it("completes requests of disconnected clients before it closes the database", async () => {
      const server = await startServer(await environment());
      const { port } = new URL(server.origin);
      for (let n = 0; n < 100; n += 1) {
        const socket = connect(Number(port), "127.0.0.1");
        socket.on("error", () => {});
        socket.write("GET /v1/activity/info HTTP/1.1\r\nHost: x\r\n\r\n", () => setTimeout(() => socket.destroy(), 20));
      }
      await fetch(`${server.origin}/healthz`);
      await new Promise((resolve) => setTimeout(resolve, 25));
      server.child.kill("SIGTERM");
      const { status, output } = await server.ended;
      expect(status).toBe(0);
      expect(output).not.toContain("failed:");
    });

    it("exits with status 0 on SIGINT, and sessions remain valid after a restart", async () => {
      const env = await environment();
      const first = await startServer(env);
      await clientAt(first.origin).send(contract.sendCode, { username: "13800138000" });
      const verification_code = await deliveredTo(env.DATA_DIR, "13800138000");
      const { token } = await clientAt(first.origin).call(contract.login, { username: "13800138000", verification_code });
      first.child.kill("SIGINT");
      expect((await first.ended).status).toBe(0);
      const second = await startServer(env);
      const { app_response_code } = await clientAt(second.origin).call(contract.userToken, undefined, { token });
      expect(app_response_code).toBe(1);
    });

    it("prints one sentence when its port is in use", async () => {
      const first = await startServer(await environment());
      const { port } = new URL(first.origin);
      const { status, output } = await spawnServer({ ...(await environment()), PORT: port }).ended;
      expect(status).toBe(1);
      expect(output.trim()).toMatch(/^The server could not listen: .*EADDRINUSE.*$/);
    });

    it("returns 400 with an envelope for a malformed request, and 405 for TRACE", async () => {
      const { port } = new URL((await startServer(await environment())).origin);
      const send = async (text: string) => {
        const [head = "", body = ""] = (await exchange(Number(port), text, "end")).split("\r\n\r\n");
        return { status: Number(head.split(" ")[1]), code: JSON.parse(body).code };
      };
      const path = "/v1/user/info";
      for (const text of [
        `GET ${path} HTTP/1.1\r\nHost: a b\r\n\r\n`,
        `GET ${path} HTTP/1.1\r\n\r\n`,
        `GET ${path} HTTP/1.1\r\nHost: x\r\nHost: evil.example\r\n\r\n`,
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nhost: x\r\n\r\n{}`,
        "GET http:// HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /v1\\x HTTP/1.1\r\nHost: x\r\n\r\n",
        `NONSENSE ${path} HTTP/1.1\r\nHost: x\r\n\r\n`,
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n`,
        `GET ${path} HTTP/1.1\r\nHost: x\r\ntoken: ${"x".repeat(20_000)}\r\n\r\n`,
      ]) {
        expect({ text, ...(await send(text)) }).toEqual({ text, status: 400, code: 10002 });
      }
      expect(await send(`TRACE ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toEqual({
        status: 405,
        code: 10006,
      });
    });

    it("returns 417 for an unknown Expect header and 400 for CONNECT, with an envelope", async () => {
      const { port } = new URL((await startServer(await environment())).origin);
      const body = '{"goods_uid":"vinyl"}';
      const post = `POST /v1/goods/info HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
      const get = "GET /v1/goods/allLists HTTP/1.1\r\nHost: x\r\nConnection: close";
      for (const [text, status, code] of [
        [`${get}\r\nExpect: x\r\n\r\n`, 417, 10002],
        [`${post}\r\nExpect: 200-ok\r\n\r\n${body}`, 417, 10002],
        [`${get}\r\nExpect: 100-continue\r\n\r\n`, 100, 1],
        [`${post}\r\nExpect: 100-Continue\r\n\r\n${body}`, 100, 1],
        [`${get}\r\nExpect:\r\n\r\n`, 200, 1],
        ["CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n", 400, 10002],
      ] as const) {
        const response = await exchange(Number(port), text);
        const result = {
          text,
          status: Number(response.split(" ")[1]),
          code: JSON.parse(response.split("\r\n\r\n").at(-1) ?? "").code,
        };
        expect(result).toEqual({ text, status, code });
      }
    });

    it("logs an aborted upload as 400, without a stack", async () => {
      const env = { ...(await environment()), REQUEST_LOG: "stdout" };
      const server = await startServer(env);
      const { port } = new URL(server.origin);
      const head = "POST /v1/goods/info HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
      for (const rest of ['Content-Length: 50\r\n\r\n{"goods', 'Transfer-Encoding: chunked\r\n\r\n7\r\n{"goods\r\n']) {
        const socket = connect(Number(port), "127.0.0.1");
        await once(socket, "connect");
        await new Promise((resolve) => socket.write(head + rest, resolve));
        await fetch(`${server.origin}/healthz`);
        socket.destroy();
      }
      const lines = () => server.output().match(/\{.*\/v1\/goods\/info.*\}/g) ?? [];
      await expect.poll(() => lines().length, { timeout: 10_000 }).toBe(2);
      for (const line of lines()) expect(JSON.parse(line)).toMatchObject({ status: 400, code: 10002 });
      expect(server.output()).not.toContain("failed");
    });

    it("starts on an empty database, with the concert plan", async () => {
      const { origin } = await startServer({ ...(await environment("empty")) });
      const { call } = clientAt(origin);
      await call(contract.getPlan, { id: 1001 });
      expect((await call(contract.goodsLists)).list).toEqual([]);
    });

    it("returns 413 for an endless body and closes the connection", async () => {
      const { origin } = await startServer(await environment());
      const socket = connect(Number(new URL(origin).port), "127.0.0.1");
      socket.on("error", () => {});
      let response = "";
      socket.setEncoding("utf8").on("data", (part) => {
        response += part;
      });
      socket.write(`POST ${send} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`);
      const part = `4000\r\n${"x".repeat(0x4000)}\r\n`;
      const writing = setInterval(() => socket.write(part), 5);
      await expect.poll(() => response, { timeout: 10_000 }).toMatch(/^HTTP\/1\.1 413 /);
      // `once` would reject with the error of a write that comes too late.
      await expect.poll(() => socket.closed, { timeout: 10_000 }).toBe(true);
      clearInterval(writing);
      expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    });
  },
  { onPostgres: "long" },
);

/** Sends raw text, then closes its side or not; resolves with the whole response. */
async function exchange(port: number, text: string, how: "end" | "write" = "write"): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket[how](text);
  return readText(socket);
}
