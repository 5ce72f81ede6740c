import { useState } from "react";
import { CodeInput } from "../form/CodeInput.tsx";
import "#src/lib/replay-interactions.ts";
import { Button, ButtonLink } from "../Button.tsx";
import { Dialog } from "../Dialog.tsx";
import { Empty } from "../Empty.tsx";
import { Choices } from "../form/Choices.tsx";
import { Stepper } from "../form/Stepper.tsx";
import { island } from "../Island.tsx";
import { type ResourceTexts, ResourceView, SkeletonLines } from "../ResourceView.tsx";
import { Tabs } from "../Tabs.tsx";

interface CodeInputDemoProps {
  t: Record<"code" | "codeHint" | "codeGood" | "receiverError", string>;
  /** Error of a wrong code. */
  wrong: string;
}

/** A code input; 000000 is the wrong code. */
export function CodeInputDemo({ t, wrong }: CodeInputDemoProps) {
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

type DialogWords =
  | "logOut"
  | "logOutTitle"
  | "logOutBody"
  | "stay"
  | "deleteAddress"
  | "deleteTitle"
  | "deleteBody"
  | "keep"
  | "remove";
interface DialogDemoProps {
  t: Record<DialogWords, string>;
}

/** Two buttons that open dialogs. */
export function DialogDemo({ t }: DialogDemoProps) {
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

type StateWords = "stateLead" | "loading" | "stateReady" | "stateEmpty" | "stateFailed" | "stateLogin" | "readyBody";
interface IslandStatesDemoProps {
  t: Record<StateWords | "emptyTitle" | "emptyBody" | "emptyAction" | "failedBody", string>;
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
      <Segmented label={t.stateLead} options={options} value={state} onChoose={setState} />
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

interface StepperDemoProps {
  t: Record<"size" | "soldOut" | "quantity" | "less" | "more", string>;
}

/** A choice and a quantity. */
export function StepperDemo({ t }: StepperDemoProps) {
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

interface TabsDemoProps {
  t: Record<"orderKinds" | "tabAll" | "tabPending" | "tabDone" | "tabPanel", string>;
}

/** Tabs with panels. */
export function TabsDemo({ t }: TabsDemoProps) {
  const tab = (id: string, label: string, count?: number) => {
    return { id, label, count, panel: <p className="text-ink-2">{t.tabPanel.replace("{tab}", label)}</p> };
  };
  return (
    <Tabs label={t.orderKinds} tabs={[tab("all", t.tabAll, 24), tab("pending", t.tabPending, 1), tab("done", t.tabDone)]} />
  );
}

interface SegmentedProps<Value extends string> {
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChoose: (value: Value) => void;
}

/** A few exclusive toggle buttons. */
function Segmented<Value extends string>({ label, options, value, onChoose }: SegmentedProps<Value>) {
  return (
    <fieldset className="segmented max-sm:*:px-2" aria-label={label}>
      {options.map((option) => (
        <button key={option.value} type="button" aria-pressed={option.value === value} onClick={() => onChoose(option.value)}>
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
