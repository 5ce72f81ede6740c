import { useRef, useState } from "react";
import type { goods as texts } from "#i18n/goods.ts";
import { toTint } from "#src/lib/tint.ts";
import { Picture, type PictureData } from "#src/ui/Picture.tsx";
import ArrowLeft from "~icons/lucide/arrow-left";
import ArrowRight from "~icons/lucide/arrow-right";

interface GalleryProps {
  pictures: readonly (PictureData & { alt: string })[];
  /** Stands for them where there are none. */
  initial: string;
  /** The name under which a view transition carries the first picture from the previous page. */
  transitionName: string;
  /** AVIF files of what was the first picture at build; the build empties it where they are no smaller. */
  avif?: string | undefined;
  t: Pick<(typeof texts)["zh-CN"], "pictures" | "previous" | "next">;
}

const firstSizes = "(min-width: 60rem) 56vw, 100vw";

/** Shows all pictures of an item: side by side on wide screens, as a carousel on phones. */
export function Gallery({ pictures, initial, transitionName, avif, t }: GalleryProps) {
  const track = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const scrollToIndex = (index: number) => {
    track.current?.scrollTo({ left: track.current.clientWidth * index, behavior: "smooth" });
  };
  const isCarousel = pictures.length > 1;
  return (
    <div className="relative -mx-gutter lg:col-start-1 lg:col-span-7 lg:m-0">
      <section
        className="flex overflow-x-auto [scroll-snap-type:x_mandatory] [scrollbar-width:none] bg-sunken focus-visible:outline-offset-[-3px] lg:grid lg:grid-cols-[1fr_1fr] lg:gap-gap lg:overflow-visible lg:bg-transparent"
        ref={track}
        aria-label={t.pictures}
        onScroll={({ currentTarget }) => setCurrent(Math.round(currentTarget.scrollLeft / currentTarget.clientWidth))}
        {...(isCarousel ? { tabIndex: 0 } : {})}
      >
        {pictures.length === 0 && (
          <p
            className="grid place-items-center aspect-square flex-[0_0_100%] lg:col-span-full bg-sunken font-bold font-display text-[length:clamp(9rem,40vw,25rem)] leading-none text-line-strong"
            aria-hidden="true"
          >
            {initial}
          </p>
        )}
        {pictures.map((picture, index) => {
          const isFirst = index === 0;
          // A crop of a poster would cut its letters: it lies whole on a plate's ground.
          const isPoster = picture.height > picture.width;
          // Two have a row each.
          const wide = isFirst || pictures.length === 2 ? "lg:col-span-full" : "";
          const frame = `flex-[0_0_100%] min-w-0 aspect-square [scroll-snap-align:start] lg:w-full ${wide}`;
          return (
            <picture key={picture.url} className={isPoster ? `${frame} p-6 bg-[#dfe4e9]` : "contents"}>
              {isFirst && avif?.startsWith(picture.url.replace(/\d+\.webp$/, "")) && (
                <source className="hidden" type="image/avif" srcSet={avif} sizes={firstSizes} />
              )}
              <Picture
                picture={picture}
                alt={picture.alt}
                sizes={isFirst ? firstSizes : "(min-width: 60rem) 28vw, 100vw"}
                className={isPoster ? "size-full object-contain" : `${frame} object-cover ${toTint(picture.url) ?? ""}`}
                {...(isFirst ? { fetchPriority: "high", transition: transitionName } : { loading: "lazy" })}
              />
            </picture>
          );
        })}
      </section>
      {isCarousel && (
        <div className="absolute right-4 bottom-4 flex items-center bg-black text-white text-sm rounded-plate lg:hidden">
          <button
            className="grid place-items-center size-11 disabled:opacity-40 disabled:cursor-default focus-visible:outline-lit focus-visible:outline-offset-[-3px] focus-visible:[box-shadow:none]"
            type="button"
            aria-label={t.previous}
            disabled={current === 0}
            onClick={() => scrollToIndex(current - 1)}
          >
            <ArrowLeft className="icon" aria-hidden="true" />
          </button>
          <span className="numeral" translate="no">{`${current + 1} / ${pictures.length}`}</span>
          <button
            className="grid place-items-center size-11 disabled:opacity-40 disabled:cursor-default focus-visible:outline-lit focus-visible:outline-offset-[-3px] focus-visible:[box-shadow:none]"
            type="button"
            aria-label={t.next}
            disabled={current >= pictures.length - 1}
            onClick={() => scrollToIndex(current + 1)}
          >
            <ArrowRight className="icon" aria-hidden="true" />
          </button>
        </div>
      )}
    </div>
  );
}
