import { atom, computed, onMount } from "nanostores";
import { type Address, addressAdd, addressDel, addressLists, addressUp } from "../../api/address.ts";
import type { PayloadOf } from "../../api/call.ts";
import { $token, send } from "../../api/client.ts";
import { type ResourceStore, resource } from "../../lib/resource.ts";

export type Fields = PayloadOf<typeof addressAdd>;

/** So many a member may have. */
export const most = 20;

/** The member's addresses, the default first. A failure is kept as it was caught, for `problemOf`. */
export const addresses: ResourceStore<Address[], unknown> = resource(
  async () => (await send(addressLists)).list,
  (caught) => caught,
);
/** The choice stands on the page, or why there is none. What is ordered waits for it, so that the page comes in one piece. */
export const $choosable = atom(false);

onMount(addresses.$state, () => $token.listen(() => void addresses.reset()));

function listed(): Address[] {
  const now = addresses.$state.get();
  return now.state === "ready" ? now.data : [];
}

let last: Promise<unknown> = Promise.resolve();
/** One change after the other: each is answered with the whole list, and an older answer must not undo a newer one. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const mine = last.catch(() => {}).then(work);
  last = mine;
  return mine;
}

/** What the form draws itself; a session that is over still leads to login. */
const drawn = { notify: false, acted: true };

/** Adds an address, or changes the one with an id. Rejects as `send` does, without a notification. */
export function save(fields: Fields, address_id?: string): Promise<Address | undefined> {
  return inTurn(async () => {
    const known = new Set(listed().map((one) => one.address_id));
    const { list } = await (address_id ? send(addressUp, { address_id, ...fields }, drawn) : send(addressAdd, fields, drawn));
    addresses.set(list);
    return list.find((one) => (address_id ? one.address_id === address_id : !known.has(one.address_id)));
  });
}

export function makeDefault({ address_id, name, mobile, region_code, detail }: Address): Promise<void> {
  return inTurn(async () => {
    const { list } = await send(addressUp, { address_id, name, mobile, region_code, detail, is_default: true });
    addresses.set(list);
  });
}

export function remove({ address_id }: Address): Promise<void> {
  return inTurn(async () => addresses.set((await send(addressDel, { address_id })).list));
}

/** Undoes `remove`: the same address under a new id, the default again if it was. Rejects without a notification. */
export function restore({ name, mobile, region_code, detail, is_default }: Address): Promise<void> {
  return inTurn(async () => {
    addresses.set((await send(addressAdd, { name, mobile, region_code, detail, is_default }, drawn)).list);
  });
}

const $wanted = atom("");

/** Where an order goes: the address that was chosen as long as it is there, else the default; null while none is known. */
export const $chosen = computed([addresses.$state, $wanted], (now, wanted): Address | null => {
  if (now.state !== "ready") return null;
  return now.data.find((one) => one.address_id === wanted) ?? now.data[0] ?? null;
});

export function choose(address_id: string): void {
  $wanted.set(address_id);
  $asked.set(false);
}

/** An order was sent off without an address: the place where one chooses says so. */
export const $asked = atom(false);

export function askForAddress(): void {
  $asked.set(true);
}
