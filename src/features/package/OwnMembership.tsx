import { useState } from "react";
import type { Prefix } from "#i18n/locale.ts";
import type { memberPage } from "#i18n/member.ts";
import { send } from "#src/api/client.ts";
import { getExpiryOnRenewal, levelLetters, packageInfo } from "#src/api/package.ts";
import type { User } from "#src/api/session.ts";
import { $session } from "#src/features/session/store.ts";
import { isDrawn } from "#src/lib/picture.ts";
import { resource } from "#src/lib/resource.ts";
import { useStore } from "#src/lib/use-store.ts";
import { link } from "#src/routes.ts";
import { ButtonLink } from "#src/ui/Button.tsx";
import { DatedText } from "#src/ui/Day.tsx";
import { type IslandTexts, island } from "#src/ui/Island.tsx";
import { Picture, type PictureData } from "#src/ui/Picture.tsx";
import Plus from "~icons/lucide/plus";

interface OwnMembershipProps {
  prefix: Prefix;
  /** Pictures of the passes as of the build, by uid. */
  covers: Record<string, PictureData>;
  t: Pick<(typeof memberPage)["zh-CN"], "until" | "left" | "renew" | "renewFailed" | "noPass" | "pickPass">;
  states: IslandTexts;
}

const day = 24 * 3600_000;

interface RenewalProps extends OwnMembershipProps {
  membership: NonNullable<User["membership"]>;
}

/** Shows the expiry after renewing, which only the server can calculate; nothing where the member cannot renew. */
function Renewal({ prefix, t, membership }: RenewalProps) {
  const [store] = useState(() =>
    resource(
      () => send(packageInfo, { uid: membership.package_uid }),
      () => null,
    ),
  );
  const preview = useStore(store.$state);
  if (preview.state === "failed") {
    return (
      <button type="button" className="link text-sm" onClick={store.load}>
        {t.renewFailed}
      </button>
    );
  }
  const until = preview.state === "ready" && getExpiryOnRenewal(preview.data);
  if (!until) return <span className="text-sm">{"\u00a0"}</span>;
  return (
    <a className="link text-sm" href={link(prefix, "vip", { uid: membership.package_uid })}>
      <DatedText text={t.renew} dates={{ date: { date: until, form: "date" } }} />
    </a>
  );
}

/** A dashed line is where a pass is torn off: it has its colour where there is one. */
const card =
  "me-pass col-span-full grid grid-cols-[6.5rem_minmax(0,1fr)] max-[15rem]:grid-cols-1 gap-5 items-center border-t-2 border-dashed pt-5 lg:col-3 lg:row-1 lg:mb-17 lg:border-0 lg:border-l-2 lg:pt-0 lg:pl-8 lg:grid-cols-[auto_1fr]";

function OwnMembershipIsland(props: OwnMembershipProps) {
  const { prefix, covers, t } = props;
  const session = useStore($session);
  if (session.state === "visitor") return null;
  if (session.state === "loading") {
    return (
      <div className={`${card} border-line`} aria-busy="true">
        <span className="skeleton w-16.25 h-26 rounded-[8px] lg:w-20 lg:h-32" />
      </div>
    );
  }
  const membership = session.user.membership;
  if (!membership) {
    return (
      <div className={`${card} border-transparent`}>
        <span className="grid place-items-center w-16.25 h-26 rounded-[8px] border-2 border-dashed border-line-strong lg:w-20 lg:h-32">
          <Plus className="icon size-6" aria-hidden="true" />
        </span>
        <p className="grid gap-2 justify-items-start leading-[1.4]">
          <b>{t.noPass}</b>
          <ButtonLink variant="outline" size="sm" href={`${link(prefix, "mall")}#passes`}>
            {t.pickPass}
          </ButtonLink>
        </p>
      </div>
    );
  }
  const left = Math.max(0, Math.ceil((Date.parse(membership.expires_at) - Date.now()) / day));
  const [before, after] = t.left.split("{n}");
  const cover = covers[membership.package_uid];
  return (
    <div className={`${card} border-line`}>
      <span className="relative w-16.25 h-26 rounded-[8px] overflow-hidden lg:w-20 lg:h-32">
        <Picture picture={cover} sizes="5rem" className="size-full object-cover" />
        {/* A drawn pass says what it is. */}
        {cover && !isDrawn(cover) && (
          <b className="absolute inset-x-0 bottom-0 p-1 bg-surface text-xs text-center font-display">
            {levelLetters[membership.level]}
          </b>
        )}
      </span>
      <p className="grid justify-items-start leading-[1.4]">
        <span className="text-xs text-ink-2 font-semibold wrap-anywhere">
          <span translate="no">{`${membership.title} ${levelLetters[membership.level]}`}</span>
          <DatedText text={` · ${t.until}`} dates={{ date: { date: membership.expires_at, form: "date" } }} />
        </span>
        <span className="me-left whitespace-nowrap">
          <span>{before}</span>
          <span className="numeral font-bold text-5xl leading-[1.05] lg:text-7xl lg:leading-none" translate="no">
            {left}
          </span>
          <span>{after}</span>
        </span>
        {/* The key loads the preview again when the expiry has changed elsewhere. */}
        <Renewal key={membership.expires_at} {...props} membership={membership} />
      </p>
    </div>
  );
}

/** Shows the member's membership: the days left, and the expiry after renewing. */
export const OwnMembership = island(OwnMembershipIsland);
