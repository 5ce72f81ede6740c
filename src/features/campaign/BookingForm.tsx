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
import { ResourceView } from "../../ui/ResourceView.tsx";
import { SkeletonLines } from "../../ui/SkeletonLines.tsx";
import { $session } from "../session/store.ts";
import { CampaignForm } from "./CampaignForm.tsx";
import { bookingDraft, campaignStore } from "./store.ts";

interface BookingFormProps {
  t: (typeof texts)["zh-CN"];
  states: (typeof state)["zh-CN"];
  loginHref: string;
  /** What the page's button says to a visitor. */
  invite: string;
}

function BookingFormIsland({ t, states, loginHref, invite }: BookingFormProps) {
  const [store] = useState(() => campaignStore((caught) => toProblem(caught, states)));
  const current = useStore($session);
  const loaded = useStore(store.$state);
  const [here, setHere] = useState(false);
  useEffect(() => {
    bookingDraft.restore();
    setHere(true);
  }, []);
  // The server knows nobody: it draws what a visitor sees, a link that works without a script.
  if (!here || current.state === "visitor") {
    return (
      <ButtonLink sign size="xl" href={loginHref}>
        {invite}
      </ButtonLink>
    );
  }
  return (
    <ResourceView
      resource={loaded}
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
        if (now >= Date.parse(data.campaign.closes_at)) return <p>{t.closed}</p>;
        const show = (booking: Booking) => store.set({ ...data, booking });
        return <CampaignForm className="spring-form" t={t} data={data} onBooked={show} />;
      }}
    </ResourceView>
  );
}

/** The pre-registration of a campaign: shows one's own booking and changes it until it closes. */
export const BookingForm = island(BookingFormIsland);
