import type { DataOf } from "../../api/call.ts";
import type { packageInfo } from "../../api/package.ts";

const day = 24 * 3600_000;

/** When the pass would end with so many bought: the host foretells it for one, and each further one adds its days. Null where it cannot be had. */
export function expiryAfter({ info, preview }: DataOf<typeof packageInfo>, quantity: number): string | null {
  if (!preview?.new_expires_at) return null;
  return new Date(Date.parse(preview.new_expires_at) + (quantity - 1) * info.days * day).toISOString();
}
