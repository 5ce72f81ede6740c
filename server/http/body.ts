import { codes } from "../../src/api/envelope.ts";
import { ApiError } from "../lib/api-error.ts";

/** Of a request's body, in bytes. */
export const maxBody = 64 * 1024;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads a request's JSON; undefined for an empty body. Throws 413 over 64 KB, 415 for another type, 400 for what is no JSON in UTF-8. */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBytes(request);
  if (bytes.byteLength === 0) return undefined;
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type)) throw fault(415);
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw fault(400);
  }
}

/** A request's body as it came. Throws 413 over 64 KB, 400 where it breaks off. */
export async function readBytes(request: Request): Promise<Buffer> {
  try {
    return await readAll(request);
  } catch (error) {
    // Nothing else but its connection can fail here. Nobody reads the answer; the log has its status.
    throw error instanceof ApiError ? error : fault(400);
  }
}

async function readAll(request: Request): Promise<Buffer> {
  const length = request.headers.get("content-length");
  if (Number(length ?? 0) > maxBody) throw fault(413);
  // Node's parser holds a body to the length that it gave, and reads such a one whole at a fraction of the cost.
  if (length !== null) {
    const bytes = Buffer.from(await request.arrayBuffer());
    if (bytes.byteLength > maxBody) throw fault(413);
    return bytes;
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  // A body without a length is counted as it comes.
  for await (const part of request.body ?? []) {
    size += part.byteLength;
    if (size > maxBody) throw fault(413);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const fault = (status: 400 | 413 | 415) => new ApiError(codes.badParameter, null, status);
