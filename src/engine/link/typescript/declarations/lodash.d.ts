// Functions that return the function which they are given, and collections that keep the type of their items.
declare module "lodash" {
  export interface Cancelable { cancel(): void; flush(): any; }
  export function debounce<T>(run: T, wait?: number, options?: any): T & Cancelable;
  export function throttle<T>(run: T, wait?: number, options?: any): T & Cancelable;
  export function memoize<T>(run: T, key?: any): T & { cache: any };
  export function once<T>(run: T): T;
  export function cloneDeep<T>(value: T): T;
  export function clone<T>(value: T): T;
  export function compact<T>(items: readonly (T | null | undefined | false | "" | 0)[] | null | undefined): T[];
  export function uniq<T>(items: readonly T[] | null | undefined): T[];
  export function uniqBy<T>(items: readonly T[] | null | undefined, by: ((item: T) => any) | string): T[];
  export function sortBy<T>(items: readonly T[] | null | undefined, ...by: any[]): T[];
  export function orderBy<T>(items: readonly T[] | null | undefined, by?: ((item: T) => any) | string | object, orders?: any): T[];
  export function groupBy<T>(items: readonly T[] | null | undefined, by?: ((item: T) => any) | string | object): Record<string, T[]>;
  export function keyBy<T>(items: readonly T[] | null | undefined, by?: ((item: T) => any) | string | object): Record<string, T>;
  export function chunk<T>(items: readonly T[] | null | undefined, size?: number): T[][];
  export function flatten<T>(items: readonly (T | readonly T[])[] | null | undefined): T[];
  export function shuffle<T>(items: readonly T[] | null | undefined): T[];
  export function head<T>(items: readonly T[] | null | undefined): T | undefined;
  export function first<T>(items: readonly T[] | null | undefined): T | undefined;
  export function last<T>(items: readonly T[] | null | undefined): T | undefined;
  export function maxBy<T>(items: readonly T[] | null | undefined, by?: ((item: T) => any) | string | object): T | undefined;
  export function minBy<T>(items: readonly T[] | null | undefined, by?: ((item: T) => any) | string | object): T | undefined;
  export function find<T>(items: readonly T[] | null | undefined, test?: ((item: T, index: number) => any) | object | string, from?: number): T | undefined;
  export function filter<T>(items: readonly T[] | null | undefined, test?: ((item: T, index: number) => any) | object | string): T[];
  export function map<T, U>(items: readonly T[] | null | undefined, change: (item: T, index: number) => U): U[];
  export function forEach<T>(items: readonly T[] | null | undefined, run: (item: T, index: number) => any): any;
}
declare module "lodash-es" { export * from "lodash"; }
declare module "lodash/debounce" { export { debounce as default } from "lodash"; }
declare module "lodash/throttle" { export { throttle as default } from "lodash"; }
declare module "lodash/memoize" { export { memoize as default } from "lodash"; }
declare module "lodash/once" { export { once as default } from "lodash"; }
declare module "lodash.debounce" { export { debounce as default } from "lodash"; }
declare module "lodash.throttle" { export { throttle as default } from "lodash"; }
declare module "p-limit" { export default function limit(count: number): <T>(run: (...values: any[]) => T, ...values: any[]) => Promise<Awaited<T>>; }
declare module "use-debounce" {
  export function useDebouncedCallback<T>(run: T, wait?: number, options?: any): T & { cancel(): void; flush(): any; isPending(): boolean };
  export function useDebounce<T>(value: T, wait?: number, options?: any): [T, any];
}
