import type { ReactNode } from "react";
import { Picture, type PictureData } from "./Picture.tsx";

interface TicketCardProps {
  picture: PictureData | undefined;
  href: string;
  date?: string;
  tag?: ReactNode;
  title: string;
  line: string;
  /** The stub behind the perforation: a label, and a value in unbreakable groups. */
  stub?: { label: string; value: readonly string[] };
  /** Actions. */
  children?: ReactNode;
}

/** A booking drawn as a ticket: poster, date, title and stub. */
export function TicketCard({ picture, href, date, tag, title, line, stub, children }: TicketCardProps) {
  return (
    <article className="bk">
      <div className="bk-p">{picture && <Picture picture={picture} sizes="8rem" loading="lazy" />}</div>
      <div className="bk-b">
        {date && (
          <p className="bk-d">
            <span className="numeral">{date}</span> {tag}
          </p>
        )}
        <h3>
          <a href={href}>{title}</a>
        </h3>
        <p className="text-sm text-ink-2">{line}</p>
      </div>
      {stub && (
        <p className="bk-s">
          <span className="lbl">{stub.label}</span>
          <span className={stub.value.length > 1 ? "numeral bk-code" : "numeral"}>
            {stub.value.map((group) => (
              <span key={group}>{group}</span>
            ))}
          </span>
        </p>
      )}
      {children && <div className="bk-w">{children}</div>}
    </article>
  );
}

/** The skeleton of a card; `picture` is the one of its ticket, if it is available. */
export function TicketSkeleton({ picture }: { picture?: PictureData | undefined }) {
  return (
    <div className="bk skeleton">
      {picture && (
        <div className="bk-p">
          <Picture picture={picture} sizes="8rem" />
        </div>
      )}
    </div>
  );
}
