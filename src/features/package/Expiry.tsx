import { fill } from "../../../i18n/catalogue.ts";
import type { package as texts } from "../../../i18n/package.ts";
import { formatDate } from "../../lib/date.ts";
import type { Effect } from "./purchase-effect.ts";

interface ExpiryProps {
  effect: Effect;
  title: string;
  days: number;
  /** What the member holds now is called. */
  held: string | undefined;
  /** A member's dates are on their way. */
  asking: boolean;
  t: (typeof texts)["zh-CN"];
}

/** What a pass does to one's own expiry: the day as it is now beside the day as it will be. */
export function Expiry({ effect, title, days, held, asking, t }: ExpiryProps) {
  if (effect.kind === "visitor") {
    return (
      <div className="exp" aria-live="polite">
        <p>{fill(t.fromToday, { days })}</p>
        {/* What comes in its place is another line. */}
        <p className="sm" key="waiting">
          {asking ? t.asking : t.forVisitor}
        </p>
      </div>
    );
  }
  const why = {
    lower: held ? fill(t.lower, { title: held }) : t.lowerPlain,
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
      <p className="sm">{why}</p>
    </div>
  );
}
