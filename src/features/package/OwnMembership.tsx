import { useState } from "react";
import { fill } from "../../../i18n/catalogue.ts";
import type { Prefix } from "../../../i18n/locale.ts";
import type { memberPage } from "../../../i18n/member-page.ts";
import { send } from "../../api/client.ts";
import { packageInfo } from "../../api/package.ts";
import type { User } from "../../api/session.ts";
import { formatDate } from "../../lib/date.ts";
import { posterUrl } from "../../lib/poster.ts";
import { resource } from "../../lib/resource.ts";
import { useStore } from "../../lib/use-store.ts";
import { link } from "../../routes.ts";
import { type IslandTexts, island } from "../../ui/Island.tsx";
import { $session } from "../session/store.ts";

interface OwnPassProps {
  prefix: Prefix;
  locale: string;
  t: Pick<(typeof memberPage)["zh-CN"], "pass" | "left" | "days" | "renew" | "renewFailed" | "noPass" | "pickPass">;
  states: IslandTexts;
}

const sheets = { 1: "m-a", 2: "m-b", 3: "m-c" };
const day = 24 * 3600_000;

interface HeldProps extends OwnPassProps {
  pass: NonNullable<User["membership"]>;
}

/** What one more of the same would make of it, which the host alone knows. */
function Renewal({ prefix, t, pass }: HeldProps) {
  const [store] = useState(() =>
    resource(
      () => send(packageInfo, { uid: pass.package_uid }),
      () => null,
    ),
  );
  const now = useStore(store.$state);
  if (now.state === "failed") {
    return (
      <button type="button" className="link sm" onClick={store.load}>
        {t.renewFailed}
      </button>
    );
  }
  const until = now.state === "ready" ? now.data.preview?.new_expires_at : null;
  return (
    <a className="link sm" href={link(prefix, "vip", { uid: pass.package_uid })}>
      {until ? fill(t.renew, { date: formatDate(new Date(until)) }) : "\u00a0"}
    </a>
  );
}

function OwnPassIsland(props: OwnPassProps) {
  const { prefix, locale, t } = props;
  const current = useStore($session);
  if (current.state === "visitor") return null;
  if (current.state === "loading") {
    return (
      <div className="me-pass" aria-busy="true">
        <span className="sk me-card" />
      </div>
    );
  }
  const pass = current.user.membership;
  if (!pass) {
    return (
      <div className="me-pass">
        <span className="me-card me-none" />
        <p>
          <b>{t.noPass}</b>
          <a className="link sm" href={`${link(prefix, "mall")}#passes`}>
            {t.pickPass}
          </a>
        </p>
      </div>
    );
  }
  const left = Math.max(0, Math.ceil((Date.parse(pass.expires_at) - Date.now()) / day));
  return (
    <div className="me-pass">
      <img className="me-card" src={posterUrl(sheets[pass.level], locale)} alt="" width={400} height={640} />
      <p>
        <span className="lbl">{t.left}</span>
        <span className="me-left">
          <span className="num">{left}</span> {t.days}
        </span>
        {/* A pass that was bought elsewhere ends later now, and so would one more. */}
        <Renewal key={pass.expires_at} {...props} pass={pass} />
      </p>
    </div>
  );
}

/** The member's pass: how long it lasts, and how long with one more. */
export const OwnMembership = island(OwnPassIsland);
