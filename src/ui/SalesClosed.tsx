import type { ComponentProps } from "react";
import ArrowRight from "~icons/lucide/arrow-right";
import { Day, type DayProps } from "./Day.tsx";
import type { Elements } from "./elements.ts";

interface SalesClosedProps extends Omit<ComponentProps<"div">, "children"> {
  reason: string;
  /** `day` stands behind the label. */
  more: { href: string; label: string; day?: DayProps };
  children?: Elements;
}

/** Why a show cannot be booked, and where to go instead: a door that is shut. `children` stand below. */
export function SalesClosed({ reason, more, className = "", children, ...rest }: SalesClosedProps) {
  return (
    <div
      className={`door-shut flex flex-wrap items-center justify-between gap-x-4 px-5 py-1.5 min-h-14 bg-sunken rounded-control leading-[1.2] lg:px-7 ${className}`}
      {...rest}
    >
      <b className="font-bold text-xl font-display lg:text-2xl" data-word>
        {reason}
      </b>
      <a className="more text-right" href={more.href}>
        <span>{more.label}</span>
        {more.day && <Day {...more.day} />}
        <ArrowRight className="icon go" aria-hidden="true" />
      </a>
      {children}
    </div>
  );
}
