// Vue: a reference has the type of its value, and a store what its setup returns.
declare module "vue" {
  export interface Ref<T = any> { value: T; }
  export interface ComputedRef<T = any> extends Ref<T> {}
  export type MaybeRef<T> = T | Ref<T>;
  export type UnwrapRef<T> = T extends Ref<infer V> ? V : T;
  export function ref<T>(value: T | Ref<T>): Ref<T>;
  export function ref<T = any>(): Ref<T | undefined>;
  export function shallowRef<T>(value: T | Ref<T>): Ref<T>;
  export function shallowRef<T = any>(): Ref<T | undefined>;
  export function computed<T>(compute: (() => T) | { get: () => T; set: (value: T) => void }): ComputedRef<T>;
  export function reactive<T>(value: T): T;
  export function readonly<T>(value: T): T;
  export function markRaw<T>(value: T): T;
  export function toRaw<T>(value: T): T;
  export function unref<T>(value: T | Ref<T>): T;
  export function toValue<T>(value: T | Ref<T> | (() => T)): T;
  export function toRef<T, K extends keyof T>(object: T, key: K): Ref<T[K]>;
  export function toRefs<T>(object: T): { [K in keyof T]: Ref<T[K]> };
  export interface InjectionKey<T> extends Symbol {}
  export function inject<T>(key: InjectionKey<T> | string, otherwise?: T): T | undefined;
  export function provide<T>(key: InjectionKey<T> | string, value: T): void;
  export function watch<T>(source: Ref<T> | (() => T), run: (value: T, before: T) => any, options?: any): () => void;
}
declare module "@vue/composition-api" { export * from "vue"; }
declare module "pinia" {
  type Values<T> = { [K in keyof T]: T[K] extends { value: infer V } ? V : T[K] };
  export function defineStore<T>(id: string, setup: () => T, options?: any): (pinia?: any) => Values<T>;
  export function storeToRefs<T>(store: T): { [K in keyof T]: { value: T[K] } };
}
