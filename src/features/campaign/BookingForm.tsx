import { useEffect, useState } from "react";
import type { campaign as texts } from "../../../i18n/campaign.ts";
import { fill } from "../../../i18n/catalogue.ts";
import type { state } from "../../../i18n/state.ts";
import type { Booking } from "../../api/booking.ts";
import { toProblem } from "../../api/problem.ts";
import { formatMonthDay } from "../../lib/date.ts";
import { useStore } from "../../lib/use-store.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { island } from "../../ui/Island.tsx";
import { ResourceView, SkeletonLines } from "../../ui/ResourceView.tsx";
import { $session } from "../session/store.ts";
import { CampaignForm } from "./CampaignForm.tsx";
import { bookingDraft, campaignStore, loadCampaign } from "./store.ts";

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
    campaignStore((error) => toProblem(error, states), isCurrent ? undefined : () => loadCampaign(campaign)),
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
          return <p>{fill(t.soon, { date: formatMonthDay(new Date(data.campaign.opens_at)) })}</p>;
        }
        // Since the build, another campaign may have become the current one.
        if (data.campaign.uid !== campaign || now >= Date.parse(data.campaign.closes_at)) return <p>{t.closed}</p>;
        if (data.booking?.actions?.change === false) return <p>{t.checkedIn}</p>;
        const setBooking = (booking: Booking) => {
          store.set({ ...data, booking });
          // The places that are left.
          void store.refresh();
        };
        return (
          <CampaignForm
            className="booking-form grid gap-6 max-w-176"
            t={t}
            data={data}
            onBooked={setBooking}
            onWithdrawn={store.set}
          />
        );
      }}
    </ResourceView>
  );
}

/** Shows the member's pre-registration for a campaign and changes it until the campaign closes. */
export const BookingForm = island(BookingFormIsland);
