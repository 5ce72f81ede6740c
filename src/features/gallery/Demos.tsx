import { useState } from "react";
import type { ui } from "#i18n/ui.ts";
import { CodeInput } from "#src/ui/form/CodeInput.tsx";
import "#src/lib/replay-interactions.ts";
import { Button, ButtonLink } from "#src/ui/Button.tsx";
import { Dialog } from "#src/ui/Dialog.tsx";
import { Empty } from "#src/ui/Empty.tsx";
import { Choices } from "#src/ui/form/Choices.tsx";
import { Stepper } from "#src/ui/form/Stepper.tsx";
import { island } from "#src/ui/Island.tsx";
import { type ResourceTexts, ResourceView, SkeletonLines } from "#src/ui/ResourceView.tsx";
import { Tabs } from "#src/ui/Tabs.tsx";

type Texts = (typeof ui)["zh-CN"];

/** A code input; 000000 is the code with the error `wrong`. */
export function CodeInputDemo({ t, wrong }: { t: Texts; wrong: string }) {
  const [code, setCode] = useState("");
  const success = code.length === 6 && code !== "000000" ? t.codeGood.replace("{code}", code) : "";
  return (
    <div className="max-w-104">
      <CodeInput
        label={t.code}
        hint={success || t.codeHint}
        error={code === "000000" ? wrong : undefined}
        value={code}
        onCode={setCode}
      />
    </div>
  );
}

/** Two buttons that open dialogs. */
export function DialogDemo({ t }: { t: Texts }) {
  const [openId, setOpenId] = useState<"logOut" | "delete" | null>(null);
  const close = () => setOpenId(null);
  const questions = [
    { id: "logOut", open: t.logOut, title: t.logOutTitle, body: t.logOutBody, no: t.stay, yes: t.logOut },
    { id: "delete", open: t.deleteAddress, title: t.deleteTitle, body: t.deleteBody, no: t.keep, yes: t.remove },
  ] as const;
  return (
    <div className="flex flex-wrap gap-3 items-center">
      {questions.map(({ id, open, title, body, no, yes }) => (
        <div key={id}>
          <Button variant="outline" aria-haspopup="dialog" onClick={() => setOpenId(id)}>
            {open}
          </Button>
          <Dialog title={title} open={openId === id} onClose={close}>
            <p className="text-ink-2 mt-2">{body}</p>
            <p className="ways end flex flex-wrap gap-3 mt-6 justify-end">
              <Button variant="ghost" onClick={close}>
                {no}
              </Button>
              <Button className="danger" onClick={close}>
                {yes}
              </Button>
            </p>
          </Dialog>
        </div>
      ))}
    </div>
  );
}

interface IslandStatesDemoProps {
  t: Texts;
  states: ResourceTexts;
  loginHref: string;
  eventsHref: string;
}

type State = "loading" | "ready" | "empty" | "failed" | "needsLogin";

function StatesIsland({ t, states, loginHref, eventsHref }: IslandStatesDemoProps) {
  const [state, setState] = useState<State>("failed");
  const options = [
    { value: "loading", label: t.loading },
    { value: "ready", label: t.stateReady },
    { value: "empty", label: t.stateEmpty },
    { value: "failed", label: t.stateFailed },
    { value: "needsLogin", label: t.stateLogin },
  ] as const;
  const resources = {
    loading: { state: "loading" },
    ready: { state: "ready", data: true },
    empty: { state: "ready", data: false },
    failed: { state: "failed", problem: { kind: "failed", message: t.failedBody } },
    needsLogin: { state: "failed", problem: { kind: "needsLogin" } },
  } as const;
  return (
    <div className="grid gap-4">
      <fieldset className="segmented max-sm:*:px-2">
        <legend className="sr-only">{t.stateLead}</legend>
        {options.map(({ value, label }) => (
          <button key={value} type="button" aria-pressed={value === state} onClick={() => setState(value)}>
            {label}
          </button>
        ))}
      </fieldset>
      <ResourceView
        resource={resources[state]}
        onRetry={() => setState("loading")}
        loginHref={loginHref}
        skeleton={<SkeletonLines heights={["h-10", "h-24"]} />}
        t={states}
      >
        {(some: boolean) =>
          some ? (
            <p>{t.readyBody}</p>
          ) : (
            <Empty title={t.emptyTitle} body={t.emptyBody}>
              <ButtonLink href={eventsHref}>{t.emptyAction}</ButtonLink>
            </Empty>
          )
        }
      </ResourceView>
    </div>
  );
}

/** Cycles through the states of an island. */
export const IslandStatesDemo = island(StatesIsland);

/** A choice and a quantity. */
export function StepperDemo({ t }: { t: Texts }) {
  const [size, setSize] = useState("S");
  const [quantity, setQuantity] = useState(1);
  const choices = [
    { value: "S", label: "S" },
    { value: "M", label: "M" },
    { value: "L", label: "L", unavailableReason: t.soldOut },
    { value: "XL", label: "XL" },
  ];
  return (
    <div className="flex flex-wrap gap-x-8 gap-y-6 items-start">
      <Choices legend={t.size} choices={choices} value={size} onChoose={setSize} />
      <div>
        <p className="mb-2.5 font-semibold text-sm" aria-hidden="true">
          {t.quantity}
        </p>
        <Stepper label={t.quantity} less={t.less} more={t.more} value={quantity} max={5} onChange={setQuantity} />
      </div>
    </div>
  );
}

/** Tabs with panels. */
export function TabsDemo({ t }: { t: Texts }) {
  const tab = (id: string, label: string, count?: number) => {
    return { id, label, count, panel: <p className="text-ink-2">{t.tabPanel.replace("{tab}", label)}</p> };
  };
  return (
    <Tabs label={t.orderKinds} tabs={[tab("all", t.tabAll, 24), tab("pending", t.tabPending, 1), tab("done", t.tabDone)]} />
  );
}
