import type { ComponentPropsWithRef, MouseEvent, ReactElement, ReactNode } from "react";
import ArrowRight from "~icons/lucide/arrow-right";

type ButtonSize = "2xs" | "xs" | "sm" | "md" | "lg" | "xl";
type ButtonVariant = "solid" | "neutral" | "outline" | "ghost" | "link";

const sizes: Record<ButtonSize, string> = {
  "2xs": "button-2xs",
  xs: "button-xs",
  sm: "button-sm",
  md: "",
  lg: "button-lg",
  xl: "button-xl",
};

const variants: Record<ButtonVariant, string> = {
  solid: "button",
  neutral: "button neutral",
  outline: "button outline",
  ghost: "button ghost",
  link: "link",
};

interface ButtonStyleProps {
  size?: ButtonSize;
  variant?: ButtonVariant;
  /** The primary action, one per screen: a label cell and an arrow cell. */
  sign?: boolean;
  /** Shows a spinner and ignores presses; width and focus stay. */
  busy?: boolean;
  /** Before the label. Without a label the button is square and requires an `aria-label`. */
  icon?: ReactElement;
  children?: ReactNode;
}

type ButtonProps = ButtonStyleProps & ComponentPropsWithRef<"button">;
type ButtonLinkProps = ButtonStyleProps & ComponentPropsWithRef<"a">;

function getClassNames({ size = "md", variant = "solid", sign, busy }: ButtonStyleProps, extra?: string): string {
  const names = [variants[variant], sizes[size], sign && "sign", busy && "busy", extra];
  return names.filter(Boolean).join(" ");
}

function Content({ sign, icon, children }: ButtonStyleProps) {
  return (
    <>
      {icon}
      {children && <span>{children}</span>}
      {sign && (
        <span className="cell flex-none grid place-items-center h-full w-[var(--h)]">
          <ArrowRight className="icon go" aria-hidden="true" />
        </span>
      )}
    </>
  );
}

function preventClick(event: MouseEvent): void {
  event.preventDefault();
}

export function Button({ size, variant, sign, busy, icon, children, className, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      className={getClassNames({ size, variant, sign, busy }, className)}
      onClick={busy ? preventClick : onClick}
      {...rest}
    >
      <Content sign={sign} icon={icon}>
        {children}
      </Content>
    </button>
  );
}

export function ButtonLink({ size, variant, sign, busy, icon, children, className, ...rest }: ButtonLinkProps) {
  return (
    <a className={getClassNames({ size, variant, sign, busy }, className)} {...rest}>
      <Content sign={sign} icon={icon}>
        {children}
      </Content>
    </a>
  );
}
