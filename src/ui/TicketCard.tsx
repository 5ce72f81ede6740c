import type { ReactElement, ReactNode } from "react";
import { keepNumbers } from "#src/lib/format.ts";
import { Day } from "./Day.tsx";
import { Picture, type PictureData } from "./Picture.tsx";

interface TicketCardProps {
  picture: PictureData | undefined;
  href: string;
  date?: Date;
  tag?: ReactElement;
  title: string;
  line: string | ReactElement;
  /** Hour and number of people. */
  when?: readonly string[];
  /** When it was to start, of one that has moved. */
  moved?: ReactElement | false | "" | undefined;
  /** The stub behind the perforation: a label, and a value in unbreakable groups. */
  stub?: { label: string; value: readonly string[] };
  /** Actions. */
  children?: ReactNode;
}

/** A booking drawn as a ticket: poster, date, title and stub. */
export function TicketCard({ picture, href, date, tag, title, line, when, moved, stub, children }: TicketCardProps) {
  return (
    <article className="grid grid-cols-[6.5rem_minmax(0,1fr)] min-h-32 bg-surface lg:grid-cols-[12.5rem_minmax(0,1fr)_auto] lg:min-h-66">
      <div className={`max-lg:p-4 max-lg:pr-0 ${children ? (stub ? "lg:row-span-2" : "row-span-2") : ""}`}>
        <Picture className="w-full aspect-[3/4] object-cover" picture={picture} sizes="13rem" loading="lazy" />
      </div>
      <div
        className={`grid gap-0.5 min-w-0 wrap-anywhere p-4 lg:px-10 ${children ? "content-center lg:content-end" : "content-center"}`}
      >
        {date && (
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="numeral text-[2rem] leading-[1.1] lg:text-[3.5rem]">
              <Day date={date} form="day" />
            </span>{" "}
            {tag}
          </p>
        )}
        <h3 className="text-lg leading-[1.4] lg:text-2xl">
          <a className="hover:text-accent-ink" href={href}>
            {title}
          </a>
        </h3>
        <p className="text-sm text-ink-2 leading-[1.45] break-keep wrap-anywhere">
          {typeof line === "string" ? keepNumbers(line) : line}
        </p>
        {when && (
          <p className="flex flex-wrap gap-x-4 text-sm text-ink-2 leading-[1.45]">
            {when.map((part) => (
              <span key={part}>{part}</span>
            ))}
            {moved && <span>{moved}</span>}
          </p>
        )}
      </div>
      {stub && (
        <p className="col-span-full flex items-baseline justify-between px-4 py-3 border-t-2 border-dashed border-line lg:row-span-2 lg:col-3 text-center lg:grid lg:content-center lg:w-34 lg:border-t-0 lg:border-l-2">
          <span className="text-sm text-ink-2 font-semibold lg:text-xs">{stub.label}</span>
          <span
            className="numeral flex flex-wrap justify-center gap-x-[0.3em] text-2xl leading-[1.1] tracking-[0.04em] lg:text-[1.875rem]"
            translate="no"
          >
            {stub.value.map((group) => (
              <span key={group}>{group}</span>
            ))}
          </span>
        </p>
      )}
      {children && (
        <div
          className={`flex flex-wrap items-center gap-x-3 gap-y-2 px-4 lg:col-2 lg:justify-start lg:pt-0 lg:pb-4 lg:px-10 lg:border-0 ${stub ? "justify-between col-span-full py-3 border-t-2 border-dashed border-line" : "pb-4 self-start"}`}
        >
          {children}
        </div>
      )}
    </article>
  );
}

/** The skeleton of a card; `text` is what stands here while there is no ticket. */
export function TicketSkeleton({ text }: { text?: string }) {
  return (
    <div className="skeleton min-h-32 lg:min-h-66">
      {text && <p className="p-4 text-2xl leading-[1.2] text-ink-2">{text}</p>}
    </div>
  );
}
