import type { addressBook as texts } from "../../../i18n/address.ts";
import { fill } from "../../../i18n/catalogue.ts";
import type { Address } from "../../api/address.ts";
import { add } from "../notification/store.ts";
import { remove, restore } from "./store.ts";

type Texts = Pick<(typeof texts)["zh-CN"], "removed" | "undo" | "notRestored" | "again">;

/** Deletes an address and offers undo for 10 s. A failed undo shows a notification that retries it. */
export async function removeWithUndo(address: Address, t: Texts): Promise<void> {
  await remove(address);
  const values = { name: address.name };
  const undo = () =>
    void restore(address).catch(() => {
      add({
        title: fill(t.notRestored, values),
        color: "error",
        timeout: 0,
        actions: [{ label: t.again, click: undo }],
      });
    });
  add({ title: fill(t.removed, values), timeout: 10_000, actions: [{ label: t.undo, click: undo }] });
}
