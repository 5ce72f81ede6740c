import { Tag } from "../Tag.tsx";

interface BadgesProps {
  t: Record<"onSale" | "issued" | "few" | "awaiting" | "onTheWay" | "opens" | "soldOutTag", string>;
}

/** Tags of all states. */
export function Badges({ t }: BadgesProps) {
  return (
    <div className="rw">
      <Tag tone="on">{t.onSale}</Tag>
      <Tag tone="wash">{t.issued}</Tag>
      <Tag tone="warn">{t.few}</Tag>
      <Tag tone="bad" live>
        {t.awaiting}
      </Tag>
      <Tag tone="info">{t.onTheWay}</Tag>
      <Tag tone="line">{t.opens}</Tag>
      <Tag>{t.soldOutTag}</Tag>
    </div>
  );
}
