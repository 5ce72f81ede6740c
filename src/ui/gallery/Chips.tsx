import Bell from "~icons/lucide/bell";
import { Avatar } from "../Avatar.tsx";
import { Chip } from "../Chip.tsx";

interface ChipsProps {
  t: Record<"online" | "messages", string>;
  /** "{count} unread", filled in. */
  unread: (count: number) => string;
}

const positions = ["top-right", "bottom-right", "top-left", "bottom-left"] as const;

/** A dot on something round and on something square, and counts, at each corner. */
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
        {positions.map((position, place) => (
          <figure key={position}>
            <Chip
              label={unread([3, 12, 99, 129][place] ?? 1)}
              position={position}
              count={[3, 12, 99, 129][place]}
              color="danger"
            >
              <span className="ib bell" role="img" aria-label={t.messages}>
                <Bell className="i" />
              </span>
            </Chip>
            <figcaption>{[3, 12, 99, 129][place]}</figcaption>
          </figure>
        ))}
      </div>
    </>
  );
}
