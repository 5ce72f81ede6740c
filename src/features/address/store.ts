import { atom, computed, onMount } from "nanostores";
import { type Address, addressAdd, addressDel, addressLists, addressUp } from "#src/api/address.ts";
import type { PayloadOf } from "#src/api/call.ts";
import { $token, send } from "#src/api/client.ts";
import { type ResourceStore, resource } from "#src/lib/resource.ts";

export type AddressFields = PayloadOf<typeof addressAdd>;

/** Addresses per member; the server's limit. */
export const maxAddresses = 20;

/** The member's addresses, the default first. A failure keeps the caught error: islands convert it with `toProblem`. */
export const addresses: ResourceStore<Address[], unknown> = resource(
  async () => (await send(addressLists)).list,
  (error) => error,
);
/** Whether the address choice has left its loading state. The checkout waits for it: both appear together. */
export const $choiceReady = atom(false);

onMount(addresses.$state, () => $token.listen(() => void addresses.reset()));

function loadedAddresses(): Address[] {
  const current = addresses.$state.get();
  return current.state === "ready" ? current.data : [];
}

let last: Promise<unknown> = Promise.resolve();
/** Runs changes one after the other: each response holds the whole list, and an older one must not replace a newer one. */
function enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = last.catch(() => {}).then(work);
  last = result;
  return result;
}

/** The form shows failures itself; an expired session still leads to login. */
const formOptions = { notify: false, isUserAction: true };

/** Adds an address, or changes the one with this id, and returns it. Rejects as `send` does, without a notification. */
export function save(fields: AddressFields, address_id?: string): Promise<Address | undefined> {
  return enqueue(async () => {
    const before = new Set(loadedAddresses().map((address) => address.address_id));
    const { list } = await (address_id
      ? send(addressUp, { address_id, ...fields }, formOptions)
      : send(addressAdd, fields, formOptions));
    addresses.set(list);
    return list.find((address) => (address_id ? address.address_id === address_id : !before.has(address.address_id)));
  });
}

export function makeDefault({ address_id, name, mobile, region_code, detail }: Address): Promise<void> {
  return enqueue(async () => {
    const { list } = await send(addressUp, { address_id, name, mobile, region_code, detail, is_default: true });
    addresses.set(list);
  });
}

export function remove({ address_id }: Address): Promise<void> {
  return enqueue(async () => addresses.set((await send(addressDel, { address_id })).list));
}

/** Undoes `remove`: adds the address under a new id, as default if it was. Rejects without a notification. */
export function restore({ name, mobile, region_code, detail, is_default }: Address): Promise<void> {
  return enqueue(async () => {
    addresses.set((await send(addressAdd, { name, mobile, region_code, detail, is_default }, formOptions)).list);
  });
}

const $chosenId = atom("");

/** The address of an order: the chosen one while it exists, else the default; null without addresses, and where it needs its region. */
export const $chosen = computed([addresses.$state, $chosenId], (current, chosenId): Address | null => {
  if (current.state !== "ready") return null;
  const address = current.data.find(({ address_id }) => address_id === chosenId) ?? current.data[0];
  return address && !address.needs_region ? address : null;
});

export function choose(address_id: string): void {
  $chosenId.set(address_id);
  $addressRequired.set(0);
}

/** How often an order was submitted without an address; the address choice shows the error. */
export const $addressRequired = atom(0);

export function requireAddress(): void {
  $addressRequired.set($addressRequired.get() + 1);
}
