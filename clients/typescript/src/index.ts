/**
 * Client for WATCHDOG. Its types are generated from docs/openapi.yaml; `api` calls any operation
 * by its path, and the functions beside it do what takes more than one request.
 */
import createClient, { type Client } from "openapi-fetch";

import type { components, paths } from "./schema.js";
import { retrying, type RetryPolicy } from "./retries.js";
import { events } from "./stream.js";

export { verify, WebhookError, type WebhookEvent } from "./webhooks.js";
export type { CheckEvent } from "./stream.js";
export type { RetryPolicy } from "./retries.js";

export type Check = components["schemas"]["CheckOutput"];
export type CheckInput = components["schemas"]["CheckInputRequest"];
export type Problem = components["schemas"]["Problem"];

/** The server refused the request, after all retries. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly problem: Partial<Problem>,
    readonly requestId: string,
  ) {
    super(`${status}: ${problem.detail ?? "no detail"}`);
    this.name = "ApiError";
  }
}

/** There is no verdict yet; `id` names the check to ask for. */
export class PendingError extends Error {
  constructor(readonly id: string) {
    super(`The check ${id} is not finished yet.`);
    this.name = "PendingError";
  }
}

export interface Options {
  baseUrl: string;
  apiKey: string;
  retries?: Partial<RetryPolicy>;
  fetch?: typeof fetch;
}

const POLL_MS = 1_000;
const LONGEST_WAIT_S = 60;

/** Calls a WATCHDOG server with an API key. */
export class Watchdog {
  /** Any operation, typed: `api.GET("/api/v1/checks", {params: {query: {action: "BLOCK"}}})`. */
  readonly api: Client<paths>;
  readonly #fetch: typeof fetch;
  readonly #headers: Record<string, string>;

  constructor(readonly options: Options) {
    this.#fetch = retrying(options.fetch ?? fetch, options.retries);
    this.#headers = { Authorization: `Bearer ${options.apiKey}` };
    this.api = createClient<paths>({
      baseUrl: options.baseUrl,
      headers: this.#headers,
      fetch: (request) => this.#fetch(request),
    });
  }

  /** Check an answer; waits `timeoutMs` for its verdict. Throws PendingError, ApiError. */
  async check(input: CheckInput, { timeoutMs = 30_000, key = crypto.randomUUID() as string } = {}) {
    const deadline = Date.now() + timeoutMs;
    const wait = Math.min(Math.floor(timeoutMs / 1_000), LONGEST_WAIT_S);
    const found = await this.api.POST("/api/v1/checks", {
      params: { header: { Prefer: `wait=${wait}`, "Idempotency-Key": key } },
      body: input,
    });
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
    const url = new URL(`/api/v1/checks/${encodeURIComponent(id)}`, this.options.baseUrl);
    return events(this.#fetch, url, this.#headers, Date.now() + timeoutMs);
  }

  /** The data of a response of `api`; throws ApiError where there is none. */
  result<Data>(found: { data?: Data; error?: unknown; response: Response }): Data {
    if (found.response.ok && found.data !== undefined) return found.data;
    const problem = typeof found.error === "object" && found.error ? found.error : {};
    const id = found.response.headers.get("X-Request-ID") ?? "";
    throw new ApiError(found.response.status, problem, id);
  }
}
