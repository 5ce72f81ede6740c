import type { ReactNode } from "react";
import picture from "./room.svg?no-inline";

interface EmptyProps {
  title: string;
  /** One line. */
  body?: string;
  /** The ways out. */
  children?: ReactNode;
  /** After a failure: the lamp above the door is off. */
  isUnlit?: boolean;
  /** Another layout. Each page has the rules of its own alone. */
  style?: Record<"box" | "picture", string>;
}

const room = { box: "lg:grid-cols-2", picture: "h-40 lg:h-full lg:min-h-80" };

/** An empty state: a room with a closed door, one line, and the ways out. */
export function Empty({ title, body, children, isUnlit, style = room }: EmptyProps) {
  return (
    <div className={`empty grid bg-surface text-ink ${style.box}`} data-empty={isUnlit ? undefined : ""}>
      <div className="grid gap-3 content-center justify-items-start px-5 py-8 lg:px-10">
        <h2 className="text-section">{title}</h2>
        {body && <p className="text-ink-2">{body}</p>}
        {children && <p className="ways flex flex-wrap gap-3 mt-2">{children}</p>}
      </div>
      <svg className={`w-full bg-sunken ${style.picture}`} aria-hidden="true">
        {/* The walls take the shape of the box, and go on past its edges; the door keeps its own, and stands on the floor. */}
        <svg x="-4%" width="108%" height="103%" aria-hidden="true">
          <use href={`${picture}#corridor`} />
          <svg height="78.572%" viewBox="-60 0 760 440" preserveAspectRatio="xMidYMax" aria-hidden="true">
            <use href={`${picture}#shut`} />
            {isUnlit && <use href={`${picture}#off`} />}
          </svg>
        </svg>
      </svg>
    </div>
  );
}
