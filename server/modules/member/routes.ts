import type { Context } from "#server/context.ts";
import { memberRoute, type Route } from "#server/http/route.ts";
import { contract } from "#src/api/contract.ts";
import { changeNickname, findMembership, toUser } from "./member.ts";

export function memberRoutes({ db, now }: Context): Route[] {
  return [
    memberRoute(contract.userNickname, async ({ nickname }, { locale, session: { memberId } }) => ({
      info: toUser(await changeNickname(db, memberId, nickname), await findMembership(db, memberId, now()), locale),
    })),
  ];
}
