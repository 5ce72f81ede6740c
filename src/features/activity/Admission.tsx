import CalendarPlus from "~icons/lucide/calendar-plus";
import { fill } from "../../../i18n/catalogue.ts";
import { localeOf } from "../../../i18n/locale.ts";
import { useStore } from "../../lib/use-store.ts";
import { link } from "../../routes.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { CopyText } from "../../ui/CopyText.tsx";
import { CheckInCode } from "./CheckInCode.tsx";
import type { PlaceProps } from "./Place.tsx";

/** What opens the door, and the evening's entry for a calendar. */
export function Admission({ code, store, words, form, t }: PlaceProps & { code: string }) {
  const { state } = useStore(store.$seat);
  return (
    <section className="admit" aria-label={t.code}>
      <div className="pay-card">
        <CheckInCode text={code} label={fill(t.codeImage, { code })} />
      </div>
      <div className="admit-t">
        <h3>{t.show}</h3>
        <CopyText text={code} what={t.code} t={t} />
        <p className="sm" role="status">
          {state === "booked" && t.booked}
          {state === "already" && t.already}
        </p>
        {words && (
          <p className="ways">
            <ButtonLink
              variant="outline"
              href={`/calendar/${localeOf(form)}/${words.id}.ics`}
              download
              icon={<CalendarPlus className="i" aria-hidden="true" />}
            >
              {t.calendar}
            </ButtonLink>
            <ButtonLink variant="outline" href={link(form, "event", { id: words.id })}>
              {t.event}
            </ButtonLink>
          </p>
        )}
      </div>
    </section>
  );
}
