import { expect, inBothLanguages, test } from "./support/page.ts";

// A window of 1440 x 900 at 200 % zoom.
inBothLanguages(
  () => {
    test.use({ viewport: { width: 720, height: 450 } });

    test("at 200 % zoom the header and tab bar leave three quarters of the screen, and the plan can be joined without scrolling", async ({
      page,
      prefix,
      t,
    }) => {
      await page.goto(prefix || "/");
      const join = page.getByRole("button", { name: t.concert.join });
      await expect(join).toBeInViewport({ ratio: 1 });
      await join.click({ trial: true });
      const height = async (part: string) => (await page.locator(part).boundingBox())?.height ?? 0;
      expect((await height(".top")) + (await height(".tabbar"))).toBeLessThan(450 / 4);
    });

    for (const [path, bar] of [
      ["/event/echo", ".way"],
      ["/mall/item/tote", ".buybar"],
    ] as const) {
      test(`at 200 % zoom the header and bottom bar of ${path} leave three quarters of the screen`, async ({
        page,
        prefix,
      }) => {
        await page.goto(prefix + path);
        const height = async (part: string) => (await page.locator(part).boundingBox())?.height ?? 0;
        expect((await height(".top")) + (await height(bar))).toBeLessThan(450 / 4);
      });
    }
  },
  { tag: "@desktop" },
);
