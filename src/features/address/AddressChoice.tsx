import { useEffect, useRef } from "react";
import type { address, addressChoice } from "../../../i18n/address.ts";
import type { Prefix } from "../../../i18n/locale.ts";
import type { state } from "../../../i18n/state.ts";
import { toProblem } from "../../api/problem.ts";
import { useStore } from "../../lib/use-store.ts";
import { link } from "../../routes.ts";
import { Button } from "../../ui/Button.tsx";
import { island } from "../../ui/Island.tsx";
import { ResourceView } from "../../ui/ResourceView.tsx";
import { SkeletonLines } from "../../ui/SkeletonLines.tsx";
import { AddressDialog, openForm } from "./AddressDialog.tsx";
import { AddressText } from "./AddressText.tsx";
import { $asked, $choosable, $chosen, addresses, choose, most } from "./store.ts";

interface AddressChoiceProps {
  prefix: Prefix;
  locale: string;
  t: (typeof address)["zh-CN"] & (typeof addressChoice)["zh-CN"];
  states: (typeof state)["zh-CN"];
}

function AddressChoiceIsland({ prefix, locale, t, states }: AddressChoiceProps) {
  const now = useStore(addresses.$state);
  const chosen = useStore($chosen);
  const asked = useStore($asked);
  const box = useRef<HTMLFieldSetElement>(null);
  const missing = asked && !chosen;
  const choosable = now.state !== "loading";
  useEffect(() => $choosable.set(choosable), [choosable]);
  useEffect(() => {
    if (missing) box.current?.querySelector<HTMLElement>("input, button")?.focus();
  }, [missing]);
  const remote = now.state === "failed" ? { state: now.state, problem: toProblem(now.problem, states) } : now;
  return (
    <ResourceView
      resource={remote}
      onRetry={addresses.load}
      loginHref={link(prefix, "login")}
      skeleton={<SkeletonLines heights={["h-20", "h-12"]} />}
      t={states}
    >
      {(list) => (
        <fieldset className="address-choice" ref={box} aria-describedby={missing ? "address-missing" : undefined}>
          <legend className="field-l">{t.choose}</legend>
          <p className="hint">{t.why}</p>
          {list.length > 0 && (
            <div className="address-tiers">
              {list.map((one) => (
                <label key={one.address_id}>
                  <input
                    type="radio"
                    name="address"
                    checked={one.address_id === chosen?.address_id}
                    onChange={() => choose(one.address_id)}
                  />
                  <AddressText t={t} locale={locale} address={one} />
                </label>
              ))}
            </div>
          )}
          {missing && (
            <p className="err" id="address-missing" role="alert">
              {t.needed}
            </p>
          )}
          {list.length < most && (
            <Button variant="outline" onClick={() => openForm()}>
              {t.addNew}
            </Button>
          )}
          <AddressDialog t={t} states={states} list={list} onSaved={(saved) => saved && choose(saved.address_id)} />
        </fieldset>
      )}
    </ResourceView>
  );
}

/** Where an order goes, with adding in place. What is chosen stands in `$chosen` of the store. */
export const AddressChoice = island(AddressChoiceIsland);
