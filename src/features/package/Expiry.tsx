import { fill } from "../../../i18n/catalogue.ts";
import type { package as texts } from "../../../i18n/package.ts";
import { formatDate } from "../../lib/date.ts";
import type { Effect } from "./purchase-effect.ts";

interface ExpiryProps {
  effect: Effect;
  title: string;
  days: number;
  /** The title of the member's present membership. */
  ownTitle: string | undefined;
  /** The member's dates are loading. */
  isLoading: boolean;
  t: (typeof texts)["zh-CN"];
}

/** Shows what a package does to the member's expiry: the present date beside the new one. */
export function Expiry({ effect, title, days, ownTitle, isLoading, t }: ExpiryProps) {
  if (effect.kind === "visitor") {
    return (
      <div className="exp" aria-live="polite">
        <p>{fill(t.fromToday, { days })}</p>
        {/* The key keeps this line apart from the one that replaces it. */}
        <p className="sm" key="waiting">
          {isLoading ? t.asking : t.forVisitor}
        </p>
      </div>
    );
  }
  const reason = {
    lower: ownTitle ? fill(t.lower, { title: ownTitle }) : t.lowerPlain,
    fresh: fill(t.fromToday, { days }),
    extended: fill(t.extended, { days }),
    upgraded: fill(t.upgraded, { title }),
  }[effect.kind];
  return (
    <div className="exp" aria-live="polite">
      <dl>
        <div>
          <dt>{t.now}</dt>
          <dd>{effect.now ? <time dateTime={effect.now}>{formatDate(new Date(effect.now))}</time> : t.nothing}</dd>
        </div>
        <div className="to">
          <dt>{t.after}</dt>
          <dd>{effect.kind === "lower" ? "–" : <time dateTime={effect.after}>{formatDate(new Date(effect.after))}</time>}</dd>
        </div>
      </dl>
      <p className="sm">{reason}</p>
    </div>
  );
}
