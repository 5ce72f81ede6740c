import type { docs } from "../../i18n/docs.ts";
import type { Config } from "../config/config.ts";
import { maxBodySize } from "../http/body.ts";

export interface Limit {
  name: string;
  about: keyof (typeof docs)["en-US"];
  /** 0: unlimited. */
  value: number;
}

/** Lists this server's limits. */
export function getLimits(config: Config): Limit[] {
  return [
    { name: "body_bytes", about: "limitBody", value: maxBodySize },
    { name: "calls_per_minute", about: "limitFlood", value: config.FLOOD_PER_MINUTE },
    { name: "code_resend_seconds", about: "limitResend", value: config.CODE_RESEND_SECONDS },
    { name: "code_lifetime_seconds", about: "limitLifetime", value: config.CODE_LIFETIME_SECONDS },
    { name: "code_tries", about: "limitTries", value: config.CODE_TRIES },
    { name: "code_tries_elsewhere", about: "limitTriesElsewhere", value: config.CODE_TRIES_ELSEWHERE },
    { name: "codes_per_hour", about: "limitHour", value: config.CODES_PER_HOUR },
    { name: "codes_per_day", about: "limitDay", value: config.CODES_PER_DAY },
    { name: "codes_per_hour_per_address", about: "limitNetwork", value: config.CODES_PER_HOUR_PER_IP },
    { name: "codes_per_hour_per_56", about: "limit56", value: config.CODES_PER_HOUR_PER_56 },
    { name: "codes_per_hour_per_48", about: "limit48", value: config.CODES_PER_HOUR_PER_48 },
  ];
}
