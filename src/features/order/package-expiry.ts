import type { DataOf } from "../../api/call.ts";
import type { packageInfo } from "../../api/package.ts";

const day = 24 * 3600_000;

/** Returns when a membership would end after buying `quantity` packages: the server previews one, and each further one adds its days. Null where the package cannot be bought. */
export function getExpiryAfter({ info, preview }: DataOf<typeof packageInfo>, quantity: number): string | null {
  if (!preview?.new_expires_at) return null;
  return new Date(Date.parse(preview.new_expires_at) + (quantity - 1) * info.days * day).toISOString();
}
