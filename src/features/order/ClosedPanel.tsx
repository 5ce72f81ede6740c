import { fill } from "#i18n/catalogue.ts";
import type { Outcome } from "#src/api/order-status.ts";
import { formatYuan } from "#src/lib/format.ts";
import { Day } from "#src/ui/Day.tsx";
import type { OrderPanelProps } from "./props.ts";

function getTexts(outcome: Outcome, { t, pass }: Pick<OrderPanelProps, "t" | "pass">): [title: string, body: string] {
  switch (outcome) {
    case "cancelled":
      return [t.cancelledTitle, (pass ?? t).cancelledBody];
    case "refundDue":
      return [t.refundDueTitle, t.refundDueBody];
    case "refunding":
      return [t.refundingTitle, t.refundingBody];
    case "refundFailed":
      return [t.refundDueTitle, t.refundFailedBody];
    case "refunded":
      return [t.refundedTitle, t.refundedBody];
    default:
      return [t.expiredTitle, t.expiredBody];
  }
}

/** Shows a closed order in the dark panel, with the state of its refund. */
export function ClosedPanel({ snapshot: { order }, outcome, t, pass }: OrderPanelProps) {
  const [title, body] = getTexts(outcome, { t, pass });
  const at = order.refund?.ended_at ?? order.closed_at;
  return (
    <section className="shut bg-stage text-on-stage relative overflow-hidden">
      <div className="wrap pt-4 pb-8 grid gap-4 max-lg:grid-cols-[1fr_4.5rem] max-lg:gap-x-4 max-lg:gap-y-3 lg:grid-cols-12 lg:gap-x-gap lg:gap-y-6 lg:items-end lg:pt-10 lg:pb-14 lg:min-h-128">
        <div className="max-lg:contents lg:col-start-1 lg:col-span-8 lg:self-start lg:pt-16">
          {at && (
            <p className="flex items-center gap-2 font-semibold text-sm max-lg:col-span-full">
              <Day date={at} form="dateTime" />
            </p>
          )}
          <h1
            className="font-bold text-[length:clamp(4rem,15vw,12.5rem)] leading-[0.98] font-display tabular-nums tracking-[-0.02em] mt-4 mb-6 ml-[-0.02em] [&:lang(zh)]:ml-[-0.06em] outline-none whitespace-pre-line focus:outline-none focus:[box-shadow:none] max-lg:my-0 max-lg:col-span-full"
            tabIndex={-1}
          >
            {title}
          </h1>
          <p className="text-xl font-semibold leading-[1.45] max-w-[26em] whitespace-pre-line">
            {fill(body, { sum: formatYuan(order.refund?.refund_fen ?? order.pay_fen) })}
          </p>
        </div>
        <div
          className="exit-door relative aspect-[3/4] -mb-8 max-lg:col-2 max-lg:row-3 max-lg:self-end lg:col-start-10 lg:-col-end-1 lg:-mb-14"
          aria-hidden="true"
        >
          <i className="absolute top-1 bottom-0 inset-x-1 lg:top-3 lg:inset-x-3 [background:var(--stage-line)]" />
        </div>
      </div>
    </section>
  );
}
