// React: components keep their props, and hooks the types of their values.
declare module "react" {
  export type Dispatch<A> = (value: A) => void;
  export type SetStateAction<S> = S | ((previous: S) => S);
  export interface MutableRefObject<T> { current: T; }
  export interface RefObject<T> { readonly current: T | null; }
  export interface Context<T> { readonly Provider: any; readonly Consumer: any; }

  // Components. The types of platform elements (`ComponentProps<"button">`) are not described.
  export interface FunctionComponent<P = {}> { (props: P): any; }
  export interface ExoticComponent<P = {}> { (props: P): any; }
  export interface ComponentClass<P = {}, S = any> { new (props: P): Component<P, S>; }
  export class Component<P = {}, S = {}> {
    readonly props: P;
    readonly state: S;
    constructor(props: P);
    setState(state: any, done?: () => void): void;
    forceUpdate(done?: () => void): void;
  }
  export class PureComponent<P = {}, S = {}> extends Component<P, S> { constructor(props: P); }
  export type FC<P = {}> = FunctionComponent<P>;
  export type VFC<P = {}> = FunctionComponent<P>;
  export type VoidFunctionComponent<P = {}> = FunctionComponent<P>;
  export type NamedExoticComponent<P = {}> = ExoticComponent<P>;
  export type ForwardRefExoticComponent<P> = ExoticComponent<P>;
  export type ForwardRefRenderFunction<T, P = {}> = (props: P, ref: any) => any;
  export type MemoExoticComponent<T> = T;
  export type LazyExoticComponent<T> = T;
  export type ComponentType<P = {}> = ComponentClass<P> | FunctionComponent<P>;
  export type PropsWithChildren<P = unknown> = P & { children?: any };
  export type PropsWithRef<P> = P;
  export type PropsWithoutRef<P> = P;
  export type ComponentProps<T> =
    T extends (props: infer P, ...args: any) => any ? P : T extends new (props: infer P, ...args: any) => any ? P : ElementProps<T>;
  export type ComponentPropsWithRef<T> = ComponentProps<T>;
  export type ComponentPropsWithoutRef<T> = ComponentProps<T>;

  export function useState<S>(initial: S | (() => S)): [S, Dispatch<SetStateAction<S>>];
  export function useState<S = undefined>(): [S | undefined, Dispatch<SetStateAction<S | undefined>>];
  export function useReducer<S, A>(reducer: (state: S, action: A) => S, initial: S, init?: any): [S, Dispatch<A>];
  export function useRef<T>(initial: T | null): MutableRefObject<T>;
  export function useRef<T = undefined>(): MutableRefObject<T | undefined>;
  export function useMemo<T>(make: () => T, inputs?: any): T;
  export function useCallback<T>(callback: T, inputs?: any): T;
  export function useContext<T>(context: Context<T>): T;
  export function useDeferredValue<T>(value: T): T;
  export function useEffect(effect: () => any, inputs?: any): void;
  export function useLayoutEffect(effect: () => any, inputs?: any): void;
  export function createContext<T>(value: T): Context<T>;
  export function memo<T extends ComponentType<any>>(component: T, compare?: any): T;
  export function memo<P>(component: FunctionComponent<P>, compare?: any): NamedExoticComponent<P>;
  export function forwardRef<T, P = {}>(render: (props: P, ref: any) => any): ForwardRefExoticComponent<P>;
  export function lazy<T>(load: () => Promise<{ default: T }>): T;
  export function createRef<T>(): RefObject<T>;
}
