/** What can go wrong. */
import type { components } from "./schema.js";

export type Problem = components["schemas"]["Problem"];

/** A key or an address with which no request can succeed, or an address that is not WATCHDOG's. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ConfigurationError";
  }
}

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

/** The guard's circuit breaker is open: the server failed too often in a row to be asked now. */
export class NotAskedError extends Error {
  constructor(failures: number) {
    super(`WATCHDOG was not asked: it failed ${failures} times in a row.`);
    this.name = "NotAskedError";
  }
}

/** The check ended without a verdict. */
export class CheckFailedError extends Error {
  constructor(id: string) {
    super(`The check ${id} ended without a verdict.`);
    this.name = "CheckFailedError";
  }
}

/** There is no verdict yet; `id` names the check to ask for. */
export class PendingError extends Error {
  constructor(readonly id: string) {
    super(`The check ${id} is not finished yet.`);
    this.name = "PendingError";
  }
}

/** A response on a guarded path was not checked: it has no answer, as a stream, or checking failed. */
export class UnguardedResponseError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "UnguardedResponseError";
  }
}
