import type { ReactElement, ReactNode } from "react";
import type { ui } from "#i18n/ui.ts";
import { Avatar } from "#src/ui/Avatar.tsx";
import { Chip } from "#src/ui/Chip.tsx";
import { Tag } from "#src/ui/Tag.tsx";
import Bell from "~icons/lucide/bell";
import User from "~icons/lucide/user";

type Texts = (typeof ui)["zh-CN"];

/** An example above its name. */
function Figure({
  name,
  rows = "grid-rows-[4rem_1.5rem]",
  children,
}: {
  name: ReactNode;
  rows?: string;
  children: ReactElement;
}) {
  return (
    <figure className={`grid ${rows} gap-1 items-end justify-items-center`}>
      {children}
      <figcaption className="text-xs text-ink-3">{name}</figcaption>
    </figure>
  );
}

const sizes = ["3xs", "2xs", "xs", "sm", "md", "lg", "xl", "2xl", "3xl"] as const;
// Invalid bytes: the picture fails without a request.
const broken = "data:image/png;base64,AAAA";

/** Every size and every fallback. */
export function Avatars({ t, src }: { t: Texts; src: string }) {
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
          <Figure name={size} rows="grid-rows-[5rem_1.5rem]" key={size}>
            <Avatar size={size} alt={t.vinyl} src={src} />
          </Figure>
        ))}
      </div>
      <div className="flex flex-wrap gap-4 items-end min-h-14">
        {sizes.map((size) => (
          <Figure name={size} rows="grid-rows-[5rem_1.5rem]" key={size}>
            <Avatar size={size} alt="White Noise" />
          </Figure>
        ))}
      </div>
      <div className="flex flex-wrap gap-4 items-end">
        {chain.map(({ name, drawn }) => (
          <Figure name={name} key={name}>
            {drawn}
          </Figure>
        ))}
      </div>
    </>
  );
}

const corners = [
  ["top-right", 3],
  ["bottom-right", 12],
  ["top-left", 99],
  ["bottom-left", 129],
] as const;

/** Dots on a circle and a square, and counts at each corner. */
export function Chips({ t }: { t: Texts }) {
  return (
    <>
      <div className="flex flex-wrap gap-8 items-end">
        {corners.map(([corner]) => (
          <Figure name={corner} key={corner}>
            <Chip label={t.online} corner={corner} round>
              <Avatar size="2xl" alt="White Noise" />
            </Chip>
          </Figure>
        ))}
      </div>
      <div className="flex flex-wrap gap-8 items-end">
        {corners.map(([corner, count]) => (
          <Figure name={count} key={corner}>
            <Chip label={t.unread.replace("{count}", String(count))} corner={corner} count={count} color="danger">
              <span className="icon-button bg-sunken" role="img" aria-label={t.messages}>
                <Bell className="icon size-5.5" />
              </span>
            </Chip>
          </Figure>
        ))}
      </div>
    </>
  );
}

/** Tags of all states. */
export function Badges({ t }: { t: Texts }) {
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
