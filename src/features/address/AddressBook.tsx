import { useRef } from "react";
import type { addressBook, address as texts } from "#i18n/address.ts";
import { fill } from "#i18n/catalogue.ts";
import { getLocale, type Prefix } from "#i18n/locale.ts";
import type { OwnStates } from "#i18n/state.ts";
import type { Address } from "#src/api/address.ts";
import { toProblem } from "#src/api/problem.ts";
import { add } from "#src/features/notification/store.ts";
import { useDeferredStore } from "#src/lib/use-store.ts";
import { link } from "#src/routes.ts";
import { Button } from "#src/ui/Button.tsx";
import { island } from "#src/ui/Island.tsx";
import { ResourceView, SkeletonLines } from "#src/ui/ResourceView.tsx";
import Pencil from "~icons/lucide/pencil";
import Plus from "~icons/lucide/plus";
import Trash from "~icons/lucide/trash-2";
import { AddressDialog, openCopy, openForm } from "./AddressDialog.tsx";
import { AddressText } from "./AddressText.tsx";
import { RegionGone } from "./RegionGone.tsx";
import { addresses, makeDefault, maxAddresses, remove, restore } from "./store.ts";

type Texts = Pick<(typeof addressBook)["zh-CN"], "removed" | "undo" | "notRestored" | "again">;

/** Deletes an address and offers undo for 10 s: one that needs its region comes back by the form. A failed undo shows a notification that retries it. */
async function removeWithUndo(address: Address, t: Texts): Promise<void> {
  await remove(address);
  const values = { name: address.name };
  const undo = () => {
    if (address.needs_region) return openCopy(address);
    void restore(address).catch(() => {
      add({
        title: fill(t.notRestored, values),
        color: "error",
        timeout: 0,
        actions: [{ label: t.again, click: undo }],
      });
    });
  };
  add({ title: fill(t.removed, values), timeout: 10_000, actions: [{ label: t.undo, click: undo }] });
}

interface AddressBookProps {
  prefix: Prefix;
  t: (typeof texts)["zh-CN"] & (typeof addressBook)["zh-CN"];
  states: OwnStates;
}

function AddressBookIsland({ prefix, t, states }: AddressBookProps) {
  const resource = useDeferredStore(addresses.$state);
  const addButton = useRef<HTMLButtonElement>(null);
  const withProblem =
    resource.state === "failed" ? { state: resource.state, problem: toProblem(resource.problem, states) } : resource;
  const isFull = resource.state === "ready" && resource.data.length >= maxAddresses;

  async function remove(address: Address) {
    await removeWithUndo(address, t);
    // The focused row is gone.
    addButton.current?.focus();
  }
  return (
    <>
      <div className="flex justify-between items-center min-h-13.5 border-t-2 border-ink pt-2 mb-3">
        <h2 className="text-2xl">{t.title}</h2>
        <button
          ref={addButton}
          type="button"
          className="more disabled:text-ink-3"
          disabled={resource.state !== "ready" || isFull}
          onClick={() => openForm()}
        >
          <Plus className="icon" aria-hidden="true" />
          <span>{t.add}</span>
        </button>
      </div>
      <ResourceView
        resource={withProblem}
        onRetry={addresses.load}
        loginHref={link(prefix, "login", {}, { redirect: "/user/info" })}
        skeleton={<SkeletonLines heights={["h-16", "h-16"]} />}
        t={states}
      >
        {(list) => (
          <>
            {list.length === 0 && <p className="text-ink-2 py-3">{t.empty}</p>}
            <ul>
              {list.map((address) => (
                <li
                  className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 py-4 border-b border-line justify-items-start"
                  key={address.address_id}
                >
                  <AddressText t={t} locale={getLocale(prefix)} address={address} />
                  <span className="flex">
                    <button
                      type="button"
                      className="icon-button"
                      aria-label={fill(t.edit, { name: address.name })}
                      onClick={() => openForm(address.address_id)}
                    >
                      <Pencil className="icon" aria-hidden="true" />
                    </button>
                    <button
                      type="button"
                      className="icon-button"
                      aria-label={fill(t.remove, { name: address.name })}
                      onClick={() => void remove(address).catch(() => {})}
                    >
                      <Trash className="icon" aria-hidden="true" />
                    </button>
                  </span>
                  {address.needs_region && <RegionGone t={t} address={address} />}
                  {!address.is_default && !address.needs_region && (
                    <Button
                      className="text-sm mt-1.5"
                      variant="link"
                      size="sm"
                      onClick={() => void makeDefault(address).catch(() => {})}
                    >
                      {t.makeDefault}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {isFull && <p className="text-sm text-ink-3 py-3">{fill(t.tooMany, { n: maxAddresses })}</p>}
            <AddressDialog t={t} states={states} list={list} />
          </>
        )}
      </ResourceView>
    </>
  );
}

/** The member's addresses: add, edit, delete with undo, make default. */
export const AddressBook = island(AddressBookIsland);
