import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { maskPath } from "../../server/http/request-log.ts";
import { engines, newPostgres } from "../support/database.ts";
import { home, newRequest } from "../support/order.ts";
import { clearUp, deliveredTo, newFolder, startServer, withPostgres } from "../support/server-process.ts";

afterEach(clearUp);

interface Line {
  at: string;
  id: string;
  method: string;
  path: string;
  status: number;
  code: number | null;
  ms: number;
}

describe.each(engines.flatMap((engine) => (["file", "stdout"] as const).map((to) => [engine, to] as const)))(
  "the request log on %s (%s)",
  (engine, REQUEST_LOG) => {
    it("contains one line per request with its x-request-id and no personal data", async () => {
      const DATA_DIR = newFolder(engine === "PGlite" ? "seeded" : "empty");
      const env = engine === "PGlite" ? { DATA_DIR } : withPostgres(await newPostgres(), DATA_DIR);
      const server = await startServer({ ...env, REQUEST_LOG });
      const answered: string[] = [];
      const say = async (path: string, body?: unknown, token = "", headers = {}) => {
        const written = typeof body === "string" ? body : JSON.stringify(body);
        const answer = await fetch(server.origin + path, {
          method: body === undefined ? "GET" : "POST",
          headers: { "content-type": "application/json", token, ...headers },
          ...(written === undefined ? {} : { body: written }),
          redirect: "manual",
        });
        answered.push(answer.headers.get("x-request-id") ?? "");
        const text = await answer.text();
        return text.startsWith("{") ? JSON.parse(text).data : null;
      };
      const mobile = "13800138000";
      await say("/v1/VerificationCode/send", { username: mobile });
      const verification_code = await deliveredTo(DATA_DIR, mobile);
      const { token } = await say("/v1/user/vcodeLogin", { username: mobile, verification_code });
      const { list } = await say("/v1/address/add", { ...home, name: "欧阳小满", detail: "龙腾大道 1 号" }, token);
      const { address_id } = list[0];
      const wanted = { goods_uid: "tote", sku_uid: "tote", quantity: 1, address_id, expected_pay_fen: 11_000, note: "轻放" };
      const { order_sn } = await say("/v1/mall/createOrder", { ...wanted, client_request_id: newRequest() }, token);
      const { link } = await say("/v1/mall/genMiniProgramCodeBySn", { order_sn }, token);
      const cashier = new URL(link).pathname;
      await say(cashier, "action=pay", "", { "content-type": "application/x-www-form-urlencoded" });
      const { app_user_token } = await say("/v1/marsx/userToken", {}, token);
      for (const secret of [mobile, verification_code, token, order_sn, address_id, app_user_token]) {
        await say(`/${secret}`);
        await say(`/v1/${secret}/x?y=${secret}`);
        await say(`/v1/goods/allLists?who=${secret}`, undefined, secret);
        await say(`/user/order/${secret}`);
        await say("/v1/mall/orderInfo", { order_sn: secret }, token);
        await say("/v1/mall/orderInfo", `{"order_sn": "${secret}`, secret, { "user-agent": secret });
      }
      server.child.kill("SIGTERM");
      const { output } = await server.ended;
      const file = join(DATA_DIR, "requests.jsonl");
      if (REQUEST_LOG === "file") expect(statSync(file).mode & 0o777).toBe(0o600);
      const log = (REQUEST_LOG === "file" ? readFileSync(file, "utf8") : output)
        .split("\n")
        .filter((line) => line.startsWith("{"));
      if (REQUEST_LOG === "file") expect(output).not.toContain("{");
      const lines: Line[] = log.map((line) => JSON.parse(line));
      expect(lines.map(({ id }) => id).sort()).toEqual([...answered].sort());
      for (const line of lines) {
        expect(Object.keys(line)).toEqual(["at", "id", "method", "path", "status", "code", "ms"]);
        expect(line.at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
        expect(line.ms).toBeGreaterThanOrEqual(0);
      }
      const logged = (wanted: Partial<Line>) => expect(lines).toContainEqual(expect.objectContaining(wanted));
      logged({ method: "POST", path: "/v1/user/vcodeLogin", status: 200, code: 1 });
      logged({ method: "POST", path: "/v1/mall/orderInfo", status: 200, code: 10003 });
      logged({ method: "POST", path: "/v1/mall/orderInfo", status: 400, code: 10002 });
      logged({ method: "POST", path: "/cashier/:", status: 303, code: null });
      logged({ method: "GET", path: "/v1/:/x", status: 404, code: 10003 });
      logged({ method: "GET", path: "/user/order/:", code: null });
      const parts = [
        "欧阳小满",
        "龙腾大道",
        "轻放",
        mobile,
        verification_code,
        token,
        order_sn,
        address_id,
        app_user_token,
        cashier,
      ];
      for (const part of parts) expect(log.join("\n")).not.toContain(part);
      // The code is still where somebody looks for it.
      expect(output).toContain(`Login code for ${mobile}: ${verification_code}`);
    });
  },
);

describe("maskPath", () => {
  it.each([
    ["/v1/mall/orderInfo", "/v1/mall/orderInfo"],
    ["/", "/"],
    ["/en-US/news/2026-tour", "/en-US/news/2026-tour"],
    ["/user/order/M2601020304050000000A", "/user/order/:"],
    ["/138-0013-8000", "/:"],
    ["/%31%33%38%30%30%31", "/:"],
    ["/欧阳", "/:"],
    ["/x'%20or%201=1", "/:"],
    [`/${"a".repeat(33)}`, "/:"],
    ["/a//b", "/a//b"],
  ])("logs %s as %s", (path, open) => {
    expect(maskPath(path)).toBe(open);
  });

  it("limits a path to 300 characters", () => {
    expect(maskPath("/a".repeat(10_000)).length).toBeLessThanOrEqual(300);
  });
});
