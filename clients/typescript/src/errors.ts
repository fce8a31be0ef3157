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

/** There is no verdict yet; `id` names the check to ask for. */
export class PendingError extends Error {
  constructor(readonly id: string) {
    super(`The check ${id} is not finished yet.`);
    this.name = "PendingError";
  }
}
