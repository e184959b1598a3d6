// RxJS: an observable has the type of its values. Operators are not described, except those that keep this type.
declare module "rxjs" {
  export interface Subscription { unsubscribe(): void; add(teardown: any): void; }
  export interface Observer<T> { next(value: T): void; error(error: any): void; complete(): void; }
  export class Observable<T> {
    constructor(subscribe?: (subscriber: Observer<T>) => any);
    subscribe(next?: ((value: T) => void) | Partial<Observer<T>> | null, error?: any, complete?: any): Subscription;
    forEach(next: (value: T) => void): Promise<void>;
    toPromise(): Promise<T | undefined>;
    pipe(): Observable<T>;
    pipe<A>(a: OperatorFunction<T, A>): Observable<A>;
    pipe<A, B>(a: OperatorFunction<T, A>, b: OperatorFunction<A, B>): Observable<B>;
    pipe<A, B, C>(a: OperatorFunction<T, A>, b: OperatorFunction<A, B>, c: OperatorFunction<B, C>): Observable<C>;
    pipe<A, B, C, D>(
      a: OperatorFunction<T, A>, b: OperatorFunction<A, B>, c: OperatorFunction<B, C>, d: OperatorFunction<C, D>,
    ): Observable<D>;
    pipe<A, B, C, D, E>(
      a: OperatorFunction<T, A>, b: OperatorFunction<A, B>, c: OperatorFunction<B, C>, d: OperatorFunction<C, D>,
      e: OperatorFunction<D, E>,
    ): Observable<E>;
  }
  export type OperatorFunction<T, R> = (source: Observable<T>) => Observable<R>;
  export type MonoTypeOperatorFunction<T> = OperatorFunction<T, T>;
  export class Subject<T> extends Observable<T> {
    next(value: T): void;
    error(error: any): void;
    complete(): void;
    asObservable(): Observable<T>;
  }
  export class BehaviorSubject<T> extends Subject<T> { constructor(value: T); readonly value: T; getValue(): T; }
  export class ReplaySubject<T> extends Subject<T> { constructor(size?: number, time?: number); }
  export class AsyncSubject<T> extends Subject<T> {}
  export function of<T>(...values: T[]): Observable<T>;
  export function from<T>(values: Observable<T> | Promise<T> | Iterable<T>): Observable<T>;
  export function firstValueFrom<T>(source: Observable<T>, options?: any): Promise<T>;
  export function lastValueFrom<T>(source: Observable<T>, options?: any): Promise<T>;
  export function map<T, R>(project: (value: T, index: number) => R): OperatorFunction<T, R>;
  export function tap<T>(observer?: ((value: T) => void) | Partial<Observer<T>>): MonoTypeOperatorFunction<T>;
  export function filter<T, S extends T>(predicate: (value: T, index: number) => value is S): OperatorFunction<T, S>;
  export function filter<T>(predicate: (value: T, index: number) => any): MonoTypeOperatorFunction<T>;
  export function switchMap<T, R>(project: (value: T, index: number) => Observable<R> | Promise<R>): OperatorFunction<T, R>;
  export function mergeMap<T, R>(project: (value: T, index: number) => Observable<R> | Promise<R>): OperatorFunction<T, R>;
  export function concatMap<T, R>(project: (value: T, index: number) => Observable<R> | Promise<R>): OperatorFunction<T, R>;
  export function exhaustMap<T, R>(project: (value: T, index: number) => Observable<R> | Promise<R>): OperatorFunction<T, R>;
  export function catchError<T, R>(handle: (error: any, caught: Observable<T>) => Observable<R>): OperatorFunction<T, T | R>;
  export function finalize<T>(done: () => void): MonoTypeOperatorFunction<T>;
  export function take<T>(count: number): MonoTypeOperatorFunction<T>;
  export function first<T>(): MonoTypeOperatorFunction<T>;
  export function takeUntil<T>(notifier: Observable<any>): MonoTypeOperatorFunction<T>;
  export function debounceTime<T>(time: number): MonoTypeOperatorFunction<T>;
  export function distinctUntilChanged<T>(isEqual?: (a: T, b: T) => boolean): MonoTypeOperatorFunction<T>;
  export function shareReplay<T>(options?: any): MonoTypeOperatorFunction<T>;
  export function share<T>(options?: any): MonoTypeOperatorFunction<T>;
}
declare module "rxjs/operators" { export * from "rxjs"; }
