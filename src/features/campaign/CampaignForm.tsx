import { type FormEvent, useEffect, useRef, useState } from "react";
import type { campaign as texts } from "../../../i18n/campaign.ts";
import { fill } from "../../../i18n/catalogue.ts";
import type { Booking } from "../../api/booking.ts";
import { fieldErrors } from "../../api/problem.ts";
import { scrollOnceDrawn, useFocusFirstError } from "../../lib/scroll.ts";
import { useStore } from "../../lib/use-store.ts";
import { Button } from "../../ui/Button.tsx";
import { Confirm } from "../../ui/Confirm.tsx";
import { Choices } from "../../ui/form/Choices.tsx";
import { Field } from "../../ui/form/Field.tsx";
import { addresses } from "../address/store.ts";
import { add } from "../notification/store.ts";
import { getLoginMobile } from "../session/store.ts";
import { StopChoice } from "./StopChoice.tsx";
import { bookingDraft, type Campaign, submitBooking, withdrawBooking } from "./store.ts";

interface CampaignFormProps {
  t: Omit<(typeof texts)["zh-CN"], "none" | "soon" | "closed" | "checkedIn">;
  data: Campaign;
  /** The style: on the campaign's page, or in a dialog. */
  className: string;
  onBooked: (booking: Booking) => void;
  onWithdrawn: (data: Campaign) => void;
}

const partySizes = ["1", "2", "3", "4"].map((size) => ({ value: size, label: size }));

/** The form of a pre-registration, filled from the draft, the booking or the member's first address. */
export function CampaignForm({
  t,
  data: { booking, campaign, server_time },
  className,
  onBooked,
  onWithdrawn,
}: CampaignFormProps) {
  const draft = useStore(bookingDraft.$values);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState<"submit" | "withdraw">();
  const [isSaved, setSaved] = useState(false);
  const formRef = useFocusFirstError(errors);
  const entry = useRef<HTMLParagraphElement>(null);
  const submitButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isSaved) return;
    entry.current?.focus({ preventScroll: true });
    scrollOnceDrawn(entry.current, "nearest");
    setSaved(false);
  }, [isSaved]);
  const addressState = useStore(addresses.$state);
  const address = addressState.state === "ready" ? addressState.data[0] : undefined;
  const values = {
    campaign: campaign.uid,
    stop: draft.stop ?? booking?.stop ?? "",
    name: draft.name ?? booking?.name ?? address?.name ?? "",
    mobile: draft.mobile ?? booking?.mobile ?? address?.mobile ?? getLoginMobile(),
    party_size: draft.party_size ?? booking?.party_size ?? 1,
    note: draft.note ?? booking?.note ?? "",
  };
  const set = (change: Partial<typeof values>) => bookingDraft.save(change);
  const getCity = (stop: string) => campaign.stops.find((other) => other.stop === stop)?.city ?? "";

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (!values.stop) return setErrors({ stop: t.chooseStop });
    setBusy("submit");
    setErrors({});
    try {
      const saved = await submitBooking(values);
      add({ title: fill(booking ? t.changed : t.done, { city: getCity(saved.stop) }) });
      onBooked(saved);
      setSaved(true);
    } catch (error) {
      setErrors(fieldErrors(error) ?? {});
    }
    setBusy(undefined);
  }

  async function withdraw() {
    if (busy || !booking) return;
    setBusy("withdraw");
    try {
      onWithdrawn(await withdrawBooking(booking));
      add({ title: t.withdrawn });
      submitButton.current?.focus();
    } catch {}
    setBusy(undefined);
  }

  return (
    <form ref={formRef} className={className} onSubmit={submit} noValidate>
      {booking && (
        <p ref={entry} tabIndex={-1}>
          {fill(t.yours, { city: getCity(booking.stop), n: booking.party_size })}
        </p>
      )}
      <StopChoice
        t={t}
        stops={campaign.stops}
        now={Date.parse(server_time)}
        chosen={values.stop}
        ownStop={booking?.stop}
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
      {/* In one row, where there is room: withdrawing is as quiet as it is rare, and booking moves nothing below. */}
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <Button ref={submitButton} type="submit" sign size="xl" busy={busy === "submit"}>
          {booking ? t.change : t.submit}
        </Button>
        {booking?.actions?.cancel && (
          <Confirm label={t.withdraw} body={t.withdrawBody} busy={busy === "withdraw"} onConfirm={withdraw} />
        )}
      </div>
    </form>
  );
}
