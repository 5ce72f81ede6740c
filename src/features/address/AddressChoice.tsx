import { useEffect, useRef } from "react";
import type { address, addressChoice } from "#i18n/address.ts";
import type { Prefix } from "#i18n/locale.ts";
import type { state } from "#i18n/state.ts";
import { toProblem } from "#src/api/problem.ts";
import { useStore } from "#src/lib/use-store.ts";
import { link } from "#src/routes.ts";
import { Button } from "#src/ui/Button.tsx";
import { island } from "#src/ui/Island.tsx";
import { ResourceView, SkeletonLines } from "#src/ui/ResourceView.tsx";
import { AddressDialog, openForm } from "./AddressDialog.tsx";
import { AddressText } from "./AddressText.tsx";
import { RegionGone } from "./RegionGone.tsx";
import { $addressRequired, $choiceReady, $chosen, addresses, choose, maxAddresses } from "./store.ts";

interface AddressChoiceProps {
  prefix: Prefix;
  locale: string;
  t: (typeof address)["zh-CN"] & (typeof addressChoice)["zh-CN"];
  states: (typeof state)["zh-CN"];
}

function AddressChoiceIsland({ prefix, locale, t, states }: AddressChoiceProps) {
  const resource = useStore(addresses.$state);
  const chosen = useStore($chosen);
  const submits = useStore($addressRequired);
  const box = useRef<HTMLFieldSetElement>(null);
  const isMissing = submits > 0 && !chosen;
  const isReady = resource.state !== "loading";
  useEffect(() => $choiceReady.set(isReady), [isReady]);
  useEffect(() => {
    if (submits > 0 && !chosen) box.current?.querySelector<HTMLElement>("input, button")?.focus();
  }, [submits, chosen]);
  const withProblem =
    resource.state === "failed" ? { state: resource.state, problem: toProblem(resource.problem, states) } : resource;
  return (
    <ResourceView
      resource={withProblem}
      onRetry={addresses.load}
      loginHref={link(prefix, "login")}
      skeleton={<SkeletonLines heights={["h-20", "h-12"]} />}
      t={states}
    >
      {(list) => (
        <fieldset className="min-w-0" ref={box} aria-describedby={isMissing ? "address-missing" : undefined}>
          <legend className="mb-2.5 font-bold font-display text-xl leading-[1.2] lg:text-2xl">{t.choose}</legend>
          <p className="-mt-1 mb-3 min-h-9 text-sm text-ink-2">{list.length > 0 ? t.why : t.none}</p>
          {list.length > 0 && (
            <div className="grid gap-2 mb-3">
              {list.map((address) =>
                address.needs_region ? (
                  <div
                    className="px-4 py-3.5 rounded-control [box-shadow:inset_0_0_0_1.5px_var(--line-strong)]"
                    key={address.address_id}
                  >
                    <AddressText t={t} locale={locale} address={address} />
                    <RegionGone t={t} address={address} />
                  </div>
                ) : (
                  <label
                    className="relative block px-4 py-3.5 rounded-control cursor-pointer bg-surface [box-shadow:inset_0_0_0_1.5px_var(--line-strong)] has-checked:bg-wash has-checked:[box-shadow:inset_0_0_0_2px_var(--accent)] forced-colors:has-checked:[border:3px_solid] has-focus-visible:[outline:3px_solid_var(--focus)] outline-offset-2"
                    key={address.address_id}
                  >
                    <input
                      className="absolute inset-0 opacity-0 cursor-[inherit]"
                      type="radio"
                      name="address"
                      checked={address.address_id === chosen?.address_id}
                      onChange={() => choose(address.address_id)}
                    />
                    <AddressText t={t} locale={locale} address={address} />
                  </label>
                ),
              )}
            </div>
          )}
          {isMissing && (
            <p className="text-danger text-sm mb-3" id="address-missing" role="alert">
              {t.needed}
            </p>
          )}
          {list.length < maxAddresses && (
            <p
              className={
                list.length > 0 ? "" : "grid place-items-center py-10 rounded-control border-2 border-dashed border-line-strong"
              }
            >
              <Button
                variant={list.length > 0 ? "outline" : "solid"}
                size={list.length > 0 ? "md" : "lg"}
                onClick={() => openForm()}
              >
                {t.addNew}
              </Button>
            </p>
          )}
          <AddressDialog t={t} states={states} list={list} onSaved={(saved) => saved && choose(saved.address_id)} />
        </fieldset>
      )}
    </ResourceView>
  );
}

/** Chooses the address of an order, or adds one in place. The store's `$chosen` holds the choice. */
export const AddressChoice = island(AddressChoiceIsland);
