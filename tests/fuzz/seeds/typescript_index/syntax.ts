const x = <T,>(a: T): a is T => a satisfies T;
abstract class A extends f(B)<C> { declare x: this; abstract get y(): unique symbol; static { this.z() } @d() accessor q = 1 }
label: for await (const [a, , ...b] of c) { switch (a) { case 1: break label; default: throw a } }
declare module "m" { export = x; }
import e = require("e"); export { e as default, type T }
type F = abstract new (...a: infer R extends any[]) => typeof import("x", { with: { a: "b" } });
function f(a: string): void; function f(a: number, b?: boolean): void; function f(a: any) {}
f("x"); f(1, true); new (class { constructor(q = 1) {} })(2); a?.b?.[c]?.(d) ?? /r[/]e/g.exec`t`
