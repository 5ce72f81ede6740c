import type { seat } from "../../../i18n/activity.ts";
import { fill } from "../../../i18n/catalogue.ts";
import { getLocale, type Prefix } from "../../../i18n/locale.ts";
import type { Activity } from "../../api/activity.ts";
import type { Problem } from "../../api/problem.ts";
import { posterSize, posterUrl } from "../../lib/poster.ts";
import { Tag, type TagTone } from "../../ui/Tag.tsx";
import type { Words } from "./ActivityView.tsx";
import { Admission } from "./Admission.tsx";
import { BookSeat } from "./BookSeat.tsx";
import type { activityStore } from "./store.ts";
import { Ticket } from "./Ticket.tsx";

export interface SeatProps {
  activity: Activity;
  store: ReturnType<typeof activityStore<Problem>>;
  words: Words | undefined;
  prefix: Prefix;
  t: (typeof seat)["zh-CN"];
}

const tones: Record<Activity["status"], TagTone> = { open: "on", full: "plain", closed: "plain", not_open: "line" };

export function Seat(props: SeatProps) {
  const { activity, words, prefix, t } = props;
  const locale = getLocale(prefix);
  const lang = words && words.locale !== locale ? words.locale : undefined;
  const isMine = activity.my_status === "booked" && activity.check_in_code !== null;
  const states = { open: t.open, full: t.full, closed: t.closed, not_open: t.notOpen };
  const [width, height] = posterSize(words?.poster ?? "e-");
  return (
    <div className="g12 ev seat">
      <figure className="ev-p">
        {words && (
          <img
            src={posterUrl(words.poster, locale)}
            alt={fill(t.posterOf, { title: activity.title })}
            width={width}
            height={height}
          />
        )}
      </figure>
      <div className="ev-t pile">
        <p className="s">
          <Tag tone={isMine ? "wash" : tones[activity.status]}>{isMine ? t.booked : states[activity.status]}</Tag>
        </p>
        <div>
          <h2>{activity.title}</h2>
          {words && (
            <p className="by" lang={lang}>
              {words.lineUp}
            </p>
          )}
        </div>
        {isMine && <Admission {...props} code={activity.check_in_code ?? ""} />}
        <Ticket {...props} />
        <section className="box">
          <h3 className="lbl">{t.terms}</h3>
          <p lang={lang}>{words?.terms ?? t.onePlace}</p>
        </section>
        {!isMine && <BookSeat {...props} />}
      </div>
    </div>
  );
}
