import { describe, expect, it } from "vitest";
import { createConcurrencyLimit, QueueFullError } from "../../server/http/rate-limit.ts";

class SharedError extends Error {}
const isShared = (error: unknown) => error instanceof SharedError;
const task = () => {
  let resolve = (_value: string) => {};
  let reject = (_error: Error) => {};
  const promise = new Promise<string>((done, failed) => {
    [resolve, reject] = [done, failed];
  });
  return { work: () => promise, resolve, reject };
};

describe("the concurrency limit", () => {
  it("runs two tasks at a time and the queued ones in order", async () => {
    const limit = createConcurrencyLimit(2, 10, isShared);
    const entered: number[] = [];
    const tasks = Array.from({ length: 5 }, task);
    const all = tasks.map(({ work }, n) =>
      limit(() => {
        entered.push(n);
        return work();
      }),
    );
    await Promise.resolve();
    expect(entered).toEqual([0, 1]);
    tasks[1]?.resolve("b");
    expect(await all[1]).toBe("b");
    expect(entered).toEqual([0, 1, 2]);
    for (const { resolve } of tasks) resolve("x");
    await Promise.all(all);
    expect(entered).toEqual([0, 1, 2, 3, 4]);
  });

  it("throws QueueFullError when the queue is full, and accepts tasks again afterwards", async () => {
    const limit = createConcurrencyLimit(1, 1, isShared);
    const [one, other] = [task(), task()];
    const first = limit(one.work);
    const second = limit(other.work);
    await expect(limit(async () => "late")).rejects.toBeInstanceOf(QueueFullError);
    one.resolve("first");
    other.resolve("second");
    expect(await Promise.all([first, second])).toEqual(["first", "second"]);
    expect(await limit(async () => "later")).toBe("later");
  });

  it("rejects all queued tasks after a shared failure, and runs them after any other failure", async () => {
    const limit = createConcurrencyLimit(1, 10, isShared);
    const [one, other] = [task(), task()];
    const first = limit(one.work);
    const second = limit(async () => "second");
    one.reject(new Error("its own"));
    await expect(first).rejects.toThrow("its own");
    expect(await second).toBe("second");
    const third = limit(other.work);
    const waiting = [limit(async () => "never"), limit(async () => "never")];
    other.reject(new SharedError());
    for (const each of [third, ...waiting]) await expect(each).rejects.toBeInstanceOf(SharedError);
    expect(await limit(async () => "again")).toBe("again");
  });
});
