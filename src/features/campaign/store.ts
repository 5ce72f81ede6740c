import { onMount } from "nanostores";
import * as v from "valibot";
import { splitPrefix } from "#i18n/locale.ts";
import { type Booking, bookingCampaign, bookingCancel, bookingInfo, makeBooking, type Stop } from "#src/api/booking.ts";
import type { DataOf, PayloadOf } from "#src/api/call.ts";
import { $token, send } from "#src/api/client.ts";
import { ApiError, codes } from "#src/api/envelope.ts";
import { draft } from "#src/lib/draft.ts";
import { onReturn } from "#src/lib/page-lifecycle.ts";
import { type ResourceStore, resource } from "#src/lib/resource.ts";

/** `takenAt`: when the device stored it, if the server cannot be reached. `isCurrent`: as of the server's response. */
export type Campaign = DataOf<typeof bookingInfo> & { takenAt?: string | null; isCurrent?: boolean };

/** Holds the campaign with the member's booking; null without a campaign. `load` loads it, by default the current one. The store loads again on login, logout and return. */
export function campaignStore<Problem>(
  toProblem: (error: unknown) => Problem,
  load: (isRefresh: boolean) => Promise<Campaign> = () => send(bookingInfo),
): ResourceStore<Campaign | null, Problem> {
  const store = resource(async (isRefresh) => {
    const data = await orNull(load(isRefresh));
    if (data?.booking) dropWithdrawn(data.booking);
    return data;
  }, toProblem);
  onMount(store.$state, () => $token.listen(() => void store.load()));
  // A page of the back/forward cache may show what was booked or withdrawn on another page.
  onMount(store.$state, () => onReturn(store.refresh));
  return store;
}

/** Loads a campaign with the member's booking. `wasCurrent`: at build. Since then, another campaign may have become the current one. */
export async function loadCampaign(campaign: string, wasCurrent: boolean): Promise<Campaign> {
  const current = wasCurrent && (await send(bookingInfo));
  return current && current.campaign.uid === campaign ? { ...current, isCurrent: true } : send(bookingCampaign, { campaign });
}

/** Returns the stop of the member's booking. */
export const getOwnStop = ({ booking, campaign }: Campaign): Stop | undefined =>
  campaign.stops.find(({ stop }) => stop === booking?.stop);

/** Returns until when the booking can be changed: its own stop begins, or the campaign closes. */
export function getChangeEnd(data: Campaign): string {
  const { closes_at } = data.campaign;
  const starts_at = getOwnStop(data)?.starts_at ?? closes_at;
  return Date.parse(starts_at) < Date.parse(closes_at) ? starts_at : closes_at;
}

async function orNull(loading: Promise<Campaign>): Promise<Campaign | null> {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof ApiError && error.code === codes.notFound) return null;
    throw error;
  }
}

/** The draft of a booking form. `open`: its dialog is open. `withdrawn`: the values are those of this booking, which was withdrawn. */
export const bookingDraft = draft(
  "booking",
  v.object({
    open: v.optional(v.boolean()),
    withdrawn: v.optional(v.string()),
    stop: v.optional(v.string()),
    name: v.optional(v.string()),
    mobile: v.optional(v.string()),
    party_size: v.optional(v.number()),
    note: v.optional(v.string()),
  }),
  splitPrefix,
);

/** Clears what a withdrawal has left in the form: a booking that was made later counts. */
function dropWithdrawn({ booking_id }: Booking): void {
  const { open, withdrawn = booking_id } = bookingDraft.$values.get();
  if (withdrawn === booking_id) return;
  bookingDraft.clear();
  bookingDraft.save({ open });
}

/** Creates or changes the booking. Rejects as `send` does; the draft is kept then. */
export async function submitBooking(payload: PayloadOf<typeof makeBooking>): Promise<Booking> {
  const { booking } = await send(makeBooking, payload);
  bookingDraft.clear();
  return booking;
}

/** Withdraws the booking, and keeps its values in the draft, so that it can be made again. Rejects as `send` does. */
export async function withdrawBooking({ booking_id, campaign, ...booking }: Booking): Promise<Campaign> {
  const data = await send(bookingCancel, { campaign });
  const { stop, name, mobile, party_size, note } = booking;
  bookingDraft.save({ withdrawn: booking_id, stop, name, mobile, party_size, note });
  return data;
}
