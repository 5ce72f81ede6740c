import type { ReactElement, ReactNode } from "react";
import type { Problem } from "#src/api/problem.ts";
import type { Resource } from "#src/lib/resource.ts";
import { Button, ButtonLink } from "./Button.tsx";
import { Empty } from "./Empty.tsx";
import type { Elements } from "./elements.ts";
import { Failed } from "./Failed.tsx";
import type { IslandTexts } from "./Island.tsx";

export interface ResourceTexts extends IslandTexts {
  loading: string;
  needsLoginTitle: string;
  needsLoginBody: string;
  login: string;
}

interface ResourceViewProps<Data> {
  resource: Resource<Data, Problem>;
  onRetry: () => void;
  loginHref: string;
  /** Placeholder of the size of the content. */
  skeleton: Elements;
  /** Stands beside the retry button, for what fills its page: a failure is drawn as a room whose lamp is off. */
  secondaryAction?: ReactElement;
  t: ResourceTexts;
  children: (data: Data) => ReactNode;
}

export function NeedsLogin({
  loginHref,
  t,
}: {
  loginHref: string;
  t: Pick<ResourceTexts, "needsLoginTitle" | "needsLoginBody" | "login">;
}) {
  return (
    <div className="empty grid justify-items-start gap-3 px-5 py-8 bg-surface text-ink">
      <h2 className="text-2xl">{t.needsLoginTitle}</h2>
      <p className="text-ink-2">{t.needsLoginBody}</p>
      <ButtonLink href={loginHref} sign size="lg">
        {t.login}
      </ButtonLink>
    </div>
  );
}

/** Draws the common states of a resource: loading, failed, needs login. `children` draws its data. */
export function ResourceView<Data>({
  resource,
  onRetry,
  loginHref,
  skeleton,
  secondaryAction,
  t,
  children,
}: ResourceViewProps<Data>) {
  if (resource.state === "ready") return children(resource.data);
  if (resource.state === "loading") {
    return (
      <div aria-busy="true">
        <p className="sr-only" role="status">
          {t.loading}
        </p>
        {skeleton}
      </div>
    );
  }
  if (resource.problem.kind === "needsLogin") return <NeedsLogin loginHref={loginHref} t={t} />;
  const { message, isAnswer } = resource.problem;
  if (!secondaryAction) return <Failed title={t.failedTitle} message={message} retry={t.retry} onRetry={onRetry} />;
  return (
    // The key makes it another element than the skeleton, which would seem to move.
    <div role="alert" key="failed">
      <Empty title={isAnswer ? message : t.failedTitle} body={isAnswer ? undefined : message} isUnlit>
        <Button variant="outline" onClick={onRetry}>
          {t.retry}
        </Button>
        {secondaryAction}
      </Empty>
    </div>
  );
}

/** Skeleton lines; each height is a class. */
export function SkeletonLines({ heights }: { heights: readonly string[] }) {
  return (
    <div className="grid gap-4">
      {[...heights.entries()].map(([line, height]) => (
        <span key={line} className={`skeleton ${height}`} />
      ))}
    </div>
  );
}
