import { onMount } from "nanostores";
import * as v from "valibot";
import { splitPrefix } from "../../../i18n/locale.ts";
import { type Booking, bookingCampaign, bookingCancel, bookingInfo, makeBooking } from "../../api/booking.ts";
import type { DataOf, PayloadOf } from "../../api/call.ts";
import { $token, send } from "../../api/client.ts";
import { ApiError, codes } from "../../api/envelope.ts";
import { draft } from "../../lib/draft.ts";
import { type ResourceStore, resource } from "../../lib/resource.ts";

/** `takenAt`: when the device stored it, if the server cannot be reached. */
export type Campaign = DataOf<typeof bookingInfo> & { takenAt?: string | null };

/** Holds the campaign with the member's booking; null without a campaign. `load` loads it, by default the current one. Loads again on login and logout. */
export function campaignStore<Problem>(
  toProblem: (error: unknown) => Problem,
  load: () => Promise<Campaign> = () => send(bookingInfo),
): ResourceStore<Campaign | null, Problem> {
  const store = resource(() => orNull(load), toProblem);
  onMount(store.$state, () => $token.listen(() => void store.load()));
  return store;
}

export const loadCampaign = (campaign: string): Promise<Campaign> => send(bookingCampaign, { campaign });

async function orNull(load: () => Promise<Campaign>): Promise<Campaign | null> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof ApiError && error.code === codes.notFound) return null;
    throw error;
  }
}

/** The draft of a booking form. `open`: its dialog is open. */
export const bookingDraft = draft(
  "booking",
  v.object({
    open: v.optional(v.boolean()),
    stop: v.optional(v.string()),
    name: v.optional(v.string()),
    mobile: v.optional(v.string()),
    party_size: v.optional(v.number()),
    note: v.optional(v.string()),
  }),
  splitPrefix,
);

/** Creates or changes the booking. Rejects as `send` does; the draft is kept then. */
export async function submitBooking(payload: PayloadOf<typeof makeBooking>): Promise<Booking> {
  const { booking } = await send(makeBooking, payload);
  bookingDraft.clear();
  return booking;
}

/** Withdraws the booking, and keeps its values in the draft, so that it can be made again. Rejects as `send` does. */
export async function withdrawBooking({ campaign, stop, name, mobile, party_size, note }: Booking): Promise<Campaign> {
  const data = await send(bookingCancel, { campaign });
  bookingDraft.save({ stop, name, mobile, party_size, note });
  return data;
}
