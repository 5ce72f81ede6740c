import { Fragment } from "react";
import { fill } from "#i18n/catalogue.ts";
import type { Order } from "#src/api/order.ts";
import type { Outcome } from "#src/api/order-status.ts";
import { formatYuan } from "#src/lib/format.ts";
import { CopyText } from "#src/ui/CopyText.tsx";
import { Day } from "#src/ui/Day.tsx";
import { Picture } from "#src/ui/Picture.tsx";
import Check from "~icons/lucide/check";
import type { OrderPanelProps } from "./props.ts";

/** What the shop brings itself has no number. */
function getShippedText({ shipment }: Order, t: OrderPanelProps["t"]): string {
  if (!shipment) return t.shippedBare;
  return shipment.tracking ? fill(t.shippedBody, { carrier: shipment.carrier }) : t.shippedOwn;
}

function getTexts(order: Order, outcome: Outcome, { t, pass }: Pick<OrderPanelProps, "t" | "pass">) {
  const sum = formatYuan(order.pay_fen);
  switch (outcome) {
    case "shipped":
      return { at: order.shipped_at, body: getShippedText(order, t) };
    case "completed":
      return { at: order.completed_at, body: t.completedBody };
    case "late":
      return { at: order.paid_at, body: fill(t.lateBody, { sum }) };
    default:
      return { at: order.paid_at, body: fill((pass ?? t).paidBody, { sum }) };
  }
}

/** What was bought, whole in the open door before the dark. */
const pictures = {
  goods: "relative w-[74%] aspect-square object-cover [outline:1px_solid_#fff6]",
  package: "relative w-[62%] h-auto rounded-[8px] [outline:1px_solid_#fff6]",
} as const;

/** Shows a paid order: its status, time and product picture. */
export function PaidPanel({ snapshot: { order }, outcome, t, pass }: OrderPanelProps) {
  const { at, body } = getTexts(order, outcome, { t, pass });
  const [item] = order.items;
  // Paying is a way in; what follows is not.
  const [slab, leaf] =
    order.status === "paid"
      ? [
          "bg-sign text-on-sign",
          "[background:light-dark(var(--enamel-deep),color-mix(in_srgb,var(--enamel-deep),var(--lit)_35%))]",
        ]
      : ["bg-stage text-on-stage", "[background:var(--stage-line)]"];
  return (
    <section className={`relative overflow-hidden ${slab}`}>
      <div className="wrap pt-4 pb-8 grid gap-4 max-lg:grid-cols-[1fr_8rem] max-lg:gap-x-4 max-lg:gap-y-3 lg:grid-cols-12 lg:gap-x-gap lg:gap-y-6 lg:items-end lg:pt-10 lg:pb-14 lg:min-h-128">
        <div className="max-lg:contents lg:col-start-1 lg:col-span-8 lg:self-start lg:pt-16 relative z-1">
          {at && (
            <p className="flex items-center gap-2 font-semibold text-sm max-lg:col-span-full">
              <Check className="icon" aria-hidden="true" />
              <Day date={at} form="dateTime" />
            </p>
          )}
          <h1
            className={`${t[order.status].length > 8 ? "text-[length:clamp(3.5rem,13vw,11rem)]" : "text-[length:clamp(4rem,15vw,12.5rem)]"} font-bold leading-[0.98] font-display tabular-nums tracking-[-0.02em] mt-4 mb-6 ml-[-0.02em] [&:lang(zh)]:ml-[-0.06em] outline-none whitespace-pre-line focus:outline-none focus:[box-shadow:none] max-lg:my-0 max-lg:col-span-full`}
            tabIndex={-1}
          >
            {t[order.status]}
          </h1>
          <p className="text-xl font-semibold leading-[1.45] max-w-[26em] max-lg:pr-3 max-lg:whitespace-pre-line text-balance break-keep wrap-anywhere">
            {body.match(/[^，。]+[，。]*/g)?.map((clause) => (
              <Fragment key={clause}>
                <span>{clause}</span>
                <wbr />
              </Fragment>
            ))}
            {outcome === "shipped" && order.shipment?.tracking && (
              <span className="block mt-1 max-lg:-mr-3 numeral text-2xl lg:text-4xl">
                <CopyText text={order.shipment.tracking} what={t.tracking} t={t} />
              </span>
            )}
          </p>
        </div>
        <div
          className={`exit-door relative grid grid-rows-[minmax(0,1fr)] place-items-center bg-white aspect-[3/4] [perspective:1400px] [perspective-origin:0_60%] -mb-8 max-lg:col-2 max-lg:row-3 max-lg:self-end max-lg:ml-8 lg:col-start-10 lg:-col-end-1 lg:-mb-14 before:absolute before:inset-x-[4%] before:top-[3%] before:bottom-0 before:bg-stage`}
        >
          {item && <Picture picture={item.image} sizes="18rem" className={`bought ${pictures[order.kind]}`} />}
          <i className={`absolute inset-0 origin-left [transform:rotateY(-115deg)] ${leaf}`} />
        </div>
      </div>
    </section>
  );
}
