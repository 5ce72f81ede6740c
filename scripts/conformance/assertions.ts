import * as v from "valibot";
import type { Call } from "../../src/api/call.ts";
import { codes } from "../../src/api/envelope.ts";
import { table } from "../../src/api/table.ts";
import { brief, type Response, unfit } from "./client.ts";
import { assert, type Row, runCheck, Skipped } from "./outcome.ts";

export const isSessionCall = ({ access }: Call) => access === "session";
const known = new Set<number>(Object.values(codes));
const statuses = new Map([
  [400, codes.badParameter],
  [404, codes.notFound],
  [405, codes.notAllowed],
  [413, codes.badParameter],
  [415, codes.badParameter],
  [417, codes.badParameter],
  [429, codes.tooFrequent],
  [500, codes.internal],
  [503, codes.unavailable],
]);
/** What slips out of a host that shows its inside. */
const inside =
  /\bat \S+ \(|node_modules|\b(select|insert|update|delete)\b.+\b(from|into|set|where)\b|\/(home|usr|var|srv|app)\/|Error:/i;

/** What holds for every answer that was seen, whatever was asked. */
const always: [says: string, faultOf: (seen: Response) => string | null][] = [
  ["every answer is an envelope of code, msg and data", ({ envelope }) => (envelope ? null : "no envelope")],
  [
    "every answer is sent as JSON",
    ({ headers }) =>
      /^application\/json\b/.test(headers.get("content-type") ?? "") ? null : `content type ${headers.get("content-type")}`,
  ],
  ["every msg says something, and nothing of the host's inside", ({ envelope }) => faultOfMessage(envelope?.msg ?? "")],
  [
    "every code is one of the contract",
    ({ envelope }) => (envelope && !known.has(envelope.code) ? `code ${envelope.code}` : null),
  ],
  [
    "outcomes travel with HTTP 200, faults of transport with their status and code",
    ({ status, envelope }) =>
      status === 200 || !envelope || statuses.get(status) === envelope.code ? null : `HTTP ${status} with ${envelope.code}`,
  ],
  [
    "no answer is kept by a cache on its way",
    ({ headers }) => (/public/.test(headers.get("cache-control") ?? "") ? "a public cache may keep it" : null),
  ],
];

function faultOfMessage(msg: string): string | null {
  if (msg.trim() === "") return "an empty msg";
  return inside.test(msg) ? `msg "${msg.slice(0, 80)}"` : null;
}

/** The rows about all answers together. */
export async function runAssertions(seen: Response[]): Promise<Row[]> {
  const rows = always.map(([says, faultOf]) =>
    runCheck("envelope", says, () => {
      for (const one of seen) {
        const fault = faultOf(one);
        assert(!fault, `${one.method} ${one.path}: ${fault}, in ${brief(one.status, one.text)}`);
      }
    }),
  );
  return [
    ...(await Promise.all(rows)),
    ...(await Promise.all(Object.values<Call>(table).map((call) => judgeCall(call, seen)))),
  ];
}

/** The row of one call: every answer of it that was seen has the right types, and no code that it does not have. */
function judgeCall(call: Call, seen: Response[]): Promise<Row> {
  const own = seen.filter(({ path, method, envelope }) => path === call.path && method === call.method && envelope);
  const good = own.filter(({ envelope }) => envelope?.code === codes.success);
  return runCheck("types", `${call.method} ${call.path}`, () => {
    for (const { envelope } of good) {
      const read = v.safeParse(call.data, envelope?.data);
      if (!read.success) throw new Error(unfit(read.issues[0]));
    }
    const names = [
      "success",
      "sessionInvalid",
      "badParameter",
      "tooFrequent",
      "internal",
      "unavailable",
      ...call.errors,
    ] as const;
    const own200 = own.filter(({ status }) => status === 200);
    const odd = own200.find(({ envelope }) => !names.some((name) => codes[name] === envelope?.code));
    assert(!odd, `it was refused with ${odd?.envelope?.code}, which is none of its codes`);
    for (const { envelope } of own)
      assert(faultOfData(envelope?.code ?? 0, envelope?.data) === null, `${faultOfData(envelope?.code ?? 0, envelope?.data)}`);
    if (good.length === 0) throw new Skipped("it never answered with success");
  });
}

/** What a refusal carries besides its code. */
function faultOfData(code: number, data: unknown): string | null {
  const held = Object(data);
  if (code === codes.tooFrequent && !(Number.isInteger(held.retry_after) && held.retry_after > 0))
    return "10004 without data.retry_after in seconds";
  if (code === codes.priceChanged && !Number.isInteger(held.pay_fen)) return "30003 without data.pay_fen";
  if (code === codes.sessionInvalid && data !== null) return "10001 with data";
  return null;
}
