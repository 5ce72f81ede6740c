import type { ReactElement, ReactNode } from "react";
import { isDrawn } from "#src/lib/picture.ts";
import type { Elements } from "./elements.ts";
import { Picture, type PictureData } from "./Picture.tsx";

interface TicketPanelProps {
  picture: PictureData | undefined;
  /** Above the heading. */
  note: ReactNode;
  heading: ReactElement;
  /** The check-in code, in large letters. */
  code: ReactNode;
  /** Label and value: dates and times, which are larger, then the venue. */
  facts: readonly (readonly [label: string, value: ReactNode])[];
  /** Classes of its parts, which each place sets for itself: a page has the styles of its own alone. */
  style: Record<"panel" | "picture" | "title" | "facts" | "code" | "perforation" | "size", string>;
  /** With the code: in the third column, or below it on a phone. */
  children?: Elements;
}

/** A booked place as a green ticket: the whole poster beside a perforation, the code, date and doors. */
export function TicketPanel({ picture, note, heading, code, facts, style, children }: TicketPanelProps) {
  return (
    <div className={`relative grid bg-sign text-on-sign lg:gap-x-6 ${style.panel}`}>
      <div className={`lg:row-span-3 ${style.picture}`}>
        {picture && (
          <Picture
            className={`w-full aspect-[3/4] object-contain ${isDrawn(picture) ? "max-lg:[outline:2px_solid_light-dark(#fff,#ffffff40)] max-lg:-outline-offset-2" : ""}`}
            picture={picture}
            alt=""
            sizes="(min-width: 60rem) 24rem, 8rem"
          />
        )}
      </div>
      <div className={`grid gap-3 p-4 wrap-anywhere ${style.title}`}>
        <p className="font-semibold">{note}</p>
        {heading}
      </div>
      <dl className={`col-2 flex flex-wrap items-baseline gap-4 p-4 wrap-anywhere lg:row-3 ${style.facts}`}>
        {facts.map(([label, value], index) => (
          <div key={label} className={index < facts.length - 1 ? "flex-none max-w-full" : ""}>
            <dt className="text-xs">{label}</dt>
            <dd className={index < facts.length - 1 ? "numeral text-2xl leading-none" : "font-semibold leading-[1.3]"}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <div className={`relative col-span-full grid gap-4 p-4 lg:contents ${style.code}`}>
        <i className={`perforation absolute lg:col-2 ${style.perforation}`} />
        {children}
        <div className={`numeral leading-none lg:col-2 lg:row-2 lg:self-center ${style.size}`} translate="no">
          {code}
        </div>
      </div>
    </div>
  );
}

/** A check-in code in two halves, as people read it out. */
export function CodeLines({ code }: { code: string }) {
  const half = Math.ceil(code.length / 2);
  return (
    <>
      <span className="block">{code.slice(0, half)}</span>
      <span className="block">{code.slice(half)}</span>
    </>
  );
}
