import { Notice } from "../Notice.tsx";

interface NoticesProps {
  t: Record<"noticeTitle" | "noticeBody" | "noticeInfo" | "noticeBad" | "noticeGood", string>;
}

/** Notices of all tones. */
export function Notices({ t }: NoticesProps) {
  return (
    <div className="grid gap-2">
      <Notice title={t.noticeTitle}>{t.noticeBody}</Notice>
      <Notice tone="info">{t.noticeInfo}</Notice>
      <Notice tone="bad">{t.noticeBad}</Notice>
      <Notice tone="done">{t.noticeGood}</Notice>
    </div>
  );
}
