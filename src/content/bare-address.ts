import type { Code, Construct, State, Token, TokenizeContext } from "micromark-util-types";
import type { Processor } from "unified";

/** Of remark-gfm, which makes links of them. */
declare module "micromark-util-types" {
  interface TokenTypeMap {
    literalAutolink: "literalAutolink";
    literalAutolinkHttp: "literalAutolinkHttp";
    literalAutolinkWww: "literalAutolinkWww";
  }
}

const matches = (code: Code, pattern: RegExp) => code !== null && code > 0 && pattern.test(String.fromCodePoint(code));
/** ASCII but blanks and `<`. */
const isWithin = (code: Code) => matches(code, /[!-;=-~]/);
/** What belongs to the sentence unless more of the address follows. */
const isTrailing = (code: Code) => matches(code, /[!"'),*.:;?\]_~]/);
const prefixes = ["http://", "https://", "www."];

/** Succeeds where nothing of the address follows on what may end it. */
const trail: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    return function skip(code) {
      if (!isTrailing(code)) return isWithin(code) ? nok(code) : ok(code);
      effects.consume(code);
      return skip;
    };
  },
};

/** Before them no bracket is open: a text of thousands of addresses is looked through once. */
const walked = new WeakSet<Token>();

/** Returns whether a bracket is open, which may be that of a link: it holds no other one. */
function isInLabel({ events }: TokenizeContext): boolean {
  const isBracket = ({ type, _balanced }: Token) => (type === "labelLink" || type === "labelImage") && !_balanced;
  const found = events.findLast(([, token]) => walked.has(token) || isBracket(token))?.[1];
  if (found && !walked.has(found)) return true;
  const last = events.at(-1);
  if (last) walked.add(last[1]);
  return false;
}

const address: Construct = {
  name: "bareAddress",
  previous: (code) => !matches(code, /[a-z\d./@-]/i),
  tokenize(effects, ok, nok) {
    const context = this;
    let [prefix, open, isInRun] = ["", 0, false];
    let type: "literalAutolinkHttp" | "literalAutolinkWww" = "literalAutolinkHttp";
    return start;

    function start(code: Code): State | undefined {
      if (matches(code, /w/i)) type = "literalAutolinkWww";
      effects.enter("literalAutolink");
      effects.enter(type);
      return readPrefix(code);
    }
    function readPrefix(code: Code): State | undefined {
      if (code === null || code < 0) return nok(code);
      prefix += String.fromCodePoint(code).toLowerCase();
      if (!prefixes.some((one) => one.startsWith(prefix))) return nok(code);
      effects.consume(code);
      return prefixes.includes(prefix) ? readHost : readPrefix;
    }
    function readHost(code: Code): State | undefined {
      return matches(code, /[a-z\d]/i) && !isInLabel(context) ? read(code) : nok(code);
    }
    function read(code: Code): State | undefined {
      if (!isWithin(code)) return end(code);
      const isClosing = open > 0 && matches(code, /\)/);
      if (isClosing) open -= 1;
      if (matches(code, /\(/)) open += 1;
      // A run of them is looked at once.
      if (isTrailing(code) && !isClosing && !isInRun) return effects.check(trail, end, readRun)(code);
      isInRun &&= isTrailing(code);
      effects.consume(code);
      return read;
    }
    function readRun(code: Code): State | undefined {
      isInRun = true;
      effects.consume(code);
      return read;
    }
    function end(code: Code): State | undefined {
      effects.exit(type);
      effects.exit("literalAutolink");
      return ok(code);
    }
  },
};

/**
 * Links bare addresses, which end where Chinese text or punctuation begins, and begin without a blank before them. Those of GitHub's Markdown go on to the next
 * blank, with the asterisks of bold text in it; what it finds in finished text is left out, as it ends there too late.
 */
export function bareAddresses(this: Processor): undefined {
  const data = this.data();
  const text = Object.fromEntries(Array.from("HhWw", (letter) => [letter.charCodeAt(0), address]));
  const replaced = { text, disable: { null: ["protocolAutolink", "wwwAutolink"] } };
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), replaced];
  data.fromMarkdownExtensions = data.fromMarkdownExtensions?.flat().map((extension) => ({ ...extension, transforms: [] }));
}
