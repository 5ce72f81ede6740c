// Serves a folder as Netlify does, by its engines of rules, headers and files: node netlify.mjs <folder> <port>

import { createServer } from "node:http";
import { join } from "node:path";
import { parseAllHeaders } from "@netlify/headers-parser";
import { RedirectsHandler } from "@netlify/redirects";
import { StaticHandler } from "@netlify/static";

const [folder = "", port] = process.argv.slice(2);
const rules = new RedirectsHandler({
  configRedirects: [],
  jwtRoleClaim: "",
  jwtSecret: "",
  projectDir: folder,
  publicDir: folder,
});
const files = new StaticHandler({ directory: folder });
const { headers } = await parseAllHeaders({
  headersFiles: [join(folder, "_headers")],
  configHeaders: [],
  minimal: false,
});

/** Returns the response to a request. Files take precedence over rules. */
async function answer(request) {
  const file = await files.match(request);
  if (file) return file.handle();
  const rule = await rules.match(request);
  if (rule?.redirect) return new Response(null, { status: rule.statusCode, headers: { location: toLocation(rule.target) } });
  const target = rule ? rule.target : new URL("/404.html", request.url);
  const page = await files.match(new Request(target));
  const { body, headers } = await page.handle();
  return new Response(body, { status: rule ? rule.statusCode : 404, headers });
}

const toLocation = ({ pathname, search }) => pathname + search;

createServer(async (incoming, outgoing) => {
  try {
    const request = new Request(new URL(incoming.url, `http://localhost:${port}`));
    const { pathname } = new URL(request.url);
    const { status, headers: own, body } = await answer(request);
    const values = headers.filter(({ forRegExp }) => forRegExp.test(pathname)).map((rule) => rule.values);
    outgoing.writeHead(status, { ...Object.fromEntries(own), ...Object.assign({}, ...values) });
    outgoing.end(body && Buffer.from(await new Response(body).arrayBuffer()));
  } catch (error) {
    outgoing.writeHead(error instanceof URIError || error instanceof TypeError ? 400 : 500).end(String(error));
  }
}).listen(Number(port), "127.0.0.1");
