import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contract } from "../../src/api/contract.ts";
import { isEnvelope } from "../../src/api/envelope.ts";
import destr from "../../src/build/ofetch-replacements/destr.ts";
import { withBase, withQuery } from "../../src/build/ofetch-replacements/ufo.ts";

// Resolves the versions that ofetch depends on.
const fromFetch = createRequire(createRequire(import.meta.url).resolve("ofetch"));
const ufo: typeof import("ufo") = fromFetch("ufo");
const original: typeof import("destr") = fromFetch("destr");

const path = fc.constantFrom(...Object.values(contract).map((call) => call.path));
const origin = fc.webUrl({ validSchemes: ["http", "https"], withQueryParameters: false }).map((url) => new URL(url).origin);

describe("the replacements of ofetch's dependencies", () => {
  it("withBase joins origin and path like ufo", () => {
    fc.assert(
      fc.property(path, fc.oneof(origin, fc.constant("/")), (path, base) => {
        expect(withBase(path, base)).toBe(ufo.withBase(path, base));
      }),
    );
  });

  it("withQuery adds a query equivalent to ufo's", () => {
    const read = (url: string) => {
      const { pathname, searchParams } = new URL(url, "http://site.test");
      return [pathname, ...searchParams];
    };
    fc.assert(
      fc.property(
        path,
        fc.dictionary(fc.stringMatching(/^[a-z]+(_[a-z]+)*$/), fc.string({ unit: "grapheme" })),
        (path, query) => {
          expect(read(withQuery(path, query))).toEqual(read(ufo.withQuery(path, query)));
        },
      ),
    );
  });

  // destr drops this key, which the server never sends.
  const json = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('"__proto__":'));
  const envelope = fc.record({ code: fc.integer(), msg: fc.string({ unit: "binary" }), data: json });

  it("destr parses every envelope like the original, whatever its white space", () => {
    const space = fc.constantFrom("", " ", "\n", "\r\n\t");
    fc.assert(
      fc.property(envelope, fc.nat(3), space, space, (value, indent, before, after) => {
        const text = before + JSON.stringify(value, null, indent) + after;
        expect(destr(text)).toEqual(original.destr(text));
        expect(isEnvelope(destr(text))).toBe(true);
      }),
    );
  });

  it("destr accepts no other body as an envelope than the original", () => {
    const cut = fc.tuple(envelope, fc.nat()).map(([value, at]) => {
      const text = JSON.stringify(value);
      return text.slice(0, at % text.length);
    });
    const words = fc.constantFrom("true", "NULL", "undefined", "NaN", "-infinity", "1e999", '"a"', '"', "<!doctype html>", "");
    const body = fc.oneof(
      cut,
      words,
      fc.string({ unit: "binary" }),
      fc.jsonValue().map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(body, (text) => {
        expect(isEnvelope(destr(text))).toBe(isEnvelope(original.destr(text)));
      }),
    );
  });
});
