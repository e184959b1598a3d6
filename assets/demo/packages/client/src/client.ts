import { WindvaneError } from "./errors.js";
import { schema } from "./schema.js";
import { Timeline } from "./timeline.js";
import { type NewStation, type Position, type Sample, type StationInfo, sampleSchema, stationSchema } from "./types.js";

export interface ClientOptions {
  /** Where the map answers. */
  baseUrl?: string;
  token?: string;
  /** Seconds. */
  timeout?: number;
  retries?: number;
  headers?: Record<string, string>;
  fetch?: typeof globalThis.fetch;
  onError?: (error: WindvaneError) => void;
  userAgent?: string;
  keepAlive?: boolean;
}

export interface SampleQuery {
  sensor?: string;
  since?: Date;
  until?: Date;
  limit?: number;
  order?: "oldest" | "newest";
  includeSuspect?: boolean;
  signal?: AbortSignal;
}

export interface PublishOptions {
  /** A line a sample instead of JSON. */
  compact?: boolean;
  precision?: number;
  dryRun?: boolean;
  idempotencyKey?: string;
}

/** A connection to a map of stations. */
export class WindvaneClient {
  private readonly baseUrl: string;
  private readonly fetch: typeof globalThis.fetch;

  constructor(private readonly options: ClientOptions = {}) {
    this.baseUrl = options.baseUrl ?? "https://windvane.example/api";
    this.fetch = options.fetch ?? globalThis.fetch;
  }

  static fromEnvironment(env: Record<string, string | undefined>, overrides: ClientOptions = {}): WindvaneClient {
    return new WindvaneClient({ baseUrl: env.WINDVANE_URL, token: env.WINDVANE_SECRET, ...overrides });
  }

  /** Stations around a place, the nearest first. */
  async stationsNear(
    place: Position,
    { radius = 10, limit = 20 }: { radius?: number; limit?: number } = {},
  ): Promise<StationInfo[]> {
    const answer = await this.request("stations", { query: { ...place, radius, limit } });
    return schema.array(stationSchema).parse(answer);
  }

  async station(name: string): Promise<StationInfo> {
    return stationSchema.parse(await this.request(`stations/${name}`));
  }

  async register(station: NewStation): Promise<StationInfo> {
    return stationSchema.parse(await this.request("stations", { method: "POST", body: station }));
  }

  /** What a station has observed. */
  async samples(station: string, query: SampleQuery = {}): Promise<Timeline> {
    const { since, until, signal, ...rest } = query;
    const answer = await this.request(`stations/${station}/samples`, {
      query: { ...rest, since: since?.toISOString(), until: until?.toISOString() },
      signal,
    });
    return new Timeline(schema.array(sampleSchema, { limit: query.limit }).parse(answer), station);
  }

  async latest(station: string, sensor?: string): Promise<Sample | undefined> {
    const timeline = await this.samples(station, { sensor, limit: 1, order: "newest" });
    return timeline.latest;
  }

  /** Every new sample, as long as somebody asks. */
  async *watch(
    station: string,
    { every = 30, signal }: { every?: number; signal?: AbortSignal } = {},
  ): AsyncGenerator<Sample> {
    let last: string | undefined;
    while (!signal?.aborted) {
      const sample = await this.latest(station);
      if (sample && sample.at !== last) {
        last = sample.at;
        yield sample;
      }
      await pause(every);
    }
  }

  /** Sends samples to the map; returns how many it took. */
  async publish(station: string, samples: Iterable<Sample>, options: PublishOptions = {}): Promise<number> {
    const { compact = false, precision = 2, dryRun = false, idempotencyKey } = options;
    const rounded = [...samples].map((sample) => ({ ...sample, value: Number(sample.value.toFixed(precision)) }));
    if (dryRun) return rounded.length;
    await this.request(`stations/${station}/samples`, {
      method: "POST",
      body: compact ? new Timeline(rounded).toCsv({ header: false }) : rounded,
      headers: idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey },
    });
    return rounded.length;
  }

  private async request(path: string, options: RequestOptions = {}): Promise<unknown> {
    const { retries = 2, onError } = this.options;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.once(path, options);
      } catch (cause) {
        const error = cause instanceof WindvaneError ? cause : new WindvaneError("no answer", { url: path, cause });
        if (!error.isTemporary || attempt >= retries) {
          onError?.(error);
          throw error;
        }
        await pause(error.retryAfter ?? 2 ** attempt);
      }
    }
  }

  private async once(path: string, options: RequestOptions): Promise<unknown> {
    const { method = "GET", query = {}, body, headers, signal } = options;
    const url = new URL(`${this.baseUrl}/${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const { token, timeout = 10, keepAlive = true, userAgent = "windvane-js" } = this.options;
    const answer = await this.fetch(url, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: {
        "user-agent": userAgent,
        ...(token && { authorization: `Bearer ${token}` }),
        ...this.options.headers,
        ...headers,
      },
      keepalive: keepAlive,
      signal: signal ?? AbortSignal.timeout(timeout * 1000),
    });
    if (!answer.ok) {
      throw new WindvaneError("the map refused", { status: answer.status, url: url.pathname });
    }
    return answer.json();
  }
}

interface RequestOptions {
  method?: "GET" | "POST";
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

const pause = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));
