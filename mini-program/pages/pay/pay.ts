import { createCalls, type Prepayment } from "#mini-program/calls.ts";
import { type Opening, parseTarget } from "#mini-program/opening.ts";
import { createPayment, type Payment } from "#mini-program/payment.ts";
import type { Screen } from "#mini-program/screen.ts";
import { toLocale, toView, type View } from "#mini-program/view.ts";

const locale = toLocale(wx.getAppBaseInfo().language);

function send(path: string, data: Record<string, string>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    wx.request({
      url: ORIGIN + path,
      method: "POST",
      data,
      header: { "content-type": "application/json", "accept-language": locale },
      timeout: 15_000,
      success: (response) => resolve(response.data),
      fail: reject,
    });
  });
}

function login(): Promise<string | null> {
  return new Promise((resolve) => {
    wx.login({ timeout: 10_000, success: ({ code }) => resolve(code || null), fail: () => resolve(null) });
  });
}

function requestPayment({ trade_no: _, ...parameters }: Prepayment) {
  return new Promise<"sent" | "givenUp" | "failed">((resolve) => {
    wx.requestPayment({
      ...parameters,
      success: () => resolve("sent"),
      fail: ({ errMsg }) => resolve(errMsg.endsWith("cancel") ? "givenUp" : "failed"),
    });
  });
}

type Methods = {
  onLoad(query: Opening): void;
  onShow(): void;
  onHide(): void;
  onUnload(): void;
  show(screen: Screen): void;
  act(): void;
  leave(): void;
};

// A page by the constructor of components, which WeChat allows and miniprogram-simulate runs.
Component<View, Record<never, never>, Methods, [], { payment: Payment }>({
  data: toView({ name: "loading" }, locale, Date.now()),
  lifetimes: {
    created() {
      const isIos = wx.getDeviceInfo().platform === "ios";
      const show = (screen: Screen) => this.show(screen);
      this.payment = createPayment({ calls: createCalls(send), isIos, login, requestPayment, show });
    },
  },
  methods: {
    onLoad(query) {
      this.payment.open(parseTarget(query));
    },
    onShow() {
      this.payment.resume();
    },
    onHide() {
      this.payment.pause();
    },
    onUnload() {
      this.payment.pause();
    },
    show(screen) {
      const view = toView(screen, locale, Date.now());
      // Only what changes crosses to the view: each second that is the clock.
      const changed = Object.entries(view).filter(([name, value]) => Reflect.get(this.data, name) !== value);
      if (view.shop && view.shop !== this.data.shop) wx.setNavigationBarTitle({ title: view.shop });
      if (changed.length > 0) this.setData(Object.fromEntries(changed));
    },
    act() {
      if (this.data.action === "pay") void this.payment.pay();
      else if (this.data.action === "retry") this.payment.retry();
      else this.leave();
    },
    leave() {
      wx.exitMiniProgram();
    },
  },
});
