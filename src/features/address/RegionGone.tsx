import type { address as texts } from "#i18n/address.ts";
import type { Address } from "#src/api/address.ts";
import { Button } from "#src/ui/Button.tsx";
import { openForm } from "./AddressDialog.tsx";

interface RegionGoneProps {
  t: Pick<(typeof texts)["zh-CN"], "regionGone">;
  address: Address;
}

/** Marks a saved address whose region has to be chosen again, and opens its form. */
export function RegionGone({ t, address }: RegionGoneProps) {
  return (
    <Button
      className="justify-start text-left text-sm mt-1.5 px-0"
      variant="link"
      size="sm"
      onClick={() => openForm(address.address_id)}
    >
      {t.regionGone}
    </Button>
  );
}
