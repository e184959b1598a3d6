/** Just enough of a validator for what a map answers. */

import { WindvaneError } from "./errors.js";

export interface Schema<T> {
  parse(input: unknown, options?: ParseOptions): T;
}

export interface ParseOptions {
  /** Where the value stands, for messages. */
  path?: string;
}

export type Infer<S> = S extends Schema<infer T> ? T : never;

export interface StringOptions {
  minLength?: number;
  maxLength?: number;
  pattern?: RegExp;
  trim?: boolean;
}

export interface NumberOptions {
  min?: number;
  max?: number;
  integer?: boolean;
}

function fail(expected: string, path = "value"): never {
  throw new WindvaneError(`${path} has to be ${expected}`);
}

function define<T>(read: (input: unknown, path: string | undefined) => T): Schema<T> {
  return { parse: (input, { path } = {}) => read(input, path) };
}

/** The kinds of values, as one name: `schema.object({ name: schema.string() })`. */
export const schema = {
  string({ minLength = 0, maxLength = Infinity, pattern, trim = false }: StringOptions = {}): Schema<string> {
    return define((input, path) => {
      if (typeof input !== "string") return fail("a text", path);
      const text = trim ? input.trim() : input;
      const fits = text.length >= minLength && text.length <= maxLength && (pattern?.test(text) ?? true);
      return fits ? text : fail("a text of the right form", path);
    });
  },

  number({ min = -Infinity, max = Infinity, integer = false }: NumberOptions = {}): Schema<number> {
    return define((input, path) => {
      if (typeof input !== "number" || (integer && !Number.isInteger(input))) return fail("a number", path);
      return input >= min && input <= max ? input : fail(`between ${min} and ${max}`, path);
    });
  },

  oneOf<const T extends string>(values: readonly T[]): Schema<T> {
    return define((input, path) => values.find((value) => value === input) ?? fail(values.join(" or "), path));
  },

  optional<T>(inner: Schema<T>): Schema<T | undefined> {
    return define((input, path) => (input === undefined ? undefined : inner.parse(input, { path })));
  },

  array<T>(inner: Schema<T>, { limit = Infinity }: { limit?: number } = {}): Schema<T[]> {
    return define((input, path) => {
      if (!Array.isArray(input)) return fail("a list", path);
      return input.slice(0, limit).map((each, i) => inner.parse(each, { path: `${path ?? ""}[${i}]` }));
    });
  },

  object<S extends Record<string, Schema<unknown>>>(shape: S): Schema<{ [K in keyof S]: Infer<S[K]> }> {
    return define((input, path) => {
      if (typeof input !== "object" || input === null) return fail("an object", path);
      const fields = input as Record<string, unknown>;
      const entries = Object.entries(shape).map(([key, inner]) => [key, inner.parse(fields[key], { path: key })]);
      return Object.fromEntries(entries) as { [K in keyof S]: Infer<S[K]> };
    });
  },
};
