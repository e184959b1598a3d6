// Types that compute types. What is nested in a `Deep` type has no other properties, so it is left as it is.
declare module "type-fest" {
  export type Except<T, K extends keyof T, O = {}> = Omit<T, K>;
  export type DistributedOmit<T, K> = T extends unknown ? Omit<T, K & keyof T> : never;
  export type DistributedPick<T, K> = T extends unknown ? Pick<T, K & keyof T> : never;
  export type Merge<A, B> = Omit<A, keyof B & keyof A> & B;
  export type OverrideProperties<A, B> = Omit<A, keyof B & keyof A> & B;
  export type Simplify<T> = T;
  export type SetOptional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;
  export type SetRequired<T, K extends keyof T> = Omit<T, K> & Required<Pick<T, K>>;
  export type SetReadonly<T, K extends keyof T> = T;
  export type Writable<T, K = keyof T> = T;
  export type PartialDeep<T, O = {}> = Partial<T>;
  export type RequiredDeep<T, O = {}> = Required<T>;
  export type ReadonlyDeep<T> = T;
  export type WritableDeep<T> = T;
  export type RequireAtLeastOne<T, K extends keyof T = keyof T> = Omit<T, K> & Partial<Pick<T, K>>;
  export type RequireExactlyOne<T, K extends keyof T = keyof T> = Omit<T, K> & Partial<Pick<T, K>>;
  export type LiteralUnion<L, B> = L | (B & Record<never, never>);
  export type StringKeyOf<T> = Extract<keyof T, string>;
  export type ValueOf<T, K extends keyof T = keyof T> = T[K];
  export type Promisable<T> = T | PromiseLike<T>;
  export type Arrayable<T> = T | readonly T[];
  export type AsyncReturnType<F extends (...args: any) => any> = Awaited<ReturnType<F>>;
  export type Constructor<T, A extends unknown[] = any[]> = new (...args: A) => T;
  export type Class<T, A extends unknown[] = any[]> = new (...args: A) => T;
  export type Tagged<T, N, M = never> = T;
  export type Opaque<T, N = unknown> = T;
}
declare module "ts-essentials" {
  export type StrictOmit<T, K extends keyof T> = Omit<T, K>;
  export type StrictExclude<T, U> = Exclude<T, U>;
  export type StrictExtract<T, U> = Extract<T, U>;
  export type MarkOptional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;
  export type MarkRequired<T, K extends keyof T> = Omit<T, K> & Required<Pick<T, K>>;
  export type Merge<A, B> = Omit<A, keyof B & keyof A> & B;
  export type Prettify<T> = T;
  export type DeepPartial<T> = Partial<T>;
  export type DeepRequired<T> = Required<T>;
  export type DeepReadonly<T> = T;
  export type Writable<T> = T;
  export type DeepWritable<T> = T;
  export type Opaque<T, N> = T;
  export type ValueOf<T> = T[keyof T];
  export type ElementOf<T extends readonly unknown[]> = T[number];
  export type AsyncOrSync<T> = T | PromiseLike<T>;
  export type ArrayOrSingle<T> = T | T[];
  export type Newable<T> = new (...args: any[]) => T;
  export type Dictionary<T, K extends string | number = string> = { [P in K]: T };
}
declare module "utility-types" {
  export type Optional<T, K extends keyof T = keyof T> = Omit<T, K> & Partial<Pick<T, K>>;
  export type Assign<A, B> = Omit<A, keyof B & keyof A> & B;
  export type Overwrite<A, B> = Omit<A, keyof B & keyof A> & Pick<B, keyof A & keyof B>;
  export type Diff<A, B> = Omit<A, keyof B & keyof A>;
  export type Subtract<A, B> = Omit<A, keyof B & keyof A>;
  export type Intersection<A, B> = Pick<A, keyof A & keyof B>;
  export type Mutable<T> = T;
  export type DeepPartial<T> = Partial<T>;
  export type DeepRequired<T> = Required<T>;
  export type DeepReadonly<T> = T;
  export type ValuesType<T> = T[keyof T];
  export type PromiseType<T> = Awaited<T>;
}
