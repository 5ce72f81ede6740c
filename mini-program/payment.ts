import type { Calls, Prepayment } from "./calls.ts";
import type { Target } from "./opening.ts";
import { type Event, getCheckTime, next, type Outcome, type Screen } from "./screen.ts";

/** What a payment needs of WeChat and of the page. */
interface Surroundings {
  calls: Calls;
  isIos: boolean;
  /** Returns a fresh login code, null when WeChat gives none. */
  login(): Promise<string | null>;
  /** Opens WeChat's sheet. */
  requestPayment(prepayment: Prepayment): Promise<"sent" | Outcome>;
  show(screen: Screen): void;
}

export interface Payment {
  open(target: Target | null): void;
  /** The main button. */
  pay(): Promise<void>;
  retry(): void;
  /** The page comes to the front again. */
  resume(): void;
  /** The page goes to the back: nothing is queried until `resume`. */
  pause(): void;
}

/** Runs what the screens need: the calls, WeChat's sheet and the clock. */
export function createPayment({ calls, isIos, login, requestPayment, show }: Surroundings): Payment {
  let screen: Screen = { name: "loading" };
  let orderSn: string | null = null;
  let isPaused = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  /** Counts queries and payments: only what began last may change the screen. */
  let latest = 0;

  function dispatch(event: Event): void {
    screen = next(screen, event);
    show(screen);
    schedule();
  }

  function stopTimer(): void {
    if (timer !== undefined) clearTimeout(timer);
    timer = undefined;
  }

  /** Ticks every second while time counts. A query is followed by the next only after its answer. */
  function schedule(): void {
    stopTimer();
    const checkAt = getCheckTime(screen);
    if (isPaused || isAsking || (checkAt === null && screen.name !== "payable")) return;
    timer = setTimeout(tick, Math.max(0, Math.min(1000, (checkAt ?? Number.POSITIVE_INFINITY) - Date.now())));
  }

  function tick(): void {
    const at = Date.now();
    const checkAt = getCheckTime(screen);
    if (checkAt !== null && at >= checkAt) void ask();
    else dispatch({ type: "ticked", at });
  }

  /** Reads the order. `tradeNo`: of a payment under way, or of one that ended with the outcome `after`. */
  async function ask(tradeNo = screen.name === "confirming" ? screen.tradeNo : undefined, after?: Outcome): Promise<void> {
    if (orderSn === null) return;
    latest += 1;
    const own = latest;
    isAsking = true;
    stopTimer();
    const answer = await calls.readOrder(orderSn, tradeNo);
    if (own !== latest) return;
    isAsking = false;
    dispatch({ type: "answered", answer, at: Date.now(), isIos, after });
  }

  /** Prepares the payment. A login code that WeChat refuses is replaced once. */
  async function prepare(sn: string) {
    for (let attempt = 1; ; attempt += 1) {
      const code = await login();
      const answer = code === null ? ({ kind: "login" } as const) : await calls.prepay(sn, code);
      if (answer.kind !== "login" || attempt === 2) return answer;
    }
  }

  return {
    open(target) {
      orderSn = target?.orderSn ?? null;
      dispatch({ type: "opened", orderSn });
      void ask(target?.tradeNo);
    },
    async pay() {
      if (screen.name !== "payable" || orderSn === null) return;
      latest += 1;
      isAsking = false;
      dispatch({ type: "tapped" });
      const answer = await prepare(orderSn);
      if (answer.kind === "order") return dispatch({ type: "answered", answer, at: Date.now(), isIos });
      if (answer.kind !== "prepayment") return dispatch({ type: "refused", failure: answer, at: Date.now() });
      const { prepayment } = answer;
      const outcome = await requestPayment(prepayment);
      if (outcome === "sent") dispatch({ type: "sent", tradeNo: prepayment.trade_no, at: Date.now() });
      // The server knows better than the sheet whether money moved.
      await ask(prepayment.trade_no, outcome === "sent" ? undefined : outcome);
    },
    retry() {
      dispatch({ type: "retried", at: Date.now() });
      void ask();
    },
    resume() {
      if (!isPaused) return;
      isPaused = false;
      if (isAsking) return;
      // What is on the page may be old.
      if (screen.name === "payable" || getCheckTime(screen) !== null) void ask();
    },
    pause() {
      isPaused = true;
      stopTimer();
    },
  };
}
