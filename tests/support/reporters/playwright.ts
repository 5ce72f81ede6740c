import type { FullConfig, Reporter, Suite } from "@playwright/test/reporter";

/** Prints `N passed, N failed[, N skipped]`, the line that `.ci/run` reads. Flaky tests have passed. */
export default class Counter implements Reporter {
  private suite: Suite | undefined;
  private errors = 0;

  onBegin(_config: FullConfig, suite: Suite): void {
    this.suite = suite;
  }

  onError(): void {
    this.errors += 1;
  }

  onEnd(): void {
    const outcomes = this.suite?.allTests().map((test) => test.outcome()) ?? [];
    const count = (...names: string[]) => outcomes.filter((outcome) => names.includes(outcome)).length;
    const skipped = count("skipped");
    const failed = count("unexpected") + this.errors;
    console.log(`\n${count("expected", "flaky")} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  }
}
