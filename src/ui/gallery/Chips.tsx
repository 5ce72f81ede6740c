import Bell from "~icons/lucide/bell";
import { Avatar } from "../Avatar.tsx";
import { Chip } from "../Chip.tsx";

interface ChipsProps {
  t: Record<"online" | "messages", string>;
  /** Formats "{count} unread". */
  unread: (count: number) => string;
}

const positions = ["top-right", "bottom-right", "top-left", "bottom-left"] as const;

/** Dots on a circle and a square, and counts at each corner. */
export function Chips({ t, unread }: ChipsProps) {
  return (
    <>
      <div className="rw al chips">
        {positions.map((position) => (
          <figure key={position}>
            <Chip label={t.online} position={position} round>
              <Avatar size="2xl" alt="White Noise" />
            </Chip>
            <figcaption>{position}</figcaption>
          </figure>
        ))}
      </div>
      <div className="rw al chips">
        {positions.map((position, index) => (
          <figure key={position}>
            <Chip
              label={unread([3, 12, 99, 129][index] ?? 1)}
              position={position}
              count={[3, 12, 99, 129][index]}
              color="danger"
            >
              <span className="ib bell" role="img" aria-label={t.messages}>
                <Bell className="i" />
              </span>
            </Chip>
            <figcaption>{[3, 12, 99, 129][index]}</figcaption>
          </figure>
        ))}
      </div>
    </>
  );
}
