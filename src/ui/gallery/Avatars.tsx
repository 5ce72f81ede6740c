import Bell from "~icons/lucide/bell";
import User from "~icons/lucide/user";
import { Avatar } from "../Avatar.tsx";
import { Chip } from "../Chip.tsx";
import { Tag } from "../Tag.tsx";

interface AvatarsProps {
  t: Record<
    "vinyl" | "picture" | "brokenPicture" | "text" | "icon" | "initials" | "chinese" | "loading" | "personName",
    string
  >;
  src: string;
}

const sizes = ["3xs", "2xs", "xs", "sm", "md", "lg", "xl", "2xl", "3xl"] as const;
// Invalid bytes: the picture fails without a request.
const broken = "data:image/png;base64,AAAA";

/** Every size and every fallback. */
export function Avatars({ t, src }: AvatarsProps) {
  const icon = <User className="icon w-[55%] h-[55%]" />;
  const chain = [
    { name: t.picture, drawn: <Avatar size="2xl" alt={t.vinyl} src={src} /> },
    { name: t.brokenPicture, drawn: <Avatar size="2xl" alt="White Noise" src={broken} text="12W" icon={icon} /> },
    { name: t.text, drawn: <Avatar size="2xl" alt="White Noise" text="12W" icon={icon} /> },
    { name: t.icon, drawn: <Avatar size="2xl" alt="White Noise" icon={icon} /> },
    { name: t.initials, drawn: <Avatar size="2xl" alt="White Noise Choir" /> },
    { name: t.chinese, drawn: <Avatar size="2xl" alt={t.personName} src={broken} /> },
    { name: t.loading, drawn: <Avatar size="2xl" alt="" loading /> },
  ];
  return (
    <>
      <div className="flex flex-wrap gap-4 items-end min-h-14">
        {sizes.map((size) => (
          <figure className="grid grid-rows-[5rem_1.5rem] gap-1 items-end justify-items-center" key={size}>
            <Avatar size={size} alt={t.vinyl} src={src} />
            <figcaption className="text-xs text-ink-3">{size}</figcaption>
          </figure>
        ))}
      </div>
      <div className="flex flex-wrap gap-4 items-end min-h-14">
        {sizes.map((size) => (
          <figure className="grid grid-rows-[5rem_1.5rem] gap-1 items-end justify-items-center" key={size}>
            <Avatar size={size} alt="White Noise" />
            <figcaption className="text-xs text-ink-3">{size}</figcaption>
          </figure>
        ))}
      </div>
      <div className="flex flex-wrap gap-4 items-end">
        {chain.map(({ name, drawn }) => (
          <figure className="grid grid-rows-[4rem_1.5rem] gap-1 items-end justify-items-center" key={name}>
            {drawn}
            <figcaption className="text-xs text-ink-3">{name}</figcaption>
          </figure>
        ))}
      </div>
    </>
  );
}

interface ChipsProps {
  t: Record<"online" | "messages", string>;
  /** Formats "{count} unread". */
  unread: (count: number) => string;
}

const corners = ["top-right", "bottom-right", "top-left", "bottom-left"] as const;

/** Dots on a circle and a square, and counts at each corner. */
export function Chips({ t, unread }: ChipsProps) {
  return (
    <>
      <div className="flex flex-wrap gap-8 items-end">
        {corners.map((corner) => (
          <figure className="grid grid-rows-[4rem_1.5rem] gap-1 items-end justify-items-center" key={corner}>
            <Chip label={t.online} corner={corner} round>
              <Avatar size="2xl" alt="White Noise" />
            </Chip>
            <figcaption className="text-xs text-ink-3">{corner}</figcaption>
          </figure>
        ))}
      </div>
      <div className="flex flex-wrap gap-8 items-end">
        {corners.map((corner, index) => (
          <figure className="grid grid-rows-[4rem_1.5rem] gap-1 items-end justify-items-center" key={corner}>
            <Chip label={unread([3, 12, 99, 129][index] ?? 1)} corner={corner} count={[3, 12, 99, 129][index]} color="danger">
              <span className="icon-button bg-sunken" role="img" aria-label={t.messages}>
                <Bell className="icon size-5.5" />
              </span>
            </Chip>
            <figcaption className="text-xs text-ink-3">{[3, 12, 99, 129][index]}</figcaption>
          </figure>
        ))}
      </div>
    </>
  );
}

interface BadgesProps {
  t: Record<"onSale" | "issued" | "few" | "awaiting" | "onTheWay" | "opens" | "soldOutTag", string>;
}

/** Tags of all states. */
export function Badges({ t }: BadgesProps) {
  return (
    <div className="flex flex-wrap gap-3 items-center">
      <Tag tone="on">{t.onSale}</Tag>
      <Tag tone="wash">{t.issued}</Tag>
      <Tag tone="warn">{t.few}</Tag>
      <Tag tone="bad">
        <span className="live flex items-center gap-1.5">{t.awaiting}</span>
      </Tag>
      <Tag tone="info">{t.onTheWay}</Tag>
      <Tag tone="line">{t.opens}</Tag>
      <Tag>{t.soldOutTag}</Tag>
    </div>
  );
}
