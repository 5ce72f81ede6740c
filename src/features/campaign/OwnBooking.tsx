import { type ComponentProps, type ReactElement, type ReactNode, useEffect, useState } from "react";
import { fill } from "#i18n/catalogue.ts";
import { getLocale, type Prefix } from "#i18n/locale.ts";
import type { memberPage } from "#i18n/member.ts";
import type { OwnStates } from "#i18n/state.ts";
import { joinPlace } from "#src/api/address-line.ts";
import { type Booking, bookingInfo, type Stop } from "#src/api/booking.ts";
import { toProblem } from "#src/api/problem.ts";
import { saveSnapshots, sendOrFind } from "#src/api/snapshot.ts";
import { formatWhen } from "#src/lib/date.ts";
import { groupByFour } from "#src/lib/format.ts";
import { useDeferredStore, useStore } from "#src/lib/use-store.ts";
import { link } from "#src/routes.ts";
import { Button, ButtonLink } from "#src/ui/Button.tsx";
import { DatedText } from "#src/ui/Day.tsx";
import { Dialog, useModule } from "#src/ui/Dialog.tsx";
import { island } from "#src/ui/Island.tsx";
import type { PictureData } from "#src/ui/Picture.tsx";
import { ResourceView } from "#src/ui/ResourceView.tsx";
import { Tag } from "#src/ui/Tag.tsx";
import { TicketCard, TicketSkeleton } from "#src/ui/TicketCard.tsx";
import type { CampaignForm } from "./CampaignForm.tsx";
import { bookingDraft, type Campaign, campaignStore, getChangeEnd, getOwnStop } from "./store.ts";

interface OwnBookingProps {
  /** The uid of the current campaign at build, whose space is reserved while it loads. */
  expected: string | undefined;
  prefix: Prefix;
  /** Page and picture of each campaign, by uid. */
  campaigns: Record<string, { href: string; cover: PictureData }>;
  t: Pick<
    (typeof memberPage)["zh-CN"],
    "registered" | "cancelled" | "people" | "change" | "changeTitle" | "closed" | "invite" | "openUntil" | "soon"
  >;
  fields: ComponentProps<typeof CampaignForm>["t"] & { fixed: string };
  states: OwnStates;
}

function getPhase({ campaign, server_time }: Campaign): "soon" | "open" | "over" {
  const now = Date.parse(server_time);
  if (now < Date.parse(campaign.opens_at)) return "soon";
  return now < Date.parse(campaign.closes_at) ? "open" : "over";
}

function OwnBookingCard({ prefix, campaigns, t, fields, data }: OwnBookingProps & { data: Campaign }) {
  const { booking, campaign } = data;
  const stop = getOwnStop(data);
  const { href = link(prefix, "campaign"), cover } = campaigns[campaign.uid] ?? {};
  const isOpen = getPhase(data) === "open";
  const isFixed = booking?.actions?.change === false;
  const isChangeable = isOpen && !isFixed && !data.takenAt;
  if (!booking || !stop) {
    const line = {
      soon: <DatedText text={t.soon} dates={{ date: { date: campaign.opens_at, form: "date" } }} />,
      open: <DatedText text={t.openUntil} dates={{ date: { date: campaign.closes_at, form: "dateTime" } }} />,
      over: <span>{t.closed}</span>,
    };
    return (
      <TicketCard picture={cover} href={href} title={campaign.title} line={line[getPhase(data)]}>
        {isChangeable && (
          <ButtonLink size="lg" href={href}>
            {t.invite}
          </ButtonLink>
        )}
      </TicketCard>
    );
  }
  return (
    <BookedCard
      {...{ prefix, t, fields, stop, booking, cover, href }}
      title={campaign.title}
      note={
        isOpen && !isFixed ? (
          <DatedText text={fields.until} dates={{ date: { date: getChangeEnd(data), form: "dateTime" } }} />
        ) : (
          <span>{isOpen ? fields.fixed : t.closed}</span>
        )
      }
    >
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
    </BookedCard>
  );
}

interface BookedCardProps extends Pick<OwnBookingProps, "prefix" | "t" | "fields"> {
  stop: Stop;
  booking: Booking;
  title: string;
  cover: PictureData | undefined;
  href: string;
  /** Until when it can be changed. */
  note?: ReactElement;
  /** Actions, beside the note. */
  children?: ReactNode;
}

/** A pre-registration with its check-in code; that of a cancelled stop has none. */
function BookedCard({ prefix, t, fields, stop, booking, title, cover, href, note, children }: BookedCardProps) {
  const starts = new Date(stop.starts_at);
  const isCancelled = stop.status === "cancelled";
  return (
    <TicketCard
      picture={cover}
      href={href}
      date={starts}
      tag={isCancelled ? <Tag tone="warn">{t.cancelled}</Tag> : <Tag tone="on">{t.registered}</Tag>}
      title={title}
      when={[formatWhen(starts, getLocale(prefix), Date.now()), fill(t.people, { n: booking.party_size })]}
      moved={
        stop.moved_from && <DatedText text={fields.movedFrom} dates={{ date: { date: stop.moved_from, form: "dayTime" } }} />
      }
      line={joinPlace(stop.city, stop.venue, getLocale(prefix))}
      {...(booking.check_in_code &&
        !isCancelled && { stub: { label: fields.code, value: groupByFour(booking.check_in_code) } })}
    >
      {note && (
        <>
          <span className="text-sm text-ink-2">{isCancelled ? fields.cancelledBody : note}</span>
          {children}
        </>
      )}
    </TicketCard>
  );
}

async function loadOwn(isRefresh: boolean): Promise<Campaign> {
  const { data, takenAt } = await sendOrFind(bookingInfo, undefined, isRefresh);
  return { ...data, takenAt };
}

/** The button that sends the form is in view, however long it is; withdrawing, as quiet as it is rare, stands below it. */
const formStyle = {
  form: "grid gap-5 mt-5",
  buttons: "contents",
  submit: "ways end -mx-6 -bottom-6 px-6 py-3 bg-surface border-t border-line",
};

const loadForm = () => import("./CampaignForm.tsx");
const closeForm = () => bookingDraft.save({ open: false });

function OwnBookingIsland(props: OwnBookingProps) {
  const { prefix, campaigns, t, fields, states } = props;
  const [store] = useState(() => campaignStore((error) => toProblem(error, states), loadOwn));
  const { open = false } = useStore(bookingDraft.$values);
  useEffect(bookingDraft.restore, []);
  const Form = useModule(open, loadForm, closeForm)?.CampaignForm;
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
            <div className="grid gap-3">
              <OwnBookingCard {...props} data={data} />
              {/* Those for other campaigns are changed on the page of each. */}
              {data.others?.map(({ booking, stop, campaign: { uid, title } }) => (
                <BookedCard
                  key={uid}
                  {...{ prefix, t, fields, stop, booking, title }}
                  cover={campaigns[uid]?.cover}
                  href={campaigns[uid]?.href ?? link(prefix, "campaign")}
                />
              ))}
            </div>
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
                  classNames={formStyle}
                  t={fields}
                  data={data}
                  onBooked={(booking) => change({ ...data, booking })}
                  onWithdrawn={(changed) => change({ ...data, ...changed })}
                  onRefused={store.refresh}
                />
              )}
            </Dialog>
          </>
        )
      }
    </ResourceView>
  );
}

/** Shows the member's pre-registrations; that of the current campaign can be changed here until it closes. */
export const OwnBooking = island(OwnBookingIsland);
