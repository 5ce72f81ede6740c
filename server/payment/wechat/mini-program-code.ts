import type { WechatClient } from "./client.ts";
import type { WechatSettings } from "./settings.ts";

const maxImage = 1024 * 1024;

/** Requests the code that opens the mini program with a scene of at most 32 signs, and returns its image as a data URL. Throws when WeChat returns none. */
export async function requestCode(
  { page, envVersion }: Pick<WechatSettings, "page" | "envVersion">,
  client: WechatClient,
  scene: string,
): Promise<string> {
  const { type, bytes } = await client.call("/wxa/getwxacodeunlimit", {
    scene,
    ...(page === null ? {} : { page }),
    // WeChat checks the page against the published release alone.
    ...(envVersion === "release" ? {} : { env_version: envVersion, check_path: false }),
    width: 430,
  });
  const image = /^image\/(jpeg|png)\b/.exec(type)?.[0];
  if (!image || bytes.length === 0 || bytes.length > maxImage) throw new Error(`WeChat returned no code (${type})`);
  return `data:${image};base64,${bytes.toString("base64")}`;
}
