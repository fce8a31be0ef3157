/** The guard: turns an answer into the text that the policy lets a user read. */
import type { Check, CheckInput, Watchdog } from "./index.js";
import { ApiError, ConfigurationError } from "./errors.js";

export const UNAVAILABLE = "This answer could not be verified. Please try again later.";

export interface GuardSettings {
  /** Without a verdict "closed" shows `unavailableText`, "open" the unverified answer. */
  fail: "closed" | "open";
  timeoutMs: number;
  unavailableText: string;
}

/** What to show; `action` is null where there is no verdict, and `error` says why. */
export interface GuardedAnswer {
  text: string;
  action: Check["action"];
  check?: Check;
  error?: Error;
}

const DEFAULT: GuardSettings = { fail: "closed", timeoutMs: 15_000, unavailableText: UNAVAILABLE };
const TRANSIENT = new Set([408, 409, 410, 413, 425, 429]);
const ABOUT_CONTENT = new Set(["blank", "max_length", "too_large", "unfit_record", "unfit_text"]);

/** Checks answers and returns what may be shown. */
export class Guard {
  readonly #settings: GuardSettings;

  constructor(
    readonly watchdog: Watchdog,
    settings: Partial<GuardSettings> = {},
  ) {
    this.#settings = { ...DEFAULT, ...settings };
    if (!["closed", "open"].includes(this.#settings.fail)) {
      throw new ConfigurationError("fail is closed or open.");
    }
  }

  /** Check one answer. Throws what would switch checking off for good, whatever the settings. */
  async checkAnswer(answer: string, options: Omit<CheckInput, "answer"> = {}) {
    const { timeoutMs } = this.#settings;
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`No verdict within ${timeoutMs} ms.`)), timeoutMs).unref?.();
    });
    try {
      const checking = this.watchdog.check({ ...options, answer }, { timeoutMs });
      return released(answer, await Promise.race([checking, late]));
    } catch (error) {
      return this.#withoutVerdict(answer, error);
    }
  }

  #withoutVerdict(answer: string, error: unknown): GuardedAnswer {
    if (!(error instanceof Error) || isMisconfigured(error)) throw error;
    const { fail, unavailableText } = this.#settings;
    return { text: fail === "open" ? answer : unavailableText, action: null, error };
  }
}

function released(answer: string, check: Check): GuardedAnswer {
  if (check.action === "ALLOW") return { text: answer, action: "ALLOW", check };
  if (!check.action || typeof check.final_response !== "string") {
    throw new Error(`The check ${check.id} ended without a verdict.`);
  }
  return { text: check.final_response, action: check.action, check };
}

/** Whether no answer will be checked until key, address, options or sources are mended. */
export function isMisconfigured(error: Error): boolean {
  if (error instanceof ConfigurationError) return true;
  if (!(error instanceof ApiError)) return false;
  const errors = error.problem.errors ?? [];
  const aboutContent = errors.length > 0 && errors.every((one) => ABOUT_CONTENT.has(one.code));
  return error.status < 500 && !TRANSIENT.has(error.status) && !aboutContent;
}
