import { Button } from "./Button.tsx";
import type { Elements } from "./elements.ts";

interface FailedProps {
  title: string;
  message: string;
  retry: string;
  onRetry: () => void;
  children?: Elements;
}

/** An error state with a retry button and other actions. */
export function Failed({ title, message, retry, onRetry, children }: FailedProps) {
  return (
    <div className="empty grid justify-items-start gap-3 px-5 py-8 bg-surface text-ink" role="alert">
      <span className="plate bg-danger text-on-danger text-2xl" aria-hidden="true">
        !
      </span>
      <h2 className="text-2xl">{title}</h2>
      <p className="text-ink-2">{message}</p>
      <p className="ways flex flex-wrap gap-3 mt-2">
        <Button variant="outline" onClick={onRetry}>
          {retry}
        </Button>
        {children}
      </p>
    </div>
  );
}
