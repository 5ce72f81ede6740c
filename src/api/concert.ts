import * as v from "valibot";
import { call } from "./call.ts";
import { integer, none } from "./field.ts";
import { getPlanPath } from "./paths.ts";

export const userToken = call({
  method: "POST",
  path: "/v1/marsx/userToken",
  access: "session",
  volume: "quiet",
  refuses: [],
  payload: none,
  data: v.object({
    app_user_token: v.nullable(v.string()),
    chat_token: v.nullable(v.string()),
    app_response_code: integer,
  }),
});

export const getPlan = call({
  ...getPlanPath,
  access: "public",
  volume: "quiet",
  refuses: ["notFound"],
  payload: v.object({ id: integer }),
  data: v.unknown(),
});

/** The targets that the forwarding call knows: keys into an allow-list, never URLs that are fetched as given. */
export const forwardTargets = ["/api/concert/getplan", "/api/concert/setplan"] as const;

export const forward = call({
  method: "POST",
  path: "/v1/main/forwardCallApi",
  access: "session",
  volume: "quiet",
  refuses: ["notAllowed", "notFound", "unavailable"],
  // What is asked for is judged by the host (10006); only the shape is judged here.
  payload: v.object({
    request_url: v.string("required"),
    request_method: v.string("required"),
    request_header: v.record(v.string(), v.string("invalid"), "required"),
    request_data: v.record(v.string(), v.unknown(), "required"),
  }),
  data: v.object({ response_data: v.string() }),
});

/** What the concert back end answers, as text, inside `response_data`. */
export const planState = v.object({ data: v.object({ IsPlan: v.boolean() }) });
