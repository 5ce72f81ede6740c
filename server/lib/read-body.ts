/** Reads a body, which is measured while it arrives. Throws the error of `createError` above `maxSize` bytes. */
export async function readBody(body: Request["body"], maxSize: number, createError: () => Error): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxSize) throw createError();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
