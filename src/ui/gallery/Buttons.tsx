import CalendarPlus from "~icons/lucide/calendar-plus";
import { Button, ButtonLink } from "../Button.tsx";

interface ButtonsProps {
  t: Record<"addToCalendar" | "sending" | "unavailable" | "joinPlan" | "goOn", string>;
}

const sizes = ["2xs", "xs", "sm", "md", "lg", "xl"] as const;
const variants = ["solid", "neutral", "outline", "soft", "ghost", "danger", "danger-o"] as const;

/** Sizes, variants and states of buttons. */
export function Buttons({ t }: ButtonsProps) {
  const icon = <CalendarPlus className="i" aria-hidden="true" />;
  return (
    <>
      <div className="rw sizes">
        {sizes.map((size) => (
          <Button key={size} size={size}>
            {size}
          </Button>
        ))}
      </div>
      <div className="rw">
        {variants.map((variant) => (
          <Button key={variant} variant={variant} size="lg">
            {variant}
          </Button>
        ))}
        <ButtonLink variant="link" href="#main">
          link
        </ButtonLink>
      </div>
      <div className="rw">
        {variants.map((variant) => (
          <Button key={variant} variant={variant} busy>
            {t.sending}
          </Button>
        ))}
      </div>
      <div className="rw">
        {variants.map((variant) => (
          <Button key={variant} variant={variant} disabled>
            {t.unavailable}
          </Button>
        ))}
      </div>
      <div className="rw sizes">
        {sizes.map((size) => (
          <Button key={size} size={size} variant="outline" icon={icon} aria-label={`${t.addToCalendar} (${size})`} />
        ))}
      </div>
      <div className="rw">
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
