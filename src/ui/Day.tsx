import { type DateForm, drawDate, speakDate, toIsoDay } from "#src/lib/date.ts";

export interface DayProps {
  /** A text is in ISO 8601. */
  date: Date | string;
  form: DateForm;
  /** The page's language. What the build draws names it. */
  locale?: string;
}

/** A date as it is drawn, 03.20, and in words for who hears it. */
export function Day({ date: at, form, locale = document.documentElement.lang }: DayProps) {
  const date = new Date(at);
  return (
    <time dateTime={form === "date" ? toIsoDay(date) : date.toISOString()}>
      <span translate="no" aria-hidden="true">
        {drawDate(date, form)}
      </span>
      <span className="sr-only">{speakDate(date, form, locale)}</span>
    </time>
  );
}

interface DatedTextProps {
  /** Other placeholders are filled. */
  text: string;
  /** By the names of their placeholders. */
  dates: Record<string, DayProps>;
}

/** A text with dates in place of its placeholders, such as `{date}`. */
export function DatedText({ text, dates }: DatedTextProps) {
  return (
    <span>
      {text.split(/\{(\w+)\}/).map((part, index) => {
        const day = index % 2 === 1 ? dates[part] : undefined;
        return day ? <Day key={part} {...day} /> : part && <span key={part}>{part}</span>;
      })}
    </span>
  );
}
