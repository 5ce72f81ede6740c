import type { ReactNode } from "react";
import { Picture, type PictureData } from "./Picture.tsx";

interface TicketPanelProps {
  picture: PictureData | undefined;
  /** Above the title. */
  note: ReactNode;
  title: ReactNode;
  /** The check-in code, in large letters. */
  code: ReactNode;
  /** Label and value: the date first, which is larger. */
  facts: readonly (readonly [label: string, value: ReactNode])[];
  /** Classes of its columns from 60rem on, and of the code's size. */
  columns: string;
  codeSize: string;
  /** In the third column. */
  children?: ReactNode;
}

/** Half a hole, where the perforation ends. */
const hole = "absolute size-6 rounded-full bg-bg -right-3";

/** A booked place as a green ticket: the poster along a perforation, the code, date and doors. */
export function TicketPanel({ picture, note, title, code, facts, columns, codeSize, children }: TicketPanelProps) {
  return (
    <div className={`relative grid bg-sign text-on-sign ${columns}`}>
      <div className="relative row-span-2 p-4 pr-0 lg:row-span-3">
        {picture && (
          <Picture
            className="w-full aspect-[3/4] object-cover lg:absolute lg:inset-0 lg:h-full"
            picture={picture}
            alt=""
            sizes="(min-width: 60rem) 20rem, 6rem"
          />
        )}
        <i className={`${hole} max-lg:hidden -top-3`} />
        <i className={`${hole} max-lg:hidden -bottom-3`} />
      </div>
      <div className="col-2 grid gap-3 p-4">
        <p className="font-semibold">{note}</p>
        {title}
      </div>
      <dl className="col-2 flex flex-wrap items-baseline-last gap-4 p-4 lg:row-3">
        {facts.map(([label, value], index) => (
          <div key={label}>
            <dt className="text-xs">{label}</dt>
            <dd className={index === 0 ? "numeral text-2xl leading-[1.7rem]" : "font-semibold"}>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="relative col-span-full grid justify-items-center gap-4 p-4 border-t-2 [border-style:dashed] border-bg lg:contents">
        {children}
        <div className={`numeral leading-none lg:col-2 lg:row-2 max-lg:-order-1 lg:self-center px-4 ${codeSize}`}>{code}</div>
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
