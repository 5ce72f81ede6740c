import { useCallback } from "react";
import type { Prefix } from "../../../i18n/locale.ts";
import { link } from "../../routes.ts";
import { island } from "../../ui/Island.tsx";
import { CheckoutIsland, type CheckoutTexts } from "./CheckoutIsland.tsx";

function ConfirmIsland({ prefix, ...texts }: CheckoutTexts & { prefix: Prefix }) {
  // Back does not lead to a form that has been sent.
  const lead = useCallback((order_sn: string) => location.replace(link(prefix, "order", { order_sn })), [prefix]);
  return <CheckoutIsland prefix={prefix} label={texts.c.submit} onPlaced={lead} {...texts} />;
}

/** Confirms an order, which is then paid on its own page. */
export const Confirm = island(ConfirmIsland);
