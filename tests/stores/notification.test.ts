import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { $notifications, add, clear, pause, remove, resume, update } from "#src/features/notification/store.ts";

const titles = () => $notifications.get().map(({ title }) => title);

beforeEach(() => {
  // Test files share the store.
  clear();
  vi.useFakeTimers();
});
afterEach(() => {
  clear();
  vi.useRealTimers();
});

describe("notifications", () => {
  it("have defaults and a unique timestamp as their id", () => {
    vi.setSystemTime(1_800_000_000_000);
    const ids = [add({ title: "a" }), add({ title: "b" }), add({ title: "c" })];
    expect(ids).toEqual(["1800000000000", "1800000000001", "1800000000002"]);
    expect($notifications.get()[0]).toEqual({
      id: ids[0],
      title: "a",
      closeButton: true,
      timeout: 5000,
      actions: [],
      color: "primary",
    });
  });

  it("close after their timeout, 5000 ms by default, and run their callback", () => {
    const callback = vi.fn();
    add({ title: "a", callback });
    add({ title: "b", timeout: 8000 });
    vi.advanceTimersByTime(4999);
    expect(titles()).toEqual(["a", "b"]);
    vi.advanceTimersByTime(1);
    expect(titles()).toEqual(["b"]);
    expect(callback).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(3000);
    expect(titles()).toEqual([]);
  });

  it("stay with a timeout of 0", () => {
    add({ title: "a", timeout: 0 });
    vi.advanceTimersByTime(10_000_000);
    expect(titles()).toEqual(["a"]);
  });

  it("stop their timer while paused and resume with the remaining time", () => {
    const id = add({ title: "a" });
    vi.advanceTimersByTime(3000);
    pause(id);
    pause(id);
    vi.advanceTimersByTime(60_000);
    resume(id);
    resume(id);
    vi.advanceTimersByTime(1999);
    expect(titles()).toEqual(["a"]);
    vi.advanceTimersByTime(1);
    expect(titles()).toEqual([]);
  });

  it("are updated by id, which restarts the timer, unless they are closed", () => {
    const id = add({ title: "a" });
    vi.advanceTimersByTime(4000);
    update(id, { title: "b", color: "error" });
    vi.advanceTimersByTime(4000);
    expect($notifications.get()).toMatchObject([{ id, title: "b", color: "error" }]);
    remove(id);
    update(id, { title: "c" });
    expect(titles()).toEqual([]);
  });

  it("stay paused when updated or added again, and have their full timeout afterwards", () => {
    const id = add({ title: "a" });
    vi.advanceTimersByTime(3000);
    pause(id);
    update(id, { description: "b" });
    vi.advanceTimersByTime(60_000);
    expect(add({ title: "a", description: "b" })).toBe(id);
    vi.advanceTimersByTime(60_000);
    expect(titles()).toEqual(["a"]);
    resume(id);
    vi.advanceTimersByTime(4999);
    expect(titles()).toEqual(["a"]);
    vi.advanceTimersByTime(1);
    expect(titles()).toEqual([]);
  });

  it("become permanent or temporary by an update", () => {
    const id = add({ title: "a" });
    update(id, { timeout: 0 });
    vi.advanceTimersByTime(60_000);
    expect(titles()).toEqual(["a"]);
    update(id, { timeout: 1000 });
    vi.advanceTimersByTime(1000);
    expect(titles()).toEqual([]);
  });

  it("run their callback exactly once however they are closed", () => {
    const callback = vi.fn();
    const id = add({ title: "a", callback });
    remove(id);
    remove(id);
    vi.advanceTimersByTime(10_000);
    expect(callback).toHaveBeenCalledOnce();
    add({ title: "b", callback });
    add({ title: "c", callback });
    clear();
    expect(callback).toHaveBeenCalledTimes(3);
    expect(titles()).toEqual([]);
  });

  it("coalesce when their texts are equal", () => {
    const id = add({ title: "a" });
    vi.advanceTimersByTime(4000);
    expect(add({ title: "a" })).toBe(id);
    vi.advanceTimersByTime(4000);
    expect(titles()).toEqual(["a"]);
    const before = $notifications.get()[0];
    add({ title: "a" });
    // A new object makes the region restart the time bar.
    expect($notifications.get()[0]).not.toBe(before);
    expect(add({ title: "a", description: "and more" })).not.toBe(id);
  });

  it("stand beside each other when anything else than their texts differs", () => {
    const variants: Parameters<typeof add>[0][] = [
      { title: "a" },
      { title: "a", color: "info" },
      { title: "a", color: "warning" },
      { title: "a", timeout: 0 },
      { title: "a", timeout: 8000 },
      { title: "a", icon: "bell" },
      { title: "a", avatar: { alt: "A" } },
      { title: "a", avatar: { alt: "A", src: "/a.png" } },
      { title: "a", avatar: { alt: "A", text: "1" } },
      { title: "a", avatar: { alt: "B" } },
      { title: "a", closeButton: false },
      { title: "a", lang: "en-US" },
      { title: "a", description: "" },
      { title: "a", actions: [{ label: "b" }] },
      { title: "a", actions: [{ label: "b" }] },
      { title: "a", callback: () => {} },
    ];
    const ids = variants.map((variant) => add(variant));
    expect(new Set(ids).size).toBe(variants.length);
    // After one with an action and a callback.
    expect(add({ title: "a" })).toBe(ids[0]);
    expect(add({ title: "a", avatar: { text: "1", alt: "A" } })).toBe(ids[8]);
    expect(add({ title: "a", color: "primary", timeout: 5000, actions: [] })).toBe(ids[0]);
    expect(titles()).toHaveLength(variants.length);
  });
});
