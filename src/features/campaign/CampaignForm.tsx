import { type FormEvent, type ReactElement, type Ref, useEffect, useRef, useState } from "react";
import type { campaign as texts } from "#i18n/campaign.ts";
import { fill } from "#i18n/catalogue.ts";
import type { Booking } from "#src/api/booking.ts";
import { fieldErrors } from "#src/api/problem.ts";
import { addresses } from "#src/features/address/store.ts";
import { add } from "#src/features/notification/store.ts";
import { getLoginMobile } from "#src/features/session/store.ts";
import { groupByFour } from "#src/lib/format.ts";
import { scrollOnceDrawn, useFocusFirstError } from "#src/lib/scroll.ts";
import { useStore } from "#src/lib/use-store.ts";
import { Button } from "#src/ui/Button.tsx";
import { Confirm } from "#src/ui/Confirm.tsx";
import { DatedText } from "#src/ui/Day.tsx";
import { Choices } from "#src/ui/form/Choices.tsx";
import { Field } from "#src/ui/form/Field.tsx";
import { Notice } from "#src/ui/Notice.tsx";
import { Former, StopChoice } from "./StopChoice.tsx";
import { bookingDraft, type Campaign, getChangeEnd, getOwnStop, submitBooking, withdrawBooking } from "./store.ts";

interface CampaignFormProps {
  t: Omit<(typeof texts)["zh-CN"], "none" | "soon" | "closed" | "fixed">;
  data: Campaign;
  /** The style: on the campaign's page, or in a dialog. Each page has the rules of its own alone. */
  classNames: Record<"form" | "buttons" | "submit", string>;
  onBooked: (booking: Booking) => void;
  onWithdrawn: (data: Campaign) => void;
  /** Loads again after a refusal: the booking may have been checked in meanwhile, or the campaign closed. */
  onRefused: () => void;
}

const partySizes = ["1", "2", "3", "4"].map((size) => ({ value: size, label: size }));

interface OwnEntryProps {
  t: Pick<CampaignFormProps["t"], "yours" | "code" | "cancelledBody" | "cancelledBooked" | "movedFrom">;
  data: Campaign & { booking: Booking };
  /** Until when it can be changed. */
  note: ReactElement;
  ref?: Ref<HTMLDivElement>;
}

/** The member's pre-registration: stop, hour, people and the check-in code, which a cancelled stop has no use for. */
export function OwnEntry({ t, data, note, ref }: OwnEntryProps) {
  const { booking } = data;
  const { city = "", starts_at, status, moved_from } = getOwnStop(data) ?? {};
  const isCancelled = status === "cancelled";
  return (
    <div ref={ref} className="grid gap-1 py-1 pl-4 border-l-4 border-[var(--mark,var(--accent))]" tabIndex={-1}>
      <p className="text-xl font-bold font-display leading-[1.3] lg:text-2xl">
        <DatedText
          text={fill(t.yours, { city, n: booking.party_size })}
          dates={starts_at ? { date: { date: starts_at, form: "dayTime" } } : {}}
        />
      </p>
      {moved_from && <Former text={t.movedFrom} date={moved_from} />}
      {isCancelled && <Notice>{booking.actions?.change === false ? t.cancelledBody : t.cancelledBooked}</Notice>}
      {booking.check_in_code && !isCancelled && (
        <p className="grid lg:flex lg:items-baseline lg:gap-x-3">
          <span>{t.code}</span>{" "}
          <b translate="no" className="numeral text-[2.5rem] leading-[1.1] tracking-[0.02em] whitespace-nowrap lg:text-5xl">
            {groupByFour(booking.check_in_code).join(" ")}
          </b>
        </p>
      )}
      <p className="text-sm">{note}</p>
    </div>
  );
}

/** The form of a pre-registration, filled from the draft, the booking or the member's first address. */
export function CampaignForm({ t, data, classNames, onBooked, onWithdrawn, onRefused }: CampaignFormProps) {
  const { booking, campaign, server_time } = data;
  const draft = useStore(bookingDraft.$values);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState<"submit" | "withdraw">();
  const [isSaved, setSaved] = useState(false);
  const formRef = useFocusFirstError(errors);
  const entry = useRef<HTMLDivElement>(null);
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
    stop: draft.stop ?? (getOwnStop(data)?.status === "cancelled" ? "" : (booking?.stop ?? "")),
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
      const reasons = fieldErrors(error);
      setErrors(reasons ?? {});
      if (!reasons) onRefused();
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
    } catch {
      onRefused();
    }
    setBusy(undefined);
  }

  return (
    <form ref={formRef} className={classNames.form} onSubmit={submit} noValidate>
      {booking && (
        <OwnEntry
          ref={entry}
          t={t}
          data={{ ...data, booking }}
          note={<DatedText text={t.until} dates={{ date: { date: getChangeEnd(data), form: "dateTime" } }} />}
        />
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
      <div className="grid gap-4 md:grid-cols-2 [&_legend]:mb-1.5 [&_.choices_span]:min-w-13 [&_.choices_span]:min-h-13">
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
      <div className={classNames.buttons}>
        <p className={classNames.submit}>
          <Button ref={submitButton} type="submit" sign size="xl" busy={busy === "submit"}>
            {booking ? t.change : t.submit}
          </Button>
        </p>
        {booking?.actions?.cancel && (
          <Confirm label={t.withdraw} body={t.withdrawBody} busy={busy === "withdraw"} onConfirm={withdraw} />
        )}
      </div>
    </form>
  );
}
