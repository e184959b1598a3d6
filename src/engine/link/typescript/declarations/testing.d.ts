// Test runners: a mock is what it stands for.
declare namespace jest {
  function mocked<T>(item: T, options?: any): T;
  function requireActual<T>(module: string): T;
}
declare module "@jest/globals" { export const jest: { mocked<T>(item: T, options?: any): T; requireActual<T>(module: string): T }; }
declare module "vitest" {
  export const vi: {
    mocked<T>(item: T, options?: any): T;
    importActual<T>(module: string): Promise<T>;
    hoisted<T>(make: () => T): T;
  };
  export const vitest: { mocked<T>(item: T, options?: any): T; hoisted<T>(make: () => T): T };
}
declare module "@testing-library/react" {
  export interface RenderHookResult<R, P> {
    result: { current: R };
    rerender(props?: P): void;
    unmount(): void;
  }
  export function renderHook<R, P = any>(callback: (props: P) => R, options?: { initialProps?: P; wrapper?: any }): RenderHookResult<R, P>;
}
