import { fill } from "../../../i18n/catalogue.ts";
import type { package as texts } from "../../../i18n/package.ts";
import { formatDate } from "../../lib/date.ts";
import { formatYuan } from "../../lib/format.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { getMembershipChange } from "./membership-change.ts";
import type { PackageData } from "./store.ts";

interface ConfirmPurchaseProps {
  data: PackageData;
  /** The text of the button that opened the dialog. */
  title: string;
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  t: Pick<(typeof texts)["zh-CN"], "ask" | "askUntil" | "stay" | "order">;
}

/** Asks for confirmation of an order, with its price and the expiry that it leads to. */
export function ConfirmPurchase({ data, title, open, onClose, onConfirm, t }: ConfirmPurchaseProps) {
  const change = getMembershipChange(data);
  const until = change.kind === "visitor" || change.kind === "lower" ? "" : formatDate(new Date(change.after));
  return (
    <Dialog title={open ? title : ""} open={open} onClose={onClose}>
      {/* Reserves space: the date may load after the question. */}
      <p className="mut min-h-[3.4em]">
        {open && fill(t.ask, { price: formatYuan(data.info.pay_fen), days: data.info.days })}{" "}
        {open && until && fill(t.askUntil, { date: until })}
      </p>
      <p className="ways end">
        <Button variant="ghost" size="lg" onClick={onClose}>
          {t.stay}
        </Button>
        <Button size="lg" onClick={onConfirm}>
          {t.order}
        </Button>
      </p>
    </Dialog>
  );
}
