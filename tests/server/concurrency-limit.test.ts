import { describe, expect, it } from "vitest";
import { createGate, GateFullError } from "../../server/http/concurrency-limit.ts";

class Away extends Error {}
const isShared = (error: unknown) => error instanceof Away;
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
    const through = createGate(2, 10, isShared);
    const entered: number[] = [];
    const tasks = Array.from({ length: 5 }, task);
    const all = tasks.map(({ work }, n) =>
      through(() => {
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

  it("throws GateFullError when the queue is full, and accepts tasks again afterwards", async () => {
    const through = createGate(1, 1, isShared);
    const [one, other] = [task(), task()];
    const first = through(one.work);
    const second = through(other.work);
    await expect(through(async () => "late")).rejects.toBeInstanceOf(GateFullError);
    one.resolve("first");
    other.resolve("second");
    expect(await Promise.all([first, second])).toEqual(["first", "second"]);
    expect(await through(async () => "later")).toBe("later");
  });

  it("rejects all queued tasks after a shared failure, and runs them after any other failure", async () => {
    const through = createGate(1, 10, isShared);
    const [one, other] = [task(), task()];
    const first = through(one.work);
    const second = through(async () => "second");
    one.reject(new Error("its own"));
    await expect(first).rejects.toThrow("its own");
    expect(await second).toBe("second");
    const third = through(other.work);
    const waiting = [through(async () => "never"), through(async () => "never")];
    other.reject(new Away());
    for (const each of [third, ...waiting]) await expect(each).rejects.toBeInstanceOf(Away);
    expect(await through(async () => "again")).toBe("again");
  });
});
