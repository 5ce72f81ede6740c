import { useRef, useState } from "react";
import ArrowLeft from "~icons/lucide/arrow-left";
import ArrowRight from "~icons/lucide/arrow-right";
import type { goods as texts } from "../../../i18n/goods.ts";

export interface GalleryPicture {
  url: string;
  width: number;
  height: number;
  alt: string;
}

interface GalleryProps {
  pictures: readonly GalleryPicture[];
  /** The name by which the first one came from the page before. */
  sheet: string;
  t: Pick<(typeof texts)["zh-CN"], "pictures" | "previous" | "next">;
}

/** All pictures of a good: side by side on a desk; on a phone one after the other, by thumb, by key or by button. */
export function Gallery({ pictures, sheet, t }: GalleryProps) {
  const track = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const show = (place: number) => {
    const { current } = track;
    current?.scrollTo({ left: current.clientWidth * place, behavior: "smooth" });
  };
  const follow = () => {
    const { scrollLeft = 0, clientWidth = 1 } = track.current ?? {};
    setAt(Math.round(scrollLeft / clientWidth));
  };
  const several = pictures.length > 1;
  return (
    <div className="gal">
      <section className="trk" ref={track} aria-label={t.pictures} onScroll={follow} {...(several ? { tabIndex: 0 } : {})}>
        {pictures.map(({ url, width, height, alt }, place) => (
          <img
            key={url}
            src={url}
            alt={alt}
            className={height > width ? "tall" : undefined}
            width={width}
            height={height}
            loading={place === 0 ? undefined : "lazy"}
            fetchPriority={place === 0 ? "high" : undefined}
            data-sheet={place === 0 ? sheet : undefined}
          />
        ))}
      </section>
      {several && (
        <div className="cnt">
          <button type="button" aria-label={t.previous} disabled={at === 0} onClick={() => show(at - 1)}>
            <ArrowLeft className="i" aria-hidden="true" />
          </button>
          <span className="num">
            {at + 1} / {pictures.length}
          </span>
          <button type="button" aria-label={t.next} disabled={at >= pictures.length - 1} onClick={() => show(at + 1)}>
            <ArrowRight className="i" aria-hidden="true" />
          </button>
        </div>
      )}
    </div>
  );
}
