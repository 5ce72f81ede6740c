import type { ReactNode } from "react";
import { Picture, type PictureData } from "./Picture.tsx";

interface TicketSlabProps {
  picture: (PictureData & { alt?: string }) | undefined;
  /** Above the title. */
  note: ReactNode;
  title: ReactNode;
  /** The check-in code, in large letters. */
  code: ReactNode;
  /** Label and value: the date first, which is larger. */
  facts: readonly (readonly [label: string, value: ReactNode])[];
  /** At the right, over the edge of the slab. */
  children?: ReactNode;
}

/** Half a hole, where the perforation ends. */
const hole = "absolute size-6 rounded-full bg-bg";

/** A booked place as a green ticket: the poster along a perforation, the code, date and doors. */
export function TicketSlab({ picture, note, title, code, facts, children }: TicketSlabProps) {
  return (
    <div
      className={`relative grid grid-cols-[6rem_minmax(0,1fr)] bg-sign text-on-sign lg:grid-rows-[auto_1fr_auto] lg:gap-x-10 ${children ? "lg:grid-cols-[20rem_minmax(0,1fr)_auto]" : "lg:gap-x-7 lg:grid-cols-[13rem_minmax(0,1fr)]"}`}
    >
      <div className="relative row-span-2 col-1 lg:row-span-3 lg:border-r-2 lg:[border-right-style:dashed] lg:border-r-bg">
        {picture && (
          <Picture
            className="absolute inset-0 size-full object-cover"
            picture={picture}
            alt={picture.alt ?? ""}
            sizes="(min-width: 60rem) 20rem, 6rem"
          />
        )}
        <i className={`${hole} max-lg:hidden -top-3 -right-[0.8125rem]`} />
        <i className={`${hole} max-lg:hidden -bottom-3 -right-[0.8125rem]`} />
      </div>
      <div className="col-2 min-w-0 grid gap-1.5 pt-4 px-4 lg:pt-8 lg:px-0">
        <p className="font-semibold text-sm">{note}</p>
        <div>{title}</div>
      </div>
      <dl className="col-2 flex flex-wrap items-end gap-x-6 gap-y-2 px-4 py-4 leading-[1.3] lg:row-3 lg:px-0 lg:pb-8 lg:gap-x-8">
        {facts.map(([label, value], index) => (
          <div key={label}>
            <dt className="text-xs">{label}</dt>
            <dd className={index === 0 ? "numeral text-3xl leading-none lg:text-5xl" : "font-semibold"}>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="relative col-span-full grid justify-items-center gap-4 p-5 border-t-2 [border-top-style:dashed] border-t-bg lg:contents">
        <i className={`${hole} lg:hidden -top-[0.8125rem] -left-3`} />
        <i className={`${hole} lg:hidden -top-[0.8125rem] -right-3`} />
        {children && <div className="lg:col-3 lg:row-[1/span_3] lg:self-start lg:-mt-18 lg:mr-10 lg:mb-8">{children}</div>}
        <div
          className={`font-display font-bold leading-[0.95] tracking-[0.02em] lg:col-2 lg:row-2 lg:self-center lg:py-4 ${children ? "text-[clamp(3rem,17vw,7.5rem)] lg:text-[min(8vw,7.5rem)]" : "text-[clamp(2.5rem,13vw,4rem)] lg:text-[4.5rem]"}`}
        >
          {code}
        </div>
      </div>
    </div>
  );
}

/** A check-in code in two lines, as people read it out. */
export function CodeLines({ code }: { code: string }) {
  const half = Math.ceil(code.length / 2);
  return (
    <>
      <span className="block">{code.slice(0, half)}</span>
      <span className="block">{code.slice(half)}</span>
    </>
  );
}
