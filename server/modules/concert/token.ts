import { createLocalJWKSet, errors, jwtVerify, SignJWT } from "jose";
import type { Context } from "#server/context.ts";
import { algorithm, getSigningKey, readKeySet } from "./signing-keys.ts";

/** Time for which a concert token is valid, in s. */
export const tokenLifetime = 300;

/** The audience without CONCERT_ORIGIN: this server alone reads the token then. */
const ownAudience = "concert";

const getAudience = ({ config }: Context) => config.CONCERT_ORIGIN ?? ownAudience;

/** Signs a member's token for the concert back end, as a JWT. `issuer`: the origin of this server. */
export async function createToken(context: Context, memberId: string, issuer: string): Promise<string> {
  const { kid, privateKey } = await getSigningKey(context);
  const at = context.now().getTime();
  return new SignJWT()
    .setProtectedHeader({ alg: algorithm, kid, typ: "JWT" })
    .setIssuer(issuer)
    .setSubject(memberId)
    .setAudience(getAudience(context))
    .setIssuedAt(new Date(at))
    .setExpirationTime(new Date(at + tokenLifetime * 1000))
    .sign(privateKey);
}

/** Returns whether a token is one of ours, the member's own, and has not expired. */
export async function isOwnToken(context: Context, token: string, memberId: string): Promise<boolean> {
  const keySet = createLocalJWKSet(await readKeySet(context));
  try {
    await jwtVerify(token, keySet, {
      algorithms: [algorithm],
      audience: getAudience(context),
      subject: memberId,
      requiredClaims: ["exp"],
      currentDate: context.now(),
    });
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}
