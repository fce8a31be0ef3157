/** The guard: turns an answer into the text that the policy lets a user read. */
import type { Check, CheckInput, Watchdog } from "./index.js";
import { ApiError, CheckFailedError, ConfigurationError, NotAskedError } from "./errors.js";

export const UNAVAILABLE = "This answer could not be verified. Please try again later.";

export interface GuardSettings {
  /**
   * Without a verdict "closed" shows `unavailableText`, "open" the unverified answer, unless the
   * server refused just this one: whoever writes it could escape the check so.
   */
  fail: "closed" | "open";
  timeoutMs: number;
  unavailableText: string;
  /** "observe" shows every answer as it is, and only has it checked. */
  mode: "enforce" | "observe";
  /** After `failures` outages in a row nothing is sent for `pauseMs`, then one request tries. */
  breaker: { failures: number; pauseMs: number };
}

/**
 * What to show; `action` is null where there is no verdict, and `error` says why. `observed`: the
 * verdict says what would have happened, and `text` is the model's answer.
 */
export interface GuardedAnswer {
  text: string;
  action: Check["action"];
  check?: Check;
  error?: Error;
  observed: boolean;
}

const DEFAULT: GuardSettings = {
  fail: "closed",
  timeoutMs: 15_000,
  unavailableText: UNAVAILABLE,
  mode: "enforce",
  breaker: { failures: 5, pauseMs: 10_000 },
};
const OBSERVED = "observed";
const TRANSIENT = new Set([408, 409, 410, 413, 425, 429]);
const ABOUT_CONTENT = new Set(["blank", "max_length", "too_large", "unfit_record", "unfit_text"]);

/** Checks answers and returns what may be shown. */
export class Guard {
  readonly #settings: GuardSettings;
  #outages = 0;
  #retryAt = 0;

  constructor(
    readonly watchdog: Watchdog,
    settings: Partial<GuardSettings> = {},
  ) {
    this.#settings = { ...DEFAULT, ...settings };
    if (!["closed", "open"].includes(this.#settings.fail)) {
      throw new ConfigurationError("fail is closed or open.");
    }
    if (!["enforce", "observe"].includes(this.#settings.mode)) {
      throw new ConfigurationError("mode is enforce or observe.");
    }
  }

  /** Check one answer. Throws what would switch checking off for good, whatever the settings. */
  async checkAnswer(answer: string, options: Omit<CheckInput, "answer"> = {}) {
    const { timeoutMs } = this.#settings;
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`No verdict within ${timeoutMs} ms.`)), timeoutMs).unref?.();
    });
    try {
      this.#refuseWhileDown();
      const checking = this.watchdog.check({ ...options, answer }, { timeoutMs });
      const check = await Promise.race([checking, late]);
      this.#outages = 0;
      return this.#released(answer, check);
    } catch (error) {
      return this.#withoutVerdict(answer, error);
    }
  }

  #refuseWhileDown() {
    const { failures, pauseMs } = this.#settings.breaker;
    if (this.#outages < failures) return;
    if (Date.now() < this.#retryAt) throw new NotAskedError(this.#outages);
    this.#retryAt = Date.now() + pauseMs; // others go on failing at once while this one tries
  }

  #released(answer: string, check: Check): GuardedAnswer {
    if (!check.action || typeof check.final_response !== "string") {
      throw new CheckFailedError(check.id);
    }
    const observed =
      this.#settings.mode === "observe" || (check.mitigation_actions ?? []).includes(OBSERVED);
    const text = observed || check.action === "ALLOW" ? answer : check.final_response;
    return { text, action: check.action, check, observed };
  }

  #withoutVerdict(answer: string, error: unknown): GuardedAnswer {
    if (!(error instanceof Error)) throw error;
    if (!(error instanceof NotAskedError)) this.#count(error);
    if (isMisconfigured(error)) throw error;
    const { fail, unavailableText, mode } = this.#settings;
    const observed = mode === "observe";
    const text = observed || (fail === "open" && !isRefused(error)) ? answer : unavailableText;
    return { text, action: null, error, observed };
  }

  /** An error without an answer of the server, or one of its own, is an outage. */
  #count(error: Error) {
    const isUp =
      error instanceof ConfigurationError ||
      isRefused(error) ||
      (error instanceof ApiError && error.status < 500);
    this.#outages = isUp ? 0 : this.#outages + 1;
    this.#retryAt = Date.now() + this.#settings.breaker.pauseMs;
  }
}

/** Whether no answer will be checked until key, address, options or sources are mended. */
export function isMisconfigured(error: Error): boolean {
  if (error instanceof ConfigurationError) return true;
  if (!(error instanceof ApiError)) return false;
  return error.status < 500 && !TRANSIENT.has(error.status) && !isRefused(error);
}

/** Whether the server takes no answer or sources like these (empty, too long), or fails on them. */
function isRefused(error: Error): boolean {
  if (error instanceof CheckFailedError) return true;
  if (!(error instanceof ApiError)) return false;
  const errors = error.problem.errors ?? [];
  const aboutContent = errors.length > 0 && errors.every((one) => ABOUT_CONTENT.has(one.code));
  return aboutContent || error.status === 413;
}
