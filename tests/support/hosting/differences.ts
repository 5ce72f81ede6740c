import { readGuide } from "./web-servers.ts";

/** In the order of the columns. */
const hosts = ["server", "nginx", "Cloudflare Pages", "Netlify"] as const;
export type HostName = (typeof hosts)[number];

interface Difference {
  method: string;
  target: string;
  /** Status of the response; null where the table has none. */
  status: number | null;
}

/** Returns the rows of docs/hosting.md about requests that hosts answer in different ways, with the statuses of one host. */
export function readDifferences(host: HostName): Difference[] {
  const rows = readGuide().matchAll(/^\| `(?:([A-Z]+) )?(\/\S*)`[^|]*\|([^|]*\|[^|]*\|[^|]*\|[^|]*)\|$/gm);
  return Array.from(rows, ([, method = "GET", target = "", cells = ""]) => {
    const digits = /\d{3}/.exec(cells.split("|")[hosts.indexOf(host)] ?? "")?.[0];
    return { method, target, status: digits ? Number(digits) : null };
  });
}
