import { type FormEvent, useEffect, useRef, useState } from "react";
import type { campaign as texts } from "../../../i18n/campaign.ts";
import { fill } from "../../../i18n/catalogue.ts";
import type { Booking } from "../../api/booking.ts";
import { fieldErrors } from "../../api/problem.ts";
import { scrollOnceDrawn } from "../../lib/scroll-once-drawn.ts";
import { useFocusFirstError } from "../../lib/use-first-wrong.ts";
import { useStore } from "../../lib/use-store.ts";
import { Button } from "../../ui/Button.tsx";
import { Choices } from "../../ui/Choices.tsx";
import { Field } from "../../ui/Field.tsx";
import { addresses } from "../address/store.ts";
import { add } from "../notification/store.ts";
import { getLoginMobile } from "../session/store.ts";
import { StopChoice } from "./StopChoice.tsx";
import { bookingDraft, type Campaign, submitBooking } from "./store.ts";

interface CampaignFormProps {
  t: Omit<(typeof texts)["zh-CN"], "login" | "none" | "soon" | "closed">;
  data: Campaign;
  /** How it is drawn: on the campaign's own ground, or on a page's. */
  className: "spring-form" | "own-booking";
  onBooked: (booking: Booking) => void;
}

const partySizes = ["1", "2", "3", "4"].map((size) => ({ value: size, label: size }));

/** The fields of a pre-registration: what was typed before, is booked already, or is known of the member. */
export function CampaignForm({ t, data: { booking, campaign }, className, onBooked }: CampaignFormProps) {
  const draft = useStore(bookingDraft.$values);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const [isMade, setMade] = useState(false);
  const form = useFocusFirstError(errors);
  const entry = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (!isMade) return;
    entry.current?.focus({ preventScroll: true });
    scrollOnceDrawn(entry.current, "nearest");
    setMade(false);
  }, [isMade]);
  const stored = useStore(addresses.$state);
  const home = stored.state === "ready" ? stored.data[0] : undefined;
  const values = {
    campaign: campaign.uid,
    stop: draft.stop ?? booking?.stop ?? "",
    name: draft.name ?? booking?.name ?? home?.name ?? "",
    mobile: draft.mobile ?? booking?.mobile ?? home?.mobile ?? getLoginMobile(),
    party_size: draft.party_size ?? booking?.party_size ?? 1,
    note: draft.note ?? booking?.note ?? "",
  };
  const set = (change: Partial<typeof values>) => bookingDraft.save(change);
  const cityOf = (stop: string) => campaign.stops.find((one) => one.stop === stop)?.city ?? "";

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (!values.stop) return setErrors({ stop: t.chooseStop });
    setBusy(true);
    setErrors({});
    try {
      const made = await submitBooking(values);
      add({ title: fill(booking ? t.changed : t.done, { city: cityOf(made.stop) }) });
      onBooked(made);
      setMade(true);
    } catch (caught) {
      setErrors(fieldErrors(caught) ?? {});
    }
    setBusy(false);
  }

  return (
    <form ref={form} className={className} onSubmit={submit} noValidate>
      {booking && (
        <p ref={entry} tabIndex={-1}>
          {fill(t.yours, { city: cityOf(booking.stop), n: booking.party_size })}
        </p>
      )}
      <StopChoice
        t={t}
        stops={campaign.stops}
        chosen={values.stop}
        mine={booking?.stop}
        onChoose={(stop) => set({ stop })}
        error={errors.stop}
      />
      <div className="booking-row">
        <Field
          label={t.name}
          autoComplete="name"
          maxLength={25}
          value={values.name}
          onChange={(event) => set({ name: event.target.value })}
          error={errors.name}
        />
        <Field
          label={t.mobile}
          autoComplete="tel"
          inputMode="tel"
          value={values.mobile}
          onChange={(event) => set({ mobile: event.target.value })}
          error={errors.mobile}
        />
        <Choices
          legend={t.party}
          choices={partySizes}
          value={String(values.party_size)}
          onChoose={(size) => set({ party_size: Number(size) })}
        />
        <Field
          label={t.note}
          maxLength={200}
          value={values.note}
          onChange={(event) => set({ note: event.target.value })}
          error={errors.note}
        />
      </div>
      <Button type="submit" sign size="xl" busy={busy}>
        {booking ? t.change : t.submit}
      </Button>
    </form>
  );
}
