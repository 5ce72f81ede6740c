import * as v from "valibot";
import { nonEmptyText, origin } from "./values.ts";
import { variable } from "./variable.ts";

const expectedOrigin = "an origin such as https://example.com, with nothing after it";
const text = (pattern: RegExp) => v.pipe(v.string(), v.regex(pattern));

/** A merchant's accounts at WeChat and WeChat Pay: required with PAYMENT=wechat. */
export const wechatVariables = {
  WECHAT_APPID: variable(text(/^wx[0-9a-zA-Z]{6,30}$/), null, "an app id such as wx0123456789abcdef", "The mini program."),
  WECHAT_SECRET: variable(nonEmptyText, null, "the secret of the mini program", "The mini program's AppSecret."),
  WECHAT_MCHID: variable(text(/^\d{6,32}$/), null, "a merchant number", "The merchant number at WeChat Pay."),
  WECHAT_MERCHANT_SERIAL: variable(
    text(/^[0-9A-Fa-f]{8,64}$/),
    null,
    "the serial number of a certificate, in hex",
    "Serial number of the merchant's certificate.",
  ),
  WECHAT_MERCHANT_KEY_FILE: variable(nonEmptyText, null, "a file", "The merchant's private key, as a PEM file."),
  WECHAT_PAY_KEY_ID: variable(
    text(/^[0-9A-Za-z_-]{8,80}$/),
    null,
    "the id of a public key, or the serial number of a platform certificate",
    "Which key WeChat Pay signs with.",
  ),
  WECHAT_PAY_KEY_FILE: variable(nonEmptyText, null, "a file", "That public key, or platform certificate, as a PEM file."),
  WECHAT_APIV3_KEY: variable(
    text(/^[\x21-\x7e]{32}$/),
    null,
    "32 characters",
    "The APIv3 key, which notices are encrypted with.",
  ),
  WECHAT_PAGE: variable(
    text(/^[\w-]+(\/[\w-]+)*$/),
    null,
    "a page such as pages/pay/pay",
    "The page of the mini program that pay codes open. Empty: its first one.",
  ),
  WECHAT_API_ORIGIN: variable(origin, "https://api.weixin.qq.com", expectedOrigin, "Origin of the WeChat API."),
  WECHAT_PAY_ORIGIN: variable(origin, "https://api.mch.weixin.qq.com", expectedOrigin, "Origin of the WeChat Pay API."),
};

/** An account at Alibaba Cloud for text messages: required with SMS=aliyun. */
export const aliyunVariables = {
  ALIYUN_ACCESS_KEY_ID: variable(text(/^[0-9A-Za-z]{8,64}$/), null, "an AccessKey id", "The AccessKey that sends messages."),
  ALIYUN_ACCESS_KEY_SECRET: variable(text(/^[\x21-\x7e]{8,128}$/), null, "an AccessKey secret", "Its secret."),
  ALIYUN_SIGN_NAME: variable(nonEmptyText, null, "a signature that was approved", "Whom messages are from."),
  ALIYUN_TEMPLATE_CODE: variable(
    text(/^[0-9A-Za-z_]{4,64}$/),
    null,
    "a template such as SMS_123456789",
    "The approved template; the code is its variable `code`.",
  ),
  ALIYUN_ORIGIN: variable(origin, "https://dysmsapi.aliyuncs.com", expectedOrigin, "Origin of the SMS API."),
};
