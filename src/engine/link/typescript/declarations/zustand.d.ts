// Zustand: a store has the state that its initialiser is declared with.
declare module "zustand" {
  export interface StoreApi<T> {
    setState(partial: T | Partial<T> | ((state: T) => T | Partial<T>), replace?: boolean): void;
    getState: () => T;
    getInitialState: () => T;
    subscribe(listener: (state: T, previous: T) => void): () => void;
  }
  export type ExtractState<S> = S extends { getState: () => infer T } ? T : never;
  export type StateCreator<T, Before = any, After = any, U = T> =
    (set: StoreApi<T>["setState"], get: () => T, store: StoreApi<T>) => U;
  export type UseBoundStore<S> = {
    (): ExtractState<S>;
    <U>(selector: (state: ExtractState<S>) => U, isEqual?: any): U;
  } & S;
  export function create<T>(initializer: StateCreator<T>): UseBoundStore<StoreApi<T>>;
  export function create<T>(): (initializer: StateCreator<T>) => UseBoundStore<StoreApi<T>>;
  export function createStore<T>(initializer: StateCreator<T>): StoreApi<T>;
  export function createStore<T>(): (initializer: StateCreator<T>) => StoreApi<T>;
  export function useStore<S>(store: S): ExtractState<S>;
  export function useStore<S, U>(store: S, selector: (state: ExtractState<S>) => U): U;
  export default create;
}
declare module "zustand/vanilla" { export * from "zustand"; }
declare module "zustand/react" { export * from "zustand"; }
declare module "zustand/traditional" {
  export * from "zustand";
  export { create as createWithEqualityFn, useStore as useStoreWithEqualityFn } from "zustand";
}
declare module "zustand/middleware" {
  export function persist<T>(initializer: T, options?: any): T;
  export function devtools<T>(initializer: T, options?: any): T;
  export function subscribeWithSelector<T>(initializer: T): T;
  export function redux<S, A>(reducer: (state: S, action: A) => S, initial: S): (set: any, get: any, store: any) => S;
  export function combine<T, U>(
    initial: T,
    create: (set: (partial: Partial<T & U> | ((state: T & U) => Partial<T & U>)) => void, get: () => T & U) => U,
  ): (set: any, get: any, store: any) => T & U;
}
declare module "zustand/middleware/immer" { export function immer<T>(initializer: T): T; }
declare module "zustand/shallow" {
  export function useShallow<S, U>(selector: (state: S) => U): (state: S) => U;
  export function shallow(a: any, b: any): boolean;
}
declare module "zustand/react/shallow" { export * from "zustand/shallow"; }
