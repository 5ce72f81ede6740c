import { inject } from "vitest";
import type { FaultyProxy } from "#tests/support/hosting/faulty-proxy.ts";
import { newMobile } from "#tests/support/processes/test-server.ts";
import { fromCommand, fromOutbox, type Options } from "./run.ts";

const siteOrigin = "https://site.example";
/** Environment of the server under test when none is named. */
export const referenceEnv = { SITE_ORIGINS: siteOrigin, CODES_PER_HOUR_PER_IP: "1000", CODES_PER_HOUR_HOST: "1000" };

/** The demo's member who is not activated. */
const inactive = "13800138001";

/** Returns options for the reference server behind a proxy. */
export const createOptions = ({ origin, getCode }: FaultyProxy): Options => ({
  origin,
  getCode,
  numbers: [newMobile(), newMobile(), inactive],
  siteOrigin,
});

/** Options of `npm run conformance`, as they pass from the command to its tests. */
export interface NamedServer {
  origin: string;
  members: string[];
  codeCommand: string | null;
  outbox: string | null;
  siteOrigin: string | null;
}

declare module "vitest" {
  export interface ProvidedContext {
    /** The server that `npm run conformance` names. */
    server?: NamedServer;
  }
}

const randomNumber = () => `199${String(Math.floor(Math.random() * 1e8)).padStart(8, "0")}`;

/** Returns options for the server that `npm run conformance` names; null without one. A server that sends no messages takes random numbers. */
export function readOptions(): Options | null {
  const server = inject("server");
  if (!server) return null;
  const { origin, members, codeCommand, outbox } = server;
  const isRandom = outbox && !codeCommand && members.length === 0;
  return {
    origin,
    siteOrigin: server.siteOrigin,
    numbers: isRandom ? [randomNumber(), randomNumber(), inactive] : members,
    getCode: codeCommand ? fromCommand(codeCommand) : outbox ? fromOutbox(outbox) : null,
  };
}
