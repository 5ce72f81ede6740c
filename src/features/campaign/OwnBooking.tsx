import { type ComponentProps, useEffect, useState } from "react";
import { fill } from "../../../i18n/catalogue.ts";
import { getLocale, type Prefix } from "../../../i18n/locale.ts";
import type { memberPage } from "../../../i18n/member.ts";
import type { OwnStates } from "../../../i18n/state.ts";
import { joinPlace } from "../../api/address-line.ts";
import { bookingInfo } from "../../api/booking.ts";
import { toProblem } from "../../api/problem.ts";
import { saveSnapshots, sendOrFind } from "../../api/snapshot.ts";
import { formatDate, formatDateTime, formatMonthDay, formatTime } from "../../lib/date.ts";
import { groupByFour } from "../../lib/format.ts";
import { onReturn } from "../../lib/page-lifecycle.ts";
import { useDeferredStore, useStore } from "../../lib/use-store.ts";
import { link } from "../../routes.ts";
import { Button, ButtonLink } from "../../ui/Button.tsx";
import { Dialog, useModule } from "../../ui/Dialog.tsx";
import { island } from "../../ui/Island.tsx";
import type { PictureData } from "../../ui/Picture.tsx";
import { ResourceView } from "../../ui/ResourceView.tsx";
import { Tag } from "../../ui/Tag.tsx";
import { TicketCard, TicketSkeleton } from "../../ui/TicketCard.tsx";
import type { CampaignForm } from "./CampaignForm.tsx";
import { bookingDraft, type Campaign, campaignStore } from "./store.ts";

interface OwnBookingProps {
  /** The uid of the current campaign at build, whose space is reserved while it loads. */
  expected: string | undefined;
  prefix: Prefix;
  /** Page and picture of each campaign, by uid. */
  campaigns: Record<string, { href: string; cover: PictureData }>;
  t: Pick<
    (typeof memberPage)["zh-CN"],
    "registered" | "people" | "changeUntil" | "change" | "changeTitle" | "closed" | "invite" | "openUntil" | "soon" | "code"
  >;
  fields: Omit<ComponentProps<typeof CampaignForm>["t"], "change"> & { checkedIn: string };
  states: OwnStates;
}

function getPhase({ campaign, server_time }: Campaign): "soon" | "open" | "over" {
  const now = Date.parse(server_time);
  if (now < Date.parse(campaign.opens_at)) return "soon";
  return now < Date.parse(campaign.closes_at) ? "open" : "over";
}

function OwnBookingCard({ prefix, campaigns, t, fields, data }: OwnBookingProps & { data: Campaign }) {
  const { booking, campaign } = data;
  const stop = campaign.stops.find(({ stop }) => stop === booking?.stop);
  const closes = formatDateTime(campaign.closes_at);
  const { href = link(prefix, "campaign"), cover } = campaigns[campaign.uid] ?? {};
  const isOpen = getPhase(data) === "open";
  const isFixed = booking?.actions?.change === false;
  const isChangeable = isOpen && !isFixed && !data.takenAt;
  if (!booking || !stop) {
    const line = {
      soon: fill(t.soon, { date: formatDate(new Date(campaign.opens_at)) }),
      open: fill(t.openUntil, { date: closes }),
      over: t.closed,
    };
    return (
      <TicketCard picture={cover} href={href} title={campaign.title} line={line[getPhase(data)]}>
        {isChangeable && (
          <ButtonLink className="ml-auto lg:m-0" variant="outline" size="lg" href={href}>
            {t.invite}
          </ButtonLink>
        )}
      </TicketCard>
    );
  }
  const starts = new Date(stop.starts_at);
  return (
    <TicketCard
      picture={cover}
      href={href}
      date={formatMonthDay(starts)}
      tag={<Tag tone="on">{t.registered}</Tag>}
      title={campaign.title}
      line={`${joinPlace(stop.city, stop.venue, getLocale(prefix))} ${formatTime(starts)} · ${t.people} ${booking.party_size}`}
      stub={
        booking.check_in_code
          ? { label: t.code, value: groupByFour(booking.check_in_code) }
          : { label: t.people, value: [String(booking.party_size)] }
      }
    >
      <span className="text-sm text-ink-2">
        {isOpen ? (isFixed ? fields.checkedIn : fill(t.changeUntil, { date: closes })) : t.closed}
      </span>
      {isChangeable && (
        <Button
          className="only:ml-auto lg:only:m-0"
          variant="outline"
          size="sm"
          onClick={() => bookingDraft.save({ open: true })}
        >
          {t.change}
        </Button>
      )}
    </TicketCard>
  );
}

async function loadOwn(): Promise<Campaign> {
  const { data, takenAt } = await sendOrFind(bookingInfo);
  return { ...data, takenAt };
}

const loadForm = () => import("./CampaignForm.tsx");
const closeForm = () => bookingDraft.save({ open: false });

function OwnBookingIsland(props: OwnBookingProps) {
  const { prefix, t, fields, states } = props;
  const [store] = useState(() => campaignStore((error) => toProblem(error, states), loadOwn));
  const { open = false } = useStore(bookingDraft.$values);
  useEffect(bookingDraft.restore, []);
  const Form = useModule(open, loadForm, closeForm)?.CampaignForm;
  useEffect(
    () =>
      onReturn(() => {
        const current = store.$state.get();
        // What the device has stored, which the tickets above mark.
        if (current.state === "ready" && current.data?.takenAt) void store.refresh();
      }),
    [store],
  );
  const change = (data: Campaign) => {
    store.set(data);
    saveSnapshots(bookingInfo, [[undefined, data]]);
  };
  return (
    <ResourceView
      resource={useDeferredStore(store.$state)}
      onRetry={store.load}
      loginHref={link(prefix, "login", {}, { redirect: "/user/info" })}
      skeleton={props.expected && <TicketSkeleton />}
      t={states}
    >
      {(data) =>
        data && (
          <>
            <OwnBookingCard {...props} data={data} />
            <Dialog
              title={t.changeTitle}
              open={
                open &&
                Form !== undefined &&
                !data.takenAt &&
                data.booking?.actions?.change !== false &&
                (data.booking !== null || getPhase(data) === "open")
              }
              onClose={closeForm}
              wide
            >
              {open && Form && (
                <Form
                  className="own-booking grid gap-5 mt-5"
                  t={{ ...fields, change: t.change }}
                  data={data}
                  onBooked={(booking) => change({ ...data, booking })}
                  onWithdrawn={change}
                />
              )}
            </Dialog>
          </>
        )
      }
    </ResourceView>
  );
}

/** Shows the member's pre-registration and changes it until the campaign closes; draws nothing without a campaign. */
export const OwnBooking = island(OwnBookingIsland);
