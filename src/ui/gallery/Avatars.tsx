import User from "~icons/lucide/user";
import { Avatar } from "../Avatar.tsx";

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
  const icon = <User className="i" />;
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
      <div className="rw al sizes">
        {sizes.map((size) => (
          <figure key={size}>
            <Avatar size={size} alt={t.vinyl} src={src} />
            <figcaption>{size}</figcaption>
          </figure>
        ))}
      </div>
      <div className="rw al sizes">
        {sizes.map((size) => (
          <figure key={size}>
            <Avatar size={size} alt="White Noise" />
            <figcaption>{size}</figcaption>
          </figure>
        ))}
      </div>
      <div className="rw al">
        {chain.map(({ name, drawn }) => (
          <figure key={name}>
            {drawn}
            <figcaption>{name}</figcaption>
          </figure>
        ))}
      </div>
    </>
  );
}
