import { Button } from "./Button.tsx";
import { DatedText } from "./Day.tsx";
import { Notice } from "./Notice.tsx";

interface SnapshotNoticeProps {
  /** When the device stored what is shown; null for an answer of now. */
  takenAt: string | null | undefined;
  onRetry: () => void;
  t: { takenAt: string; retry: string };
}

/** Marks what the device has stored, and loads it again on demand. Its store does so on return, and when the connection is back. */
export function SnapshotNotice({ takenAt, onRetry, t }: SnapshotNoticeProps) {
  return (
    takenAt && (
      <div role="status">
        <Notice>
          <DatedText text={t.takenAt} dates={{ time: { date: takenAt, form: "dateTime" } }} />{" "}
          <Button variant="link" size="sm" onClick={onRetry}>
            {t.retry}
          </Button>
        </Notice>
      </div>
    )
  );
}
