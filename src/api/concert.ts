import * as v from "valibot";
import { call, integer, typeOnly } from "./call.ts";
import { concertId, getPlanPath } from "./paths.ts";

export const userToken = call({
  method: "POST",
  path: "/v1/marsx/userToken",
  access: "session",
  notify: false,
  data: v.object({
    app_user_token: v.nullable(v.string()),
    chat_token: v.nullable(v.string()),
    app_response_code: integer,
    /** Seconds for which `app_user_token` is valid. Without it, the token is valid until it is refused. */
    expires_in: v.optional(integer),
  }),
});

/** The id of a concert, which may be left out. */
const concertIdField = () => v.optional(integer, concertId);

export const getPlanPayload = () => v.optional(v.object({ id: concertIdField() }), {});
export const getPlan = call({
  ...getPlanPath,
  access: "public",
  notify: false,
  payload: typeOnly<typeof getPlanPayload>(),
  data: v.unknown(),
});

/** Targets of the forwarding call: keys of an allow-list, never URLs to fetch. */
export const forwardTargets = ["/api/concert/getplan", "/api/concert/setplan"] as const;

/** What each target accepts as `request_data`. */
export const forwardRequests = () => ({
  "/api/concert/getplan": v.object({ Id: concertIdField() }),
  "/api/concert/setplan": v.object({ Id: concertIdField(), IsPlan: v.boolean("required") }),
});

// The server checks the values (10006), and then the data; the schema checks only the shape.
export const forwardPayload = () =>
  v.object({
    request_url: v.string("required"),
    request_method: v.string("required"),
    request_header: v.record(v.string(), v.string("invalid"), "required"),
    request_data: v.record(v.string(), v.unknown(), "required"),
  });
export const forward = call({
  method: "POST",
  path: "/v1/main/forwardCallApi",
  access: "session",
  notify: false,
  payload: typeOnly<typeof forwardPayload>(),
  data: v.object({ response_data: v.string() }),
});

/** The concert back end's response, as JSON text in `response_data`. */
export const planState = v.object({ data: v.object({ IsPlan: v.boolean() }) });
