import type { Prefix } from "#i18n/locale.ts";
import type { memberPage, nickname as nicknameTexts } from "#i18n/member.ts";
import type { OwnStates } from "#i18n/state.ts";
import { getLanguage } from "#src/api/address-line.ts";
import type { User } from "#src/api/session.ts";
import { getInitial } from "#src/lib/initial.ts";
import { useStore } from "#src/lib/use-store.ts";
import { link } from "#src/routes.ts";
import { Avatar } from "#src/ui/Avatar.tsx";
import { ButtonLink } from "#src/ui/Button.tsx";
import { Chip } from "#src/ui/Chip.tsx";
import { DatedText } from "#src/ui/Day.tsx";
import { island } from "#src/ui/Island.tsx";
import { NeedsLogin } from "#src/ui/ResourceView.tsx";
import { Tag } from "#src/ui/Tag.tsx";
import Check from "~icons/lucide/check";
import { ChangeNickname } from "./ChangeNickname.tsx";
import { $offline, $session } from "./store.ts";

interface AccountProps {
  t: Pick<(typeof memberPage)["zh-CN"], "title" | "activated" | "notActivated" | "stale" | "since" | "orders">;
  form: (typeof nicknameTexts)["zh-CN"];
  states: OwnStates;
  locale: string;
  prefix: Prefix;
}

function MemberCard({ t, form, states, locale, user }: Omit<AccountProps, "prefix"> & { user: User }) {
  const offline = useStore($offline);
  const { nickname, avatar, mobile_masked, account, activated } = user;
  return (
    <>
      <Chip
        corner="bottom-right"
        label={activated ? t.activated : t.notActivated}
        color={activated ? "accent" : "danger"}
        mark={activated ? <Check className="icon size-3.5" aria-hidden="true" /> : <span>!</span>}
        round
        large
      >
        <Avatar size="4xl" alt={nickname} src={avatar?.url} text={getInitial(nickname)} />
      </Chip>
      <div>
        <h1
          translate="no"
          className="text-[length:clamp(2rem,7.2vw,6.5rem)] wrap-anywhere"
          lang={getLanguage(nickname, locale)}
        >
          {nickname}
        </h1>
        <p className="text-ink-2 numeral font-medium" translate="no">
          {[mobile_masked, account].filter(Boolean).join(" · ")}
        </p>
        <div className="flex flex-wrap items-center gap-1 mt-2">
          {offline ? (
            <Tag tone="warn">{t.stale}</Tag>
          ) : (
            <Tag tone="line">
              <DatedText text={t.since} dates={{ date: { date: user.created_at, form: "date" } }} />
            </Tag>
          )}
          {user.actions?.nickname && <ChangeNickname t={form} states={states} nickname={nickname} isOffline={offline} />}
        </div>
      </div>
    </>
  );
}

function AccountIsland({ t, form, states, locale, prefix }: AccountProps) {
  const session = useStore($session);
  if (session.state === "visitor")
    return <NeedsLogin loginHref={link(prefix, "login", {}, { redirect: "/user/info" })} t={states} />;
  return (
    <>
      {session.state === "member" ? (
        <MemberCard t={t} form={form} states={states} locale={locale} user={session.user} />
      ) : (
        <>
          <Avatar size="4xl" alt="" loading />
          <div aria-busy="true">
            <h1 className="text-[length:clamp(2rem,7.2vw,6.5rem)] wrap-anywhere">
              <span className="sr-only">{t.title}</span>
              <span className="skeleton inline-block w-[5em] h-[0.9em] align-middle" />
            </h1>
            <p className="text-ink-2 numeral font-medium">{"\u00a0"}</p>
            <p className="flex flex-wrap gap-1 mt-2">
              <span className="skeleton tag w-36" />
            </p>
          </div>
        </>
      )}
      <ButtonLink
        className="col-span-full order-1 lg:col-3 lg:row-1 lg:self-end"
        href={link(prefix, "userOrderList")}
        variant="outline"
        size="lg"
      >
        {t.orders}
      </ButtonLink>
    </>
  );
}

/** The logged-in member as of the last server response, with the link to the orders. */
export const Account = island(AccountIsland);
