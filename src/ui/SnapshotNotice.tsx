import { useEffect } from "react";
import { formatDateTime } from "../lib/date.ts";
import { onReturn } from "../lib/page-lifecycle.ts";
import { Button } from "./Button.tsx";
import { Notice } from "./Notice.tsx";

interface SnapshotNoticeProps {
  /** When the device stored what is shown; null for an answer of now. */
  takenAt: string | null | undefined;
  onRetry: () => void;
  t: { takenAt: string; retry: string };
}

/** Marks what the device has stored, and loads it again on demand, on return, and when the connection is back. */
export function SnapshotNotice({ takenAt, onRetry, t }: SnapshotNoticeProps) {
  useEffect(() => (takenAt ? onReturn(onRetry) : undefined), [takenAt, onRetry]);
  return (
    takenAt && (
      <div role="status">
        <Notice>
          {t.takenAt.replace("{time}", formatDateTime(takenAt))}{" "}
          <Button variant="link" size="sm" onClick={onRetry}>
            {t.retry}
          </Button>
        </Notice>
      </div>
    )
  );
}
