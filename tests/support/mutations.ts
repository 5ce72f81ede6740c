const wrongValues: unknown[] = [null, -1, 1.5, "x", "", true, {}];

/** Yields copies of a value with one thing wrong each: a field missing or of another type. */
export function* mutations(value: unknown): Generator<unknown> {
  yield* wrongValues;
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      for (const other of mutations(item)) yield value.with(at, other);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [name, field] of Object.entries(value)) {
      const { [name]: _gone, ...rest } = Object(value);
      yield rest;
      for (const other of mutations(field)) yield { ...value, [name]: other };
    }
  }
}
