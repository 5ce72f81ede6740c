import { lazy, type ReactElement, Suspense, useEffect, useState } from "react";
import type { Prefix } from "#i18n/locale.ts";
import type { package as texts } from "#i18n/package.ts";
import type { PublicStates } from "#i18n/state.ts";
import { levelLetters } from "#src/api/package.ts";
import { toProblem } from "#src/api/problem.ts";
import { $session } from "#src/features/session/store.ts";
import { formatYuan } from "#src/lib/format.ts";
import { isDrawn } from "#src/lib/picture.ts";
import { useStore } from "#src/lib/use-store.ts";
import { link, param } from "#src/routes.ts";
import { ButtonLink } from "#src/ui/Button.tsx";
import type { Elements } from "#src/ui/elements.ts";
import { Failed } from "#src/ui/Failed.tsx";
import { island } from "#src/ui/Island.tsx";
import { Picture } from "#src/ui/Picture.tsx";
import ArrowLeft from "~icons/lucide/arrow-left";
import { Compare } from "./Compare.tsx";
import { ExpiryChange } from "./ExpiryChange.tsx";
import { getMembershipChange } from "./membership-change.ts";
import { PackageBuy } from "./PackageBuy.tsx";
import { PackageChoice } from "./PackageChoice.tsx";
import { type PackageData, packageStore } from "./store.ts";

interface PackageViewProps {
  prefix: Prefix;
  t: (typeof texts)["zh-CN"];
  states: PublicStates;
  /** The package of the page and all packages on sale at build; undefined in a shell. */
  uid?: string | undefined;
  initial?: PackageData[] | undefined;
}

/** The slab and the lanyard by level: each in contrast to the card. */
const grounds: Record<number, string> = {
  1: "[--lan:#9aa6b2] [--row:#fff1] bg-concrete",
  2: "[--lan:#ffd21a] [--row:#fff1] bg-stage",
};
const lastGround = "[--lan:#ff4527] [--row:#0003] bg-sign";

/** The card of a pass without a picture, by level. */
const cards: Record<number, string> = {
  1: "bg-[#e9edf1] text-black",
  3: "bg-black text-lit",
};

/** What hardly any pass is: unknown. */
const Empty = lazy(async () => ({ default: (await import("#src/ui/Empty.tsx")).Empty }));

const getUidHere = () => param(location.pathname, "uid");

interface StageProps {
  /** Classes of its colours. */
  ground: string;
  /** Stands beside the heading, on a phone above it. */
  pass: ReactElement;
  prefix: Prefix;
  t: (typeof texts)["zh-CN"];
  /** Below the heading. */
  children: Elements;
}

/** The first screen: a pass, the heading and what to do about the pass, on its ground. */
function Stage({ ground, pass, prefix, t, children }: StageProps) {
  return (
    <section
      className={`vip-page [timeline-scope:--page-button] ${ground} text-[color:var(--plan-h)] [--stage-line:var(--sign-line)] overflow-clip [overflow-clip-margin:8rem]`}
    >
      <div className="wrap">
        <nav className="flex items-center gap-2 min-h-12 text-sm text-[inherit]" aria-label={t.mall}>
          <a
            className="inline-flex items-center min-h-11 hover:text-[inherit] hover:underline focus-visible:[outline-color:#fff] focus-visible:[box-shadow:none]"
            href={link(prefix, "mall")}
          >
            <ArrowLeft className="icon mr-2" aria-hidden="true" />
            <span>{t.mall}</span>
          </a>
        </nav>
        <div className="flex flex-col lg:grid lg:grid-cols-[repeat(12,1fr)] lg:gap-x-gap">
          <div className="vpass relative w-[54%] mx-auto my-0 pt-12 pb-5 px-0 lg:[grid-area:1_/_8_/_auto_/_span_4] lg:self-start lg:w-full lg:mt-18 lg:-mb-8 lg:mx-0 lg:p-0">
            {pass}
          </div>
          <div className="relative pt-4 lg:[grid-area:1_/_1_/_auto_/_span_6] lg:pt-8 lg:pb-1">
            <h1 className="text-[length:clamp(3rem,6.6vw,6rem)] leading-[1.04] tracking-tight whitespace-pre-line">
              {t.heading}
            </h1>
            {children}
          </div>
        </div>
      </div>
    </section>
  );
}

/** A pass on its lanyard: its picture, or its title and letter. */
function PassOnLanyard({ info }: { info: PackageData["info"] }) {
  const [cover] = info.images ?? [];
  // A drawing has its slot and its name, a photograph gets them.
  return (
    <>
      <span className="lanyard absolute -top-32 left-1/2 w-6 h-[12.2rem] -ml-3 lg:top-auto lg:bottom-[calc(100%_-_1.5rem)] lg:w-8 lg:h-240 lg:-ml-4 [background:repeating-linear-gradient(180deg,var(--lan)_0_4.25rem,color-mix(in_srgb,var(--lan)_75%,#000)_4.25rem_4.5rem)]" />
      {cover ? (
        <span
          className={`${isDrawn(cover) ? "" : "photo-pass"} relative grid rounded-[8px] overflow-hidden [box-shadow:0_0_0_6px_light-dark(#fff,var(--raised)),0_16px_32px_-8px_#000] [transform-origin:50%_-16rem] [animation:swing_5s_ease-in-out_infinite_alternate]`}
        >
          <Picture
            className="w-full aspect-[5/8] object-cover"
            picture={cover}
            alt={cover.alt || info.title}
            sizes="(min-width: 60rem) 24rem, 60vw"
            fetchPriority="high"
          />
          {!isDrawn(cover) && (
            <span
              className="pass-band absolute inset-x-0 bottom-0 flex justify-between gap-2 text-[length:clamp(1.25rem,2.6vw,2.25rem)]"
              translate="no"
              aria-hidden="true"
            >
              <span>{info.title}</span> <b>{levelLetters[info.level]}</b>
            </span>
          )}
        </span>
      ) : (
        <p
          className={`relative grid content-between p-[8%] aspect-[5/8] rounded-[8px] font-bold font-display text-[length:clamp(1.5rem,3.4vw,3rem)] leading-[1.15] wrap-anywhere [box-shadow:0_0_0_6px_light-dark(#fff,var(--raised)),0_16px_32px_-8px_#000] [transform-origin:50%_-16rem] [animation:swing_5s_ease-in-out_infinite_alternate] ${cards[info.level] ?? "bg-lit text-on-lit"}`}
          aria-hidden="true"
        >
          <span className="text-[4em] leading-none">{levelLetters[info.level]}</span>
          <span translate="no">{info.title}</span>
        </p>
      )}
    </>
  );
}

function PackageViewIsland({ prefix, t, states, uid, initial }: PackageViewProps) {
  const [store] = useState(() => packageStore(getUidHere, (error) => toProblem(error, states), initial));
  const { last, resource } = useStore(store.$packages);
  const session = useStore($session);
  const [chosen, setChosen] = useState(uid ?? "");
  const [isHere, setHere] = useState(false);
  useEffect(() => {
    setChosen(getUidHere());
    setHere(true);
    const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && store.startOver();
    addEventListener("pageshow", onPageShow);
    return () => removeEventListener("pageshow", onPageShow);
  }, [store]);

  const problem = resource.state === "failed" ? resource.problem : null;
  const data = last?.find(({ info }) => info.uid === chosen);
  const choose = (next: string) => {
    setChosen(next);
    store.startOver();
    history.replaceState(history.state, "", link(prefix, "vip", { uid: next }) + location.search);
  };

  if (!data) {
    const isUnknown = problem?.kind === "unknown" || (isHere && resource.state === "ready");
    const isLoading = !problem && !isUnknown;
    return (
      <Stage
        ground="bg-sign"
        // Reserves the space of the package's poster.
        pass={
          <div
            className={`aspect-[5/8] rounded-[8px] [background-color:var(--skeleton)] opacity-20 ${isLoading ? "skeleton" : ""}`}
          />
        }
        prefix={prefix}
        t={t}
      >
        {isUnknown && (
          <div className="gone mt-7 mb-4">
            <Suspense>
              <Empty title={t.unknown} body={t.unknownBody}>
                <ButtonLink
                  className="focus-visible:[outline-color:#fff] focus-visible:[box-shadow:none]"
                  sign
                  size="lg"
                  href={link(prefix, "mall")}
                >
                  {t.toMall}
                </ButtonLink>
              </Empty>
            </Suspense>
          </div>
        )}
        {problem?.kind === "failed" && !isUnknown && (
          <div className="mt-7 mb-4">
            <Failed title={states.failedTitle} message={problem.message} retry={states.retry} onRetry={store.load}>
              <ButtonLink size="sm" href={link(prefix, "mall")}>
                {states.mall}
              </ButtonLink>
            </Failed>
          </div>
        )}
        {isLoading && (
          <div className="grid gap-px mt-7 mb-4" aria-busy="true">
            <p className="sr-only" role="status">
              {states.loading}
            </p>
            {["first", "second", "third", "button"].map((box) => (
              <div key={box} className="skeleton h-19 opacity-20 last:h-14 last:mt-4" />
            ))}
          </div>
        )}
      </Stage>
    );
  }

  const { info } = data;
  const isMember = isHere && session.state !== "visitor";
  const membership = session.state === "member" && isHere ? session.user.membership : null;
  return (
    <>
      <Stage ground={grounds[info.level] ?? lastGround} pass={<PassOnLanyard info={info} />} prefix={prefix} t={t}>
        <PackageBuy
          prefix={prefix}
          t={t}
          states={states}
          store={store}
          data={data}
          stale={problem?.kind === "failed" ? problem.message : ""}
          expiry={
            <ExpiryChange
              change={getMembershipChange(data)}
              title={info.title}
              price={formatYuan(info.pay_fen)}
              days={info.days}
              ownTitle={membership?.title}
              isLoading={isMember && resource.state === "loading"}
              t={t}
            />
          }
        >
          <PackageChoice packages={last ?? []} chosen={chosen} ownUid={membership?.package_uid} onChoose={choose} t={t} />
        </PackageBuy>
      </Stage>
      <Compare packages={last ?? []} chosen={chosen} t={t} />
    </>
  );
}

/** Chooses a package, shows what it does to the member's expiry, and orders it. */
export const PackageView = island(PackageViewIsland);
