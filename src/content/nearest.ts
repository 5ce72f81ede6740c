/** Returns the word that a misspelt one is nearest to, if any: `colour` of `color`, `starts_at` of `starts`. */
export function findNearest(word: string, words: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  const maxEdits = word.length < 5 ? 1 : 2;
  const [nearest] = words
    .map((one) => ({ one, edits: countEdits(lower, one.toLowerCase()) }))
    .filter(({ edits }) => edits <= maxEdits)
    .sort((a, b) => a.edits - b.edits);
  return words.find((one) => one.startsWith(`${lower}_`)) ?? nearest?.one;
}

/** Counts the letters to add, take out, change or swap with the next one between two words. */
function countEdits(one: string, other: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (const [row, letter] of [...one].entries()) {
    const current = [row + 1];
    for (const [at, otherLetter] of [...other].entries()) {
      const isSwap = row > 0 && at > 0 && letter === other[at - 1] && one[row - 1] === otherLetter;
      const changed = (last[at] ?? 0) + (letter === otherLetter ? 0 : 1);
      const swapped = isSwap ? (beforeLast[at - 1] ?? 0) + 1 : changed;
      current.push(Math.min(changed, swapped, (last[at + 1] ?? 0) + 1, (current[at] ?? 0) + 1));
    }
    [beforeLast, last] = [last, current];
  }
  return last.at(-1) ?? 0;
}
