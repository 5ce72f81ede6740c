import { useState } from "react";
import type { session } from "#i18n/session.ts";
import { Button } from "#src/ui/Button.tsx";
import { Dialog } from "#src/ui/Dialog.tsx";
import { type IslandTexts, island } from "#src/ui/Island.tsx";
import LogOutIcon from "~icons/lucide/log-out";
import { logOut } from "./store.ts";

interface LogOutProps {
  t: Pick<(typeof session)["zh-CN"], "logOut" | "logOutTitle" | "logOutBody" | "stay">;
  states: IslandTexts;
}

function LogOutIsland({ t }: LogOutProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        className="outline danger-outline"
        size="lg"
        icon={<LogOutIcon className="icon" aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {t.logOut}
      </Button>
      <Dialog title={t.logOutTitle} open={isOpen} onClose={() => setOpen(false)}>
        <p className="text-ink-2 mt-2">{t.logOutBody}</p>
        <p className="ways end flex flex-wrap gap-3 mt-6 justify-end">
          <Button variant="ghost" onClick={() => setOpen(false)}>
            {t.stay}
          </Button>
          <Button className="danger" onClick={logOut}>
            {t.logOut}
          </Button>
        </p>
      </Dialog>
    </>
  );
}

/** The log-out button, with a confirmation. */
export const LogOut = island(LogOutIsland);
