import { fill } from "#i18n/catalogue.ts";
import type { package as texts } from "#i18n/package.ts";
import { Day } from "#src/ui/Day.tsx";
import type { MembershipChange } from "./membership-change.ts";

interface ExpiryChangeProps {
  change: MembershipChange;
  title: string;
  /** For people, as of now. */
  price: string;
  days: number;
  /** The title of the member's present membership. */
  ownTitle: string | undefined;
  /** The member's dates are loading. */
  isLoading: boolean;
  t: (typeof texts)["zh-CN"];
}

/** Shows what a package does to the member's expiry: the present date beside the new one. */
export function ExpiryChange({ change, title, price, days, ownTitle, isLoading, t }: ExpiryChangeProps) {
  /** Heard when another package is chosen, or its price changes. */
  const chosen = `${title} ${price}`;
  if (change.kind === "visitor") {
    return (
      <div className="exp" aria-live="polite">
        <p className="sr-only">{chosen}</p>
        <p>{fill(t.fromToday, { days })}</p>
        {/* The key keeps this line apart from the one that replaces it. */}
        <p key="waiting">{isLoading ? t.asking : t.forVisitor}</p>
      </div>
    );
  }
  const reason = {
    lower: ownTitle ? fill(t.lower, { title: ownTitle }) : t.lowerPlain,
    full: t.fullBody,
    fresh: fill(t.fromToday, { days }),
    extended: fill(t.extended, { days }),
    upgraded: fill(t.upgraded, { title }),
  }[change.kind];
  return (
    <div className="exp grid gap-2" aria-live="polite">
      <p className="sr-only">{chosen}</p>
      <dl className="grid grid-cols-[1fr_1fr] gap-4">
        <div>
          <dt className="text-sm">{"after" in change || !change.now ? t.now : t.until}</dt>
          <dd className="font-bold text-[length:clamp(1.375rem,5.6vw,2.375rem)] leading-[1.2] font-display tabular-nums tracking-[-0.02em]">
            {change.now ? <Day date={change.now} form="date" /> : t.nothing}
          </dd>
        </div>
        {"after" in change && (
          <div className="pl-4 border-l-4 border-lit">
            <dt className="text-sm">{t.after}</dt>
            <dd className="font-bold text-[length:clamp(1.375rem,5.6vw,2.375rem)] leading-[1.2] font-display tabular-nums tracking-[-0.02em]">
              <Day date={change.after} form="date" />
            </dd>
          </div>
        )}
      </dl>
      <p>{reason}</p>
    </div>
  );
}
