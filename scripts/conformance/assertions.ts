import * as v from "valibot";
import type { Call } from "../../src/api/call.ts";
import { codes } from "../../src/api/envelope.ts";
import { table } from "../../src/api/table.ts";
import { brief, formatIssue, type Response } from "./client.ts";
import { assert, type Row, runCheck, Skipped } from "./outcome.ts";

export const isSessionCall = ({ access }: Call) => access === "session";
const contractCodes = new Set<number>(Object.values(codes));
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
/** Text that reveals the inside of a server. */
const inside =
  /\bat \S+ \(|node_modules|\b(select|insert|update|delete)\b.+\b(from|into|set|where)\b|\/(home|usr|var|srv|app)\/|Error:/i;

/** Rules for every response. */
const responseRules: [title: string, faultOf: (seen: Response) => string | null][] = [
  ["every answer is an envelope of code, msg and data", ({ envelope }) => (envelope ? null : "no envelope")],
  [
    "every answer is sent as JSON",
    ({ headers }) =>
      /^application\/json\b/.test(headers.get("content-type") ?? "") ? null : `content type ${headers.get("content-type")}`,
  ],
  ["every msg says something, and nothing of the host's inside", ({ envelope }) => findMessageFault(envelope?.msg ?? "")],
  [
    "every code is one of the contract",
    ({ envelope }) => (envelope && !contractCodes.has(envelope.code) ? `code ${envelope.code}` : null),
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

function findMessageFault(msg: string): string | null {
  if (msg.trim() === "") return "an empty msg";
  return inside.test(msg) ? `msg "${msg.slice(0, 80)}"` : null;
}

/** Returns the rows about all responses. */
export async function runAssertions(seen: Response[]): Promise<Row[]> {
  const rows = responseRules.map(([title, faultOf]) =>
    runCheck("envelope", title, () => {
      for (const one of seen) {
        const fault = faultOf(one);
        assert(!fault, `${one.method} ${one.path}: ${fault}, in ${brief(one.status, one.text)}`);
      }
    }),
  );
  return [
    ...(await Promise.all(rows)),
    ...(await Promise.all(Object.values<Call>(table).map((call) => checkCall(call, seen)))),
  ];
}

/** Returns the row of one call: all its responses have the right types and only its codes. */
function checkCall(call: Call, seen: Response[]): Promise<Row> {
  const own = seen.filter(({ path, method, envelope }) => path === call.path && method === call.method && envelope);
  const good = own.filter(({ envelope }) => envelope?.code === codes.success);
  return runCheck("types", `${call.method} ${call.path}`, () => {
    for (const { envelope } of good) {
      const read = v.safeParse(call.data, envelope?.data);
      if (!read.success) throw new Error(formatIssue(read.issues[0]));
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
      assert(
        findDataFault(envelope?.code ?? 0, envelope?.data) === null,
        `${findDataFault(envelope?.code ?? 0, envelope?.data)}`,
      );
    if (good.length === 0) throw new Skipped("it never answered with success");
  });
}

/** Returns what is wrong with the data of an error. */
function findDataFault(code: number, data: unknown): string | null {
  const fields = Object(data);
  if (code === codes.tooFrequent && !(Number.isInteger(fields.retry_after) && fields.retry_after > 0))
    return "10004 without data.retry_after in seconds";
  if (code === codes.priceChanged && !Number.isInteger(fields.pay_fen)) return "30003 without data.pay_fen";
  if (code === codes.sessionInvalid && data !== null) return "10001 with data";
  return null;
}
