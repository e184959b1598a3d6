// Those parts of the platform that return values of the sources, or pass them to callbacks. Everything else of the
// platform is external and needs no declaration here.

interface Iterable<T> {}
interface IteratorResult<T, R = any> { value: T; done?: boolean }
interface Iterator<T, R = any, N = any> extends Iterable<T> {
  next(): IteratorResult<T, R>;
  drop(limit: number): IterableIterator<T>;
  every(predicate: (value: T, index: number) => unknown): boolean;
  filter<S extends T>(predicate: (value: T, index: number) => value is S): IterableIterator<S>;
  filter(predicate: (value: T, index: number) => unknown): IterableIterator<T>;
  find<S extends T>(predicate: (value: T, index: number) => value is S): S | undefined;
  find(predicate: (value: T, index: number) => unknown): T | undefined;
  flatMap<U>(callback: (value: T, index: number) => Iterable<U>): IterableIterator<U>;
  forEach(callback: (value: T, index: number) => void): void;
  map<U>(callback: (value: T, index: number) => U): IterableIterator<U>;
  reduce(callback: (previous: T, current: T, index: number) => T): T;
  reduce<U>(callback: (previous: U, current: T, index: number) => U, initial: U): U;
  some(predicate: (value: T, index: number) => unknown): boolean;
  take(limit: number): IterableIterator<T>;
  toArray(): T[];
}
interface IteratorConstructor { from<T>(values: Iterable<T>): IterableIterator<T>; }
declare var Iterator: IteratorConstructor;
interface IterableIterator<T, R = any, N = any> extends Iterator<T, R, N> {}
interface AsyncIterable<T> extends Iterable<T> {}
interface AsyncIterator<T, R = any, N = any> extends AsyncIterable<T> { next(): Promise<IteratorResult<T, R>>; }
interface AsyncIterableIterator<T, R = any, N = any> extends AsyncIterator<T, R, N> {}
interface Generator<T = unknown, R = any, N = any> extends IterableIterator<T, R, N> {}
interface AsyncGenerator<T = unknown, R = any, N = any> extends AsyncIterableIterator<T, R, N> {}

interface ReadonlyArray<T> extends Iterable<T> {
  readonly length: number;
  readonly [n: number]: T;
  at(index: number): T | undefined;
  concat(...items: (T | readonly T[])[]): T[];
  entries(): IterableIterator<[number, T]>;
  every<S extends T>(predicate: (value: T, index: number, array: readonly T[]) => value is S): boolean;
  every(predicate: (value: T, index: number, array: readonly T[]) => unknown): boolean;
  filter<S extends T>(predicate: (value: T, index: number, array: readonly T[]) => value is S): S[];
  filter(predicate: (value: T, index: number, array: readonly T[]) => unknown): T[];
  find<S extends T>(predicate: (value: T, index: number, array: readonly T[]) => value is S): S | undefined;
  find(predicate: (value: T, index: number, array: readonly T[]) => unknown): T | undefined;
  findIndex(predicate: (value: T, index: number, array: readonly T[]) => unknown): number;
  findLast<S extends T>(predicate: (value: T, index: number, array: readonly T[]) => value is S): S | undefined;
  findLast(predicate: (value: T, index: number, array: readonly T[]) => unknown): T | undefined;
  findLastIndex(predicate: (value: T, index: number, array: readonly T[]) => unknown): number;
  flat(depth?: number): (T extends readonly (infer U)[] ? U : T)[];
  flatMap<U>(callback: (value: T, index: number, array: T[]) => U | readonly U[]): U[];
  forEach(callback: (value: T, index: number, array: readonly T[]) => void): void;
  includes(value: T): boolean;
  indexOf(value: T): number;
  join(separator?: string): string;
  keys(): IterableIterator<number>;
  lastIndexOf(value: T): number;
  map<U>(callback: (value: T, index: number, array: readonly T[]) => U): U[];
  reduce(callback: (previous: T, current: T, index: number, array: readonly T[]) => T): T;
  reduce(callback: (previous: T, current: T, index: number, array: readonly T[]) => T, initial: T): T;
  reduce<U>(callback: (previous: U, current: T, index: number, array: readonly T[]) => U, initial: U): U;
  reduceRight<U>(callback: (previous: U, current: T, index: number, array: readonly T[]) => U, initial: U): U;
  slice(start?: number, end?: number): T[];
  some(predicate: (value: T, index: number, array: readonly T[]) => unknown): boolean;
  toReversed(): T[];
  toSorted(compare?: (a: T, b: T) => number): T[];
  toSpliced(start: number, count?: number, ...items: T[]): T[];
  values(): IterableIterator<T>;
  with(index: number, value: T): T[];
}

interface Array<T> extends ReadonlyArray<T> {
  [n: number]: T;
  copyWithin(target: number, start: number, end?: number): this;
  fill(value: T, start?: number, end?: number): this;
  pop(): T | undefined;
  push(...items: T[]): number;
  reverse(): T[];
  shift(): T | undefined;
  sort(compare?: (a: T, b: T) => number): this;
  splice(start: number, count?: number, ...items: T[]): T[];
  unshift(...items: T[]): number;
}
interface ArrayConstructor {
  new <T>(...items: T[]): T[];
  <T>(...items: T[]): T[];
  from<T, U>(source: Iterable<T> | ArrayLike<T>, map: (value: T, index: number) => U): U[];
  from<T>(source: Iterable<T> | ArrayLike<T>): T[];
  fromAsync<T>(source: AsyncIterable<T> | Iterable<T | PromiseLike<T>>): Promise<T[]>;
  isArray(value: any): value is any[];
  of<T>(...items: T[]): T[];
}
declare var Array: ArrayConstructor;
interface ArrayLike<T> { readonly length: number; readonly [n: number]: T; }

interface PromiseLike<T> {
  then<A = T, B = never>(fulfilled?: (value: T) => A | PromiseLike<A>, rejected?: (reason: any) => B | PromiseLike<B>): PromiseLike<A | B>;
}
interface Promise<T> extends PromiseLike<T> {
  then<A = T, B = never>(fulfilled?: (value: T) => A | PromiseLike<A>, rejected?: (reason: any) => B | PromiseLike<B>): Promise<A | B>;
  catch<B = never>(rejected?: (reason: any) => B | PromiseLike<B>): Promise<T | B>;
  finally(done?: () => void): Promise<T>;
}
interface PromiseSettledResult<T> { status: "fulfilled" | "rejected"; value: T; reason: any; }
interface PromiseConstructor {
  new <T>(executor: (resolve: (value: T | PromiseLike<T>) => void, reject: (reason?: any) => void) => void): Promise<T>;
  all<T extends readonly unknown[] | []>(values: T): Promise<{ [P in keyof T]: Awaited<T[P]> }>;
  allSettled<T>(values: Iterable<T>): Promise<PromiseSettledResult<Awaited<T>>[]>;
  any<T>(values: Iterable<T>): Promise<Awaited<T>>;
  race<T>(values: Iterable<T>): Promise<Awaited<T>>;
  reject<T = never>(reason?: any): Promise<T>;
  resolve<T>(value: T | PromiseLike<T>): Promise<Awaited<T>>;
  resolve(): Promise<void>;
  try<T>(callback: (...args: any[]) => T | PromiseLike<T>, ...args: any[]): Promise<Awaited<T>>;
  withResolvers<T>(): { promise: Promise<T>; resolve: (value: T | PromiseLike<T>) => void; reject: (reason?: any) => void };
}
declare var Promise: PromiseConstructor;

interface ReadonlyMap<K, V> extends Iterable<[K, V]> {
  readonly size: number;
  entries(): IterableIterator<[K, V]>;
  forEach(callback: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void;
  get(key: K): V | undefined;
  has(key: K): boolean;
  keys(): IterableIterator<K>;
  values(): IterableIterator<V>;
}
interface Map<K, V> extends ReadonlyMap<K, V> { clear(): void; delete(key: K): boolean; set(key: K, value: V): this; }
interface MapConstructor {
  groupBy<K, T>(items: Iterable<T>, key: (item: T, index: number) => K): Map<K, T[]>;
  new <K, V>(entries?: Iterable<readonly [K, V]> | null): Map<K, V>;
}
declare var Map: MapConstructor;
interface WeakMap<K, V> { delete(key: K): boolean; get(key: K): V | undefined; has(key: K): boolean; set(key: K, value: V): this; }
interface WeakMapConstructor { new <K, V>(entries?: Iterable<readonly [K, V]> | null): WeakMap<K, V>; }
declare var WeakMap: WeakMapConstructor;
interface ReadonlySet<T> extends Iterable<T> {
  readonly size: number;
  entries(): IterableIterator<[T, T]>;
  forEach(callback: (value: T, again: T, set: ReadonlySet<T>) => void): void;
  has(value: T): boolean;
  keys(): IterableIterator<T>;
  values(): IterableIterator<T>;
}
interface Set<T> extends ReadonlySet<T> { add(value: T): this; clear(): void; delete(value: T): boolean; }
interface SetConstructor { new <T>(values?: Iterable<T> | null): Set<T>; }
declare var Set: SetConstructor;
interface WeakSet<T> { add(value: T): this; delete(value: T): boolean; has(value: T): boolean; }
interface WeakSetConstructor { new <T>(values?: Iterable<T> | null): WeakSet<T>; }
declare var WeakSet: WeakSetConstructor;
interface WeakRef<T> { deref(): T | undefined; }
interface WeakRefConstructor { new <T>(value: T): WeakRef<T>; }
declare var WeakRef: WeakRefConstructor;

interface String extends Iterable<string> {
  readonly length: number;
  split(separator: any, limit?: number): string[];
  toLowerCase(): string;
  toUpperCase(): string;
  trim(): string;
  slice(start?: number, end?: number): string;
  substring(start: number, end?: number): string;
  replace(pattern: any, replacement: any): string;
  replaceAll(pattern: any, replacement: any): string;
  toString(): string;
}
interface Number { toFixed(digits?: number): string; toString(radix?: number): string; }
interface Boolean { valueOf(): boolean; }
interface Function {
  apply(self: any, args?: any): any;
  call(self: any, ...args: any[]): any;
  bind(self: any, ...args: any[]): any;
  readonly name: string;
  readonly length: number;
}
// The global object, to which sources add properties.
interface Window { readonly document: Document }
declare var window: Window;
declare var self: Window;
declare var globalThis: Window;

// The document, to which sources add methods.
interface Document {}
declare var document: Document;

interface RegExp { test(text: string): boolean; }
interface Date { getTime(): number; toISOString(): string; }
interface DateConstructor { (): string; new (...values: any[]): Date; }
declare var Date: DateConstructor;
interface ArrayBuffer { readonly byteLength: number; slice(begin?: number, end?: number): ArrayBuffer; }
interface ArrayBufferConstructor { new (length: number): ArrayBuffer; }
declare var ArrayBuffer: ArrayBufferConstructor;
interface Uint8Array extends Iterable<number> {
  readonly buffer: ArrayBuffer;
  readonly byteOffset: number;
  readonly [n: number]: number;
  subarray(begin?: number, end?: number): Uint8Array;
}
interface Uint8ArrayConstructor { new (...values: any[]): Uint8Array; }
declare var Uint8Array: Uint8ArrayConstructor;

interface Response {
  readonly body: ReadableStream;
  readonly bodyUsed: boolean;
  readonly headers: Headers;
  readonly ok: boolean;
  readonly redirected: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly type: string;
  readonly url: string;
  arrayBuffer(): Promise<ArrayBuffer>;
  blob(): Promise<Blob>;
  bytes(): Promise<Uint8Array>;
  clone(): Response;
  formData(): Promise<FormData>;
  json(): Promise<any>;
  text(): Promise<string>;
}
interface ResponseConstructor {
  new (...values: any[]): Response;
  error(): Response;
  json(value: any, init?: any): Response;
  redirect(url: any, status?: number): Response;
}
declare var Response: ResponseConstructor;

interface PropertyDescriptor { value?: any; get?(): any; set?(value: any): void; }
interface TypedPropertyDescriptor<T> { value?: T; get?: () => T; set?: (value: T) => void; }
interface ProxyHandler<T> {
  apply?(target: T, self: any, args: any[]): any;
  construct?(target: T, args: any[], created: any): object;
  defineProperty?(target: T, key: any, attributes: PropertyDescriptor): boolean;
  deleteProperty?(target: T, key: any): boolean;
  get?(target: T, key: any, receiver: any): any;
  getOwnPropertyDescriptor?(target: T, key: any): PropertyDescriptor | undefined;
  getPrototypeOf?(target: T): object | null;
  has?(target: T, key: any): boolean;
  isExtensible?(target: T): boolean;
  ownKeys?(target: T): any[];
  preventExtensions?(target: T): boolean;
  set?(target: T, key: any, value: any, receiver: any): boolean;
  setPrototypeOf?(target: T, prototype: object | null): boolean;
}
interface ProxyConstructor {
  new <T>(target: T, handler: ProxyHandler<T>): T;
  revocable<T>(target: T, handler: ProxyHandler<T>): { proxy: T; revoke: () => void };
}
declare var Proxy: ProxyConstructor;

interface ObjectConstructor {
  assign<T, U>(target: T, source: U): T & U;
  assign<T, U, V>(target: T, a: U, b: V): T & U & V;
  assign(target: object, ...sources: any[]): any;
  entries<T>(value: { [key: string]: T } | ArrayLike<T>): [string, T][];
  defineProperty<T>(value: T, key: any, attributes: any): T;
  defineProperties<T>(value: T, properties: any): T;
  freeze<T>(value: T): T;
  groupBy<T>(items: Iterable<T>, key: (item: T, index: number) => any): { [key: string]: T[] };
  preventExtensions<T>(value: T): T;
  seal<T>(value: T): T;
  fromEntries<T>(entries: Iterable<readonly [any, T]>): { [key: string]: T };
  keys(value: any): string[];
  values<T>(value: { [key: string]: T } | ArrayLike<T>): T[];
}
declare var Object: ObjectConstructor;
declare function structuredClone<T>(value: T): T;

// Vue's and Svelte's compilers know these functions.
declare function defineProps<T>(): T;
declare function withDefaults<T>(props: T, defaults: unknown): T;
declare function $state<T>(initial: T): T;
declare function $derived<T>(expression: T): T;

type Partial<T> = { [P in keyof T]?: T[P] };
type Required<T> = { [P in keyof T]-?: T[P] };
type Readonly<T> = { readonly [P in keyof T]: T[P] };
type Pick<T, K extends keyof T> = { [P in K]: T[P] };
type Omit<T, K> = { [P in keyof T as Exclude<P, K>]: T[P] };
type Record<K extends keyof any, T> = { [P in K]: T };
type Exclude<T, U> = T extends U ? never : T;
type Extract<T, U> = T extends U ? T : never;
type NonNullable<T> = T;
type NoInfer<T> = T;
type Awaited<T> = T extends PromiseLike<infer V> ? V : T;
type PropertyKey = string | number | symbol;
type ThisParameterType<T> = T extends (this: infer U, ...args: any) => any ? U : unknown;
type OmitThisParameter<T> = T;
type Parameters<T extends (...args: any) => any> = T extends (...args: infer P) => any ? P : never;
type ConstructorParameters<T extends new (...args: any) => any> = T extends new (...args: infer P) => any ? P : never;
type ReturnType<T extends (...args: any) => any> = T extends (...args: any) => infer R ? R : any;
type InstanceType<T extends new (...args: any) => any> = T extends new (...args: any) => infer R ? R : any;
// The linker maps the strings.
type Uppercase<S extends string> = string;
type Lowercase<S extends string> = string;
type Capitalize<S extends string> = string;
type Uncapitalize<S extends string> = string;
interface ThisType<T> {}
