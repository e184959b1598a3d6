import { Options, type Logger as Log } from "./other";
export * as all from "./other";
/** Talks to a server. */
export class Client<T extends object = {}> implements Closeable {
  static count = 0;
  #secret?: string;
  constructor(readonly url: string, private options: Options = { retries: 3 }) { super(); }
  async get<U>(path: string, { timeout = 30, ...rest }: { timeout?: number } = {}): Promise<U> { return this.send(path!) as U; }
  get state(): "open" | "closed" { return "open"; }
}
const client = new Client<Row>("http://x", { retries: 1, "content-type": `a${b}` });
client.get<number>("/a", { timeout: 5 }).then(({ data }) => console.log(data?.x ?? null));
export default function retry(this: void, job: () => Promise<void>, ...delays: number[]): asserts job is any;
=== other.ts
export interface Options { retries?: number; "content-type"?: string; log?(line: string): void }
export type Logger = Omit<Options, "log"> & { [K in keyof Options as `on${K}`]-?: Options[K] };
export enum Level { Debug = "debug", Info = 1 << 2 }
export namespace inner { export const limit = 10; }
