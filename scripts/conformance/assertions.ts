import * as v from "valibot";
import type { Call } from "../../src/api/call.ts";
import { contract } from "../../src/api/contract.ts";
import { codes } from "../../src/api/envelope.ts";
import { assert, CheckSkipped, formatIssue, formatResponse, type Response, type Row, runCheck } from "./client.ts";

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
/** Text that reveals the internals of a server. */
const internalsPattern =
  /\bat \S+ \(|node_modules|\b(select|insert|update|delete)\b.+\b(from|into|set|where)\b|\/(home|usr|var|srv|app)\/|Error:/i;

/** Rules for every response. */
const responseRules: [title: string, findFault: (response: Response) => string | null][] = [
  ["every response is an envelope of code, msg and data", ({ envelope }) => (envelope ? null : "no envelope")],
  [
    "every response has the content type of JSON",
    ({ headers }) =>
      /^application\/json\b/.test(headers.get("content-type") ?? "") ? null : `content type ${headers.get("content-type")}`,
  ],
  ["every msg has text and reveals no internals of the server", ({ envelope }) => findMessageFault(envelope?.msg ?? "")],
  [
    "every code is in the contract",
    ({ envelope }) => (envelope && !contractCodes.has(envelope.code) ? `code ${envelope.code}` : null),
  ],
  [
    "results have HTTP 200, transport errors their status and code",
    ({ status, envelope }) =>
      status === 200 || !envelope || statuses.get(status) === envelope.code ? null : `HTTP ${status} with ${envelope.code}`,
  ],
  [
    "no response may be cached publicly",
    ({ headers }) => (/public/.test(headers.get("cache-control") ?? "") ? "Cache-Control allows public caches" : null),
  ],
];

function findMessageFault(msg: string): string | null {
  if (msg.trim() === "") return "an empty msg";
  return internalsPattern.test(msg) ? `msg "${msg.slice(0, 80)}"` : null;
}

/** Returns the rows about all responses. */
export async function runAssertions(responses: Response[]): Promise<Row[]> {
  const rows = responseRules.map(([title, findFault]) =>
    runCheck("envelope", title, () => {
      for (const response of responses) {
        const fault = findFault(response);
        assert(!fault, `${response.method} ${response.path}: ${fault}, in ${formatResponse(response.status, response.text)}`);
      }
    }),
  );
  return [
    ...(await Promise.all(rows)),
    ...(await Promise.all(Object.values<Call>(contract).map((call) => checkCall(call, responses)))),
  ];
}

/** Returns the row of one call: all its responses have the right types and only its codes. */
function checkCall(call: Call, responses: Response[]): Promise<Row> {
  const callResponses = responses.filter(
    ({ path, method, envelope }) => path === call.path && method === call.method && envelope,
  );
  const successes = callResponses.filter(({ envelope }) => envelope?.code === codes.success);
  return runCheck("types", `${call.method} ${call.path}`, () => {
    for (const { envelope } of successes) {
      const parsed = v.safeParse(call.data, envelope?.data);
      if (!parsed.success) throw new Error(formatIssue(parsed.issues[0]));
    }
    const allowed = [
      "success",
      "sessionInvalid",
      "badParameter",
      "tooFrequent",
      "internal",
      "unavailable",
      ...call.errors,
    ] as const;
    const resultResponses = callResponses.filter(({ status }) => status === 200);
    const unexpected = resultResponses.find(({ envelope }) => !allowed.some((name) => codes[name] === envelope?.code));
    assert(!unexpected, `returned ${unexpected?.envelope?.code}, which is none of its codes`);
    for (const { envelope } of callResponses)
      assert(
        findDataFault(envelope?.code ?? 0, envelope?.data) === null,
        `${findDataFault(envelope?.code ?? 0, envelope?.data)}`,
      );
    if (successes.length === 0) throw new CheckSkipped("the call never returned success");
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
