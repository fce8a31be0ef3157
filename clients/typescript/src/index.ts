/**
 * Client for WATCHDOG. Its types are generated from docs/openapi.yaml; `api` calls any operation
 * by its path, and the functions beside it do what takes more than one request.
 */
import createClient, { type Client } from "openapi-fetch";

import type { components, paths } from "./schema.js";
import { ApiError, ConfigurationError, PendingError } from "./errors.js";
import { retrying, type RetryPolicy } from "./retries.js";
import { events } from "./stream.js";

export {
  ApiError,
  CheckFailedError,
  ConfigurationError,
  NotAskedError,
  PendingError,
  type Problem,
  UnguardedResponseError,
} from "./errors.js";
export { Guard, UNAVAILABLE, type GuardedAnswer, type GuardSettings } from "./guard.js";
export { guardExpress, guardFetch, type MiddlewareSettings } from "./middleware.js";
export { verify, WebhookError, type WebhookEvent } from "./webhooks.js";
export type { CheckEvent } from "./stream.js";
export type { RetryPolicy } from "./retries.js";

export type Check = components["schemas"]["CheckOutput"];
export type CheckInput = components["schemas"]["CheckInputRequest"];
export type Key = components["schemas"]["KeyOutput"];

export interface Options {
  baseUrl: string;
  apiKey: string;
  retries?: Partial<RetryPolicy>;
  fetch?: typeof fetch;
}

const KEY = /^[!-~]+$/;
const POLL_MS = 1_000;
const LONGEST_WAIT_S = 60;

/** Calls a WATCHDOG server with an API key. */
export class Watchdog {
  /** Any operation, typed: `api.GET("/api/v1/checks", {params: {query: {action: "BLOCK"}}})`. */
  readonly api: Client<paths>;
  readonly #fetch: typeof fetch;
  readonly #headers: Record<string, string>;

  readonly #baseUrl: string;

  /** Throws ConfigurationError, which repeats neither: both may hold a secret. */
  constructor(options: Options) {
    this.#fetch = retrying(options.fetch ?? fetch, options.retries);
    this.#headers = { Authorization: `Bearer ${keyOf(options.apiKey)}` };
    this.#baseUrl = addressOf(options.baseUrl);
    this.api = createClient<paths>({
      baseUrl: this.#baseUrl,
      headers: this.#headers,
      fetch: (request) => this.#fetch(request),
      bodySerializer: serialized,
    });
  }

  /** A client of `WATCHDOG_URL` and `WATCHDOG_KEY`. Throws ConfigurationError. */
  static fromEnv(env: Record<string, string | undefined>, options: Partial<Options> = {}) {
    const { WATCHDOG_URL: baseUrl = "", WATCHDOG_KEY: apiKey = "" } = env;
    return new Watchdog({ ...options, baseUrl, apiKey });
  }

  /** Read the key, to learn at start whether address and key are right. */
  async ping(): Promise<Key> {
    return this.result(await this.#asked(this.api.GET("/api/v1/keys/current")));
  }

  /** Check an answer; waits `timeoutMs` for its verdict. Throws PendingError, ApiError. */
  async check(input: CheckInput, { timeoutMs = 30_000, key = crypto.randomUUID() as string } = {}) {
    const deadline = Date.now() + timeoutMs;
    const wait = Math.min(Math.floor(timeoutMs / 1_000), LONGEST_WAIT_S);
    const found = await this.#asked(
      this.api.POST("/api/v1/checks", {
        params: { header: { Prefer: `wait=${wait}`, "Idempotency-Key": key } },
        body: input,
      }),
    );
    let check: Check = this.result(found);
    while (check.state !== "done" && check.state !== "failed") {
      if (Date.now() + POLL_MS >= deadline) throw new PendingError(check.id);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      check = await this.getCheck(check.id);
    }
    return check;
  }

  /** Read one check. */
  async getCheck(id: string): Promise<Check> {
    const found = await this.api.GET("/api/v1/checks/{check_id}", {
      params: { path: { check_id: id } },
    });
    return this.result(found) as Check;
  }

  /** What becomes of a check, as it does; ends with its result, and resumes where it was cut. */
  stream(id: string, { timeoutMs = 60_000 } = {}) {
    const url = new URL(`api/v1/checks/${encodeURIComponent(id)}`, `${this.#baseUrl}/`);
    return events(this.#fetch, url, this.#headers, Date.now() + timeoutMs);
  }

  /** The response; throws ConfigurationError for one that is no JSON, as of a sign-on page. */
  async #asked<Found>(asking: Promise<Found>): Promise<Found> {
    try {
      return await asking;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new ConfigurationError("The server sent no JSON: is this WATCHDOG's address?");
    }
  }

  /** The data of a response of `api`; throws ApiError where there is none. */
  result<Data>(found: { data?: Data; error?: unknown; response: Response }): Data {
    if (found.response.ok && found.data !== undefined) return found.data;
    const problem = typeof found.error === "object" && found.error ? found.error : {};
    const id = found.response.headers.get("X-Request-ID") ?? "";
    throw new ApiError(found.response.status, problem, id);
  }
}

function keyOf(text: string): string {
  const key = String(text ?? "").trim();
  if (KEY.test(key)) return key;
  throw new ConfigurationError("The API key is empty or has characters that no key has.");
}

function addressOf(text: string): string {
  const wrong = "The address of WATCHDOG is not http:// or https:// and a host.";
  let url: URL;
  try {
    url = new URL(String(text ?? "").trim());
  } catch {
    throw new ConfigurationError(wrong);
  }
  if (!["http:", "https:"].includes(url.protocol)) throw new ConfigurationError(wrong);
  if (url.username || url.password || url.search || url.hash) {
    throw new ConfigurationError(
      "The address of WATCHDOG must have no user name, password, query or fragment.",
    );
  }
  return url.href.replace(/\/+$/, "");
}

const HALF = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** JSON that a database takes: a space for NUL, U+FFFD for half a character; forms as they are. */
function serialized(body: unknown) {
  if (body instanceof FormData) return body;
  return JSON.stringify(body, (_, value) =>
    typeof value === "string" ? value.replaceAll("\0", " ").replace(HALF, "\ufffd") : value,
  );
}
