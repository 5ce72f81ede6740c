import * as v from "valibot";
import { getReason } from "#server/lib/errors.ts";
import { createWechatClient } from "#server/payment/wechat/client.ts";
import { requestCode } from "#server/payment/wechat/mini-program-code.ts";
import { createWechatPayRequests } from "#server/payment/wechat/pay-request.ts";
import { noticePath, type WechatSettings } from "#server/payment/wechat/settings.ts";
import { createShipping } from "#server/payment/wechat/shipping.ts";
import { type Check, done, notTried, wrong } from "./finding.ts";

const timeout = 5_000;
/** WeChat Pay refuses requests of a clock that is off by more, in s. */
const maxClockDifference = 300;
const day = 24 * 3600_000;

/** Returns the checks of what a shop needs of WeChat and WeChat Pay. Nothing is changed there, and no money moves. */
export function createWechatChecks(settings: WechatSettings, now: () => Date): Record<string, Check> {
  const client = createWechatClient(settings, now);
  const { request } = createWechatPayRequests(settings, { clear: async () => {}, report: async () => {} }, now);
  const shipping = createShipping(settings, client);

  return {
    clock: async () => {
      const response = await fetch(settings.payOrigin, { method: "HEAD", signal: AbortSignal.timeout(timeout) });
      const seconds = Math.round((now().getTime() - Date.parse(response.headers.get("date") ?? "")) / 1000);
      if (Number.isNaN(seconds)) return notTried("WeChat Pay's response has no time");
      const text = `this machine's clock is ${Math.abs(seconds)} s ${seconds < 0 ? "behind" : "ahead of"} WeChat Pay's`;
      return Math.abs(seconds) > maxClockDifference ? wrong(`${text}: set it, for example with chrony or NTP`) : done(text);
    },
    "access token": async () => {
      await client.authorize();
      return done("WECHAT_APPID and WECHAT_SECRET are the mini program's, and this machine is in its IP whitelist");
    },
    page: async () => {
      await requestCode(settings, client, "doctor");
      const page = settings.page ?? "the first page";
      if (settings.envVersion === "release") return done(`${page} is in the published release`);
      return notTried(
        `WECHAT_ENV_VERSION is ${settings.envVersion}: codes open a version that only testers of the mini program can open`,
      );
    },
    "merchant key": async () => {
      // The response to a number that does not exist shows that WeChat Pay has accepted the signature.
      const { code } = await request(
        "GET",
        `/v3/pay/transactions/out-trade-no/doctor-${now().getTime()}?mchid=${settings.mchid}`,
      );
      if (/^ORDER_?NOT_?EXIST$/.test(code)) return done("WeChat Pay accepts the merchant's number, key and serial number");
      return wrong(`WeChat Pay rejects a query (${code}): compare WECHAT_MCHID, WECHAT_MERCHANT_SERIAL and the key file`);
    },
    "keys of WeChat Pay": async () => {
      const billDay = new Date(now().getTime() - 2 * day).toISOString().slice(0, 10);
      const { code } = await request("GET", `/v3/bill/tradebill?bill_date=${billDay}&bill_type=ALL`);
      if (!code) return done("a signed response is verified by WECHAT_PAY_KEY_ID and WECHAT_PAY_KEY_FILE");
      return notTried(`WeChat Pay has no signed response yet (${code}): the first payment shows it`);
    },
    "APIv3 key": async () =>
      notTried(
        "WeChat Pay shows what it encrypts with it in notices alone: look for `payment` in /readyz after the first payment",
      ),
    "notice URL": () => checkNoticeUrl(settings),
    "shipping management": async () => {
      if (!(await shipping.isManaged())) return done("the mini program has none: parcels need not be reported");
      if (await shipping.isConfirmed()) return done("parcels are reported, and the settlement is confirmed");
      return wrong("confirm the settlement in the mini program's console (mp.weixin.qq.com, 发货信息管理)");
    },
  };
}

/** Sends an unsigned notice, which the shop's server must refuse in its words. */
async function checkNoticeUrl({ noticeUrl }: WechatSettings): Promise<ReturnType<typeof wrong | typeof done>> {
  if (noticeUrl === null) return wrong("HOST_ORIGIN must be the https origin at which WeChat Pay reaches the API server");
  try {
    const response = await fetch(noticeUrl, {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.timeout(timeout),
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    const answer = v.safeParse(v.object({ code: v.literal("FAIL") }), await response.json().catch(() => null));
    if (response.status === 401 && answer.success)
      return done(`${noticeUrl} is answered by this software, as this machine sees it`);
    return wrong(`${noticeUrl} answers with ${response.status}, not as this server: let the proxy pass ${noticePath} on to it`);
  } catch (error) {
    return wrong(
      `${noticeUrl} cannot be reached from this machine (${getReason(error)}): start the server, and look at DNS, certificate and proxy`,
    );
  }
}
