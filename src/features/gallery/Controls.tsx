import type { ui } from "#i18n/ui.ts";
import { Button, ButtonLink } from "#src/ui/Button.tsx";
import { Check } from "#src/ui/form/Check.tsx";
import { Field } from "#src/ui/form/Field.tsx";
import { Select } from "#src/ui/form/Select.tsx";
import { TextArea } from "#src/ui/form/TextArea.tsx";
import { Notice } from "#src/ui/Notice.tsx";
import CalendarPlus from "~icons/lucide/calendar-plus";

type Texts = (typeof ui)["zh-CN"];

const buttonSizes = ["2xs", "xs", "sm", "md", "lg", "xl"] as const;
const variants = [
  ["solid", {}],
  ["neutral", { variant: "neutral" }],
  ["outline", { variant: "outline" }],
  ["soft", { className: "soft" }],
  ["ghost", { variant: "ghost" }],
  ["danger", { className: "danger" }],
  ["danger-outline", { className: "outline danger-outline" }],
] as const;

/** Sizes, variants and states of buttons. */
export function Buttons({ t }: { t: Texts }) {
  const icon = <CalendarPlus className="icon" aria-hidden="true" />;
  return (
    <>
      <div className="buttonSizes flex flex-wrap gap-3 items-center">
        {buttonSizes.map((size) => (
          <Button key={size} size={size}>
            {size}
          </Button>
        ))}
      </div>
      <div className="flex flex-wrap gap-3 items-center">
        {variants.map(([name, style]) => (
          <Button key={name} {...style} size="lg">
            {name}
          </Button>
        ))}
        <ButtonLink variant="link" href="#main">
          link
        </ButtonLink>
      </div>
      <div className="flex flex-wrap gap-3 items-center">
        {variants.map(([name, style]) => (
          <Button key={name} {...style} busy>
            {t.sending}
          </Button>
        ))}
      </div>
      <div className="flex flex-wrap gap-3 items-center">
        {variants.map(([name, style]) => (
          <Button key={name} {...style} disabled>
            {t.unavailable}
          </Button>
        ))}
      </div>
      <div className="buttonSizes flex flex-wrap gap-3 items-center">
        {buttonSizes.map((size) => (
          <Button
            className="w-[var(--h)] p-0"
            key={size}
            size={size}
            variant="outline"
            icon={icon}
            aria-label={`${t.addToCalendar} (${size})`}
          />
        ))}
      </div>
      <div className="flex flex-wrap gap-3 items-center">
        <Button size="lg" icon={icon}>
          {t.addToCalendar}
        </Button>
        <Button sign size="xl">
          {t.joinPlan}
        </Button>
        <Button sign size="md" variant="neutral">
          {t.goOn}
        </Button>
        <Button sign size="lg" busy>
          {t.sending}
        </Button>
        <Button sign size="lg" disabled>
          {t.unavailable}
        </Button>
      </div>
    </>
  );
}

/** Every kind of field: empty, with a hint, invalid, disabled. Static HTML. */
export function Fields({ t }: { t: Texts }) {
  return (
    <div className="grid gap-4 lg:grid-cols-[1fr_1fr] lg:items-start">
      <Field label={t.username} placeholder={t.placeholder} hint={t.usernameHint} />
      <Field label={t.receiver} error={t.receiverError} />
      <Select label={t.region}>
        <option>{t.regionA}</option>
        <option>{t.regionB}</option>
      </Select>
      <Field label={t.orderNumber} disabled defaultValue="M2027 0301 8842 16" />
      <TextArea label={t.note} hint={t.noteHint} maxLength={200} />
      <Check label={t.defaultAddress} defaultChecked />
    </div>
  );
}

/** Notices of all tones. */
export function Notices({ t }: { t: Texts }) {
  return (
    <div className="grid gap-2">
      <Notice title={t.noticeTitle}>{t.noticeBody}</Notice>
      <Notice tone="info">{t.noticeInfo}</Notice>
      <Notice tone="bad">{t.noticeBad}</Notice>
      <Notice tone="done">{t.noticeGood}</Notice>
    </div>
  );
}
