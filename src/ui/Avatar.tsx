import { type ReactNode, useEffect, useRef, useState } from "react";
import { getFallback } from "#src/lib/avatar.ts";

type AvatarSize = "3xs" | "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl";

/** The diameter, which is the disc's font size. */
const sizes: Record<AvatarSize, string> = {
  "3xs": "text-[1rem]",
  "2xs": "text-[1.25rem]",
  xs: "text-[1.5rem]",
  sm: "text-[2rem]",
  md: "text-[2.5rem]",
  lg: "text-[3rem]",
  xl: "text-[3.5rem]",
  "2xl": "text-[4rem]",
  "3xl": "text-[5rem]",
  "4xl": "text-[6.5rem]",
};

const disc =
  "avatar relative inline-grid size-[1em] flex-none grid-cols-[100%] grid-rows-[100%] place-items-center overflow-hidden rounded-full bg-wash font-bold font-display leading-none tracking-normal text-accent-ink";

interface AvatarProps {
  /** Name of the person. Empty for a decoration. */
  alt: string;
  src?: string | undefined;
  text?: string | undefined;
  icon?: ReactNode;
  size?: AvatarSize;
  /** Shows a skeleton disc while the person loads. */
  loading?: boolean;
}

type Picture = "unknown" | "waiting" | "shown" | "failed";

/**
 * Shows a picture; without one, or when it fails: text, else icon, else the initials of `alt`.
 * The server renders the picture over its fallback, so that the chain works without a script.
 */
export function Avatar({ alt, src, text, icon, size = "md", loading }: AvatarProps) {
  const image = useRef<HTMLImageElement>(null);
  const [picture, setPicture] = useState<{ src: string | undefined; state: Picture }>({ src, state: "unknown" });
  const state = picture.src === src ? picture.state : "waiting";
  useEffect(() => {
    const { complete = false, naturalWidth = 0 } = image.current ?? {};
    setPicture({ src, state: !complete ? "waiting" : naturalWidth > 0 ? "shown" : "failed" });
  }, [src]);
  const name = alt ? { role: "img", "aria-label": alt } : { "aria-hidden": true };
  if (loading) return <span className={`${disc} ${sizes[size]} skeleton`} aria-hidden="true" />;
  const hasPicture = src !== undefined && src !== "" && state !== "failed";
  const waits = hasPicture && state === "waiting";
  return (
    <span className={`${disc} ${sizes[size]} ${waits ? "skeleton" : ""}`} {...name}>
      {(!hasPicture || state === "unknown") && (
        <span className="grid place-items-center [grid-area:1_/_1] size-full text-[0.38em]">
          {getFallback(alt, text, icon)}
        </span>
      )}
      {hasPicture && (
        <img
          className="[grid-area:1_/_1] min-w-full max-w-full min-h-full max-h-full object-cover"
          ref={image}
          src={src}
          alt=""
          onLoad={() => setPicture({ src, state: "shown" })}
          onError={() => setPicture({ src, state: "failed" })}
        />
      )}
    </span>
  );
}
