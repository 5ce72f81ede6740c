import { Tabs } from "../Tabs.tsx";
import "../../lib/replay-interactions.ts";

interface TabsDemoProps {
  t: Record<"orderKinds" | "tabAll" | "tabPending" | "tabDone" | "tabPanel", string>;
}

/** Tabs with panels. */
export function TabsDemo({ t }: TabsDemoProps) {
  const tab = (id: string, label: string, count?: number) => {
    return { id, label, count, panel: <p className="mut">{t.tabPanel.replace("{tab}", label)}</p> };
  };
  return (
    <Tabs label={t.orderKinds} tabs={[tab("all", t.tabAll, 24), tab("pending", t.tabPending, 1), tab("done", t.tabDone)]} />
  );
}
