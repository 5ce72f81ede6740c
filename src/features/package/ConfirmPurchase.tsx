import { fill } from "../../../i18n/catalogue.ts";
import type { package as texts } from "../../../i18n/package.ts";
import { formatDate } from "../../lib/date.ts";
import { formatYuan } from "../../lib/format.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { getEffect } from "./purchase-effect.ts";
import type { PackageData } from "./store.ts";

interface ConfirmPassProps {
  pass: PackageData;
  /** What the button said. */
  title: string;
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  t: Pick<(typeof texts)["zh-CN"], "ask" | "askUntil" | "stay" | "order">;
}

/** Asks once more before an order is placed: what it costs, and until when the pass then runs. */
export function ConfirmPass({ pass, title, open, onClose, onConfirm, t }: ConfirmPassProps) {
  const effect = getEffect(pass);
  const until = effect.kind === "visitor" || effect.kind === "lower" ? "" : formatDate(new Date(effect.after));
  return (
    <Dialog title={open ? title : ""} open={open} onClose={onClose}>
      {/* The date may come after the question. */}
      <p className="mut min-h-[3.4em]">
        {open && fill(t.ask, { price: formatYuan(pass.info.pay_fen), days: pass.info.days })}{" "}
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
