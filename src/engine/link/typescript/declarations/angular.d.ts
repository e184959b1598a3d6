// Angular: what is injected is an instance of the token, and a signal has the type of its value.
declare module "@angular/core" {
  export interface Type<T> { new (...arguments: any[]): T; }
  export interface AbstractType<T> { prototype: T; }
  export class InjectionToken<T> { constructor(description: string, options?: { factory: () => T; providedIn?: any }); }
  export type ProviderToken<T> = Type<T> | AbstractType<T> | InjectionToken<T>;
  export function inject<T>(token: ProviderToken<T>, options?: any): T;
  export class Injector { get<T>(token: ProviderToken<T>, otherwise?: T | null, options?: any): T; }
  export class EnvironmentInjector extends Injector { runInContext<R>(run: () => R): R; }
  export function runInInjectionContext<R>(injector: Injector, run: () => R): R;
  export function forwardRef<T>(make: () => T): T;

  export interface Signal<T> { (): T; }
  export interface WritableSignal<T> extends Signal<T> {
    set(value: T): void;
    update(change: (value: T) => T): void;
    asReadonly(): Signal<T>;
  }
  export interface InputSignal<T> extends Signal<T> {}
  export interface ModelSignal<T> extends WritableSignal<T> { subscribe(next: (value: T) => void): any; }
  export function signal<T>(value: T, options?: any): WritableSignal<T>;
  export function computed<T>(compute: () => T, options?: any): Signal<T>;
  export function linkedSignal<T>(compute: () => T, options?: any): WritableSignal<T>;
  export function untracked<T>(read: () => T): T;
  export function effect(run: (onCleanup: any) => void, options?: any): any;
  export const input: {
    <T>(): InputSignal<T | undefined>;
    <T>(initial: T, options?: any): InputSignal<T>;
    required: { <T>(options?: any): InputSignal<T> };
  };
  export const model: {
    <T>(): ModelSignal<T | undefined>;
    <T>(initial: T, options?: any): ModelSignal<T>;
    required: { <T>(options?: any): ModelSignal<T> };
  };
  export interface OutputEmitterRef<T> { emit(value: T): void; subscribe(next: (value: T) => void): any; }
  export function output<T = void>(options?: any): OutputEmitterRef<T>;
  export class EventEmitter<T = any> {
    constructor(isAsync?: boolean);
    emit(value?: T): void;
    next(value: T): void;
    subscribe(next?: (value: T) => void): any;
  }
  export class ElementRef<T = any> { constructor(element: T); nativeElement: T; }
  export class QueryList<T> {
    readonly first: T;
    readonly last: T;
    readonly length: number;
    toArray(): T[];
    get(index: number): T | undefined;
    forEach(run: (item: T, index: number) => void): void;
    map<U>(change: (item: T, index: number) => U): U[];
    filter(test: (item: T, index: number) => boolean): T[];
    find(test: (item: T, index: number) => boolean): T | undefined;
    some(test: (item: T, index: number) => boolean): boolean;
  }
  export const viewChild: {
    <T>(locator: ProviderToken<T> | string, options?: any): Signal<T | undefined>;
    required: { <T>(locator: ProviderToken<T> | string, options?: any): Signal<T> };
  };
  export const contentChild: {
    <T>(locator: ProviderToken<T> | string, options?: any): Signal<T | undefined>;
    required: { <T>(locator: ProviderToken<T> | string, options?: any): Signal<T> };
  };
  export function viewChildren<T>(locator: ProviderToken<T> | string, options?: any): Signal<readonly T[]>;
  export function contentChildren<T>(locator: ProviderToken<T> | string, options?: any): Signal<readonly T[]>;
  export interface ComponentRef<C> { readonly instance: C; setInput(name: string, value: any): void; destroy(): void; }
  export class ViewContainerRef { createComponent<C>(component: Type<C>, options?: any): ComponentRef<C>; clear(): void; }
  export function createComponent<C>(component: Type<C>, options: any): ComponentRef<C>;
}
declare module "@angular/core/testing" {
  import { ProviderToken, Type, ComponentRef } from "@angular/core";
  export interface ComponentFixture<T> {
    readonly componentInstance: T;
    readonly componentRef: ComponentRef<T>;
    readonly nativeElement: any;
    readonly debugElement: any;
    detectChanges(check?: boolean): void;
    whenStable(): Promise<any>;
    destroy(): void;
  }
  export interface TestBedStatic {
    configureTestingModule(module: any): TestBedStatic;
    compileComponents(): Promise<any>;
    overrideProvider(token: any, provider: any): TestBedStatic;
    overrideComponent(component: any, override: any): TestBedStatic;
    inject<T>(token: ProviderToken<T>, otherwise?: any, options?: any): T;
    get<T>(token: ProviderToken<T>, otherwise?: any): T;
    createComponent<T>(component: Type<T>, options?: any): ComponentFixture<T>;
    runInInjectionContext<T>(run: () => T): T;
  }
  export const TestBed: TestBedStatic;
}
declare module "@angular/core/rxjs-interop" {
  import { Signal } from "@angular/core";
  import { Observable, MonoTypeOperatorFunction } from "rxjs";
  export function toSignal<T>(source: Observable<T>, options?: any): Signal<T>;
  export function toObservable<T>(source: Signal<T>, options?: any): Observable<T>;
  export function takeUntilDestroyed<T>(until?: any): MonoTypeOperatorFunction<T>;
}
declare module "@angular/common/http" {
  import { Observable } from "rxjs";
  export class HttpClient {
    get<T>(url: string, options?: any): Observable<T>;
    post<T>(url: string, body: any, options?: any): Observable<T>;
    put<T>(url: string, body: any, options?: any): Observable<T>;
    patch<T>(url: string, body: any, options?: any): Observable<T>;
    delete<T>(url: string, options?: any): Observable<T>;
  }
}
declare module "@angular/material/dialog" {
  import { Type } from "@angular/core";
  import { Observable } from "rxjs";
  export interface MatDialogRef<T, R = any> {
    readonly componentInstance: T;
    close(result?: R): void;
    afterClosed(): Observable<R | undefined>;
  }
  export class MatDialog { open<T, D = any, R = any>(component: Type<T>, options?: any): MatDialogRef<T, R>; }
}
