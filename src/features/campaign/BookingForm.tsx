import { useEffect, useState } from "react";
import type { campaign as texts } from "#i18n/campaign.ts";
import type { state } from "#i18n/state.ts";
import { type Booking, bookingInfo } from "#src/api/booking.ts";
import { toProblem } from "#src/api/problem.ts";
import { saveSnapshots, sendOrFind } from "#src/api/snapshot.ts";
import { $session } from "#src/features/session/store.ts";
import { useStore } from "#src/lib/use-store.ts";
import { ButtonLink } from "#src/ui/Button.tsx";
import { DatedText } from "#src/ui/Day.tsx";
import { island } from "#src/ui/Island.tsx";
import { ResourceView, SkeletonLines } from "#src/ui/ResourceView.tsx";
import { CampaignForm, OwnEntry } from "./CampaignForm.tsx";
import { bookingDraft, type Campaign, campaignStore, loadCampaign } from "./store.ts";

/** The buttons are in one row, where there is room: withdrawing is as quiet as it is rare, and booking moves nothing below. */
const formStyle = {
  form: "booking-form grid gap-6",
  buttons: "flex flex-wrap items-start gap-x-6 gap-y-3 [&_summary]:[--h:3.5rem]",
  submit: "",
};

interface BookingFormProps {
  t: (typeof texts)["zh-CN"];
  states: (typeof state)["zh-CN"];
  loginHref: string;
  /** The uid of the campaign that the page shows. */
  campaign: string;
  /** It was the current one at build. */
  isCurrent: boolean;
  /** The button's text for a visitor. */
  invite: string;
}

function BookingFormIsland({ t, states, loginHref, campaign, isCurrent, invite }: BookingFormProps) {
  const [store] = useState(() =>
    campaignStore(
      (error) => toProblem(error, states),
      () => loadCampaign(campaign, isCurrent),
    ),
  );
  const session = useStore($session);
  const state = useStore(store.$state);
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => {
    bookingDraft.restore();
    setHydrated(true);
  }, []);
  // The build draws what a visitor sees: a link that works without a script.
  if (!isHydrated || session.state === "visitor") {
    return (
      <ButtonLink sign size="xl" href={loginHref}>
        {invite}
      </ButtonLink>
    );
  }
  return (
    <ResourceView
      resource={state}
      onRetry={store.load}
      loginHref={loginHref}
      skeleton={<SkeletonLines heights={["h-14", "h-14", "h-14", "h-14", "h-20", "h-20"]} />}
      t={states}
    >
      {(data) => {
        if (!data) return <p>{t.none}</p>;
        const now = Date.parse(data.server_time);
        if (now < Date.parse(data.campaign.opens_at)) {
          return (
            <p>
              <DatedText text={t.soon} dates={{ date: { date: data.campaign.opens_at, form: "day" } }} />
            </p>
          );
        }
        if (now >= Date.parse(data.campaign.closes_at)) return <p>{t.closed}</p>;
        const { booking } = data;
        if (booking?.actions?.change === false)
          return <OwnEntry t={t} data={{ ...data, booking }} note={<span>{t.fixed}</span>} />;
        const change = (changed: Campaign) => {
          store.set(changed);
          // The profile reads it without a connection.
          if (data.isCurrent) saveSnapshots(bookingInfo, [[undefined, changed]]);
          else void sendOrFind(bookingInfo, undefined, true).catch(() => {});
          // `AvailabilityScript.astro` marks the stop of the member.
          dispatchEvent(new Event("bookingchange"));
        };
        const setBooking = (booking: Booking) => {
          change({ ...data, booking });
          // The places that are left.
          void store.refresh();
        };
        return (
          <CampaignForm
            classNames={formStyle}
            t={t}
            data={data}
            onBooked={setBooking}
            onWithdrawn={(changed) => change({ ...data, ...changed })}
            onRefused={store.refresh}
          />
        );
      }}
    </ResourceView>
  );
}

/** Shows the member's pre-registration for a campaign and changes it until the campaign closes. */
export const BookingForm = island(BookingFormIsland);
