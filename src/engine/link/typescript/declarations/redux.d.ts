// Redux: selectors return what they select.
declare module "react-redux" {
  export function useSelector<S, R>(selector: (state: S) => R, isEqual?: any): R;
  export interface TypedUseSelectorHook<S> { <R>(selector: (state: S) => R, isEqual?: any): R; }
}
declare module "reselect" {
  export function createSelector<S, A, R>(a: (state: S, ...rest: any[]) => A, combine: (a: A) => R, options?: any): (state: S, ...rest: any[]) => R;
  export function createSelector<S, A, B, R>(
    a: (state: S, ...rest: any[]) => A, b: (state: S, ...rest: any[]) => B, combine: (a: A, b: B) => R, options?: any,
  ): (state: S, ...rest: any[]) => R;
  export function createSelector<S, A, B, C, R>(
    a: (state: S, ...rest: any[]) => A, b: (state: S, ...rest: any[]) => B, c: (state: S, ...rest: any[]) => C,
    combine: (a: A, b: B, c: C) => R, options?: any,
  ): (state: S, ...rest: any[]) => R;
}
