// Apart from picture.ts, as pages whose code names a tint have the palette in their styles.

const tint = /^\/pictures\/[0-9a-f]{12}\.(\w+)[./]/;

/** Returns the class that puts a picture's dominant colour behind it. */
export function toTint(url: string): string | undefined {
  const name = tint.exec(url)?.[1];
  return name && name !== "none" ? `tint-${name}` : undefined;
}
