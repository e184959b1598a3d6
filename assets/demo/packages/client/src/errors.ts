export interface ErrorDetails {
  status?: number;
  url?: string;
  /** Seconds after which another try makes sense. */
  retryAfter?: number;
  cause?: unknown;
}

/** The map did not answer, or not with what was asked for. */
export class WindvaneError extends Error {
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;

  constructor(message: string, { status, url, retryAfter, cause }: ErrorDetails = {}) {
    super(url === undefined ? message : `${message} (${url})`, { cause });
    this.name = "WindvaneError";
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** True where the same request may work a little later. */
  get isTemporary(): boolean {
    return this.status === undefined || this.status === 429 || this.status >= 500;
  }
}
