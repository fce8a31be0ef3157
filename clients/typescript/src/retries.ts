/** Requests that were not served are sent again, later each time, with jitter. */
export interface RetryPolicy {
  attempts: number;
  firstMs: number;
  longestMs: number;
}

const DEFAULT: RetryPolicy = { attempts: 4, firstMs: 500, longestMs: 20_000 };
const RETRIED = new Set([408, 429, 502, 503, 504, 507]);

/** Whether sending it twice does no more than sending it once. */
function repeatable(request: Request): boolean {
  return request.method === "GET" || request.headers.has("Idempotency-Key");
}

export function retrying(send: typeof fetch, given: Partial<RetryPolicy> = {}): typeof fetch {
  const policy = { ...DEFAULT, ...given };
  return async (input, init) => {
    // A redirect is a wrong address: followed, a check would be asked for as a list.
    const request = new Request(new Request(input, init), { redirect: "manual" });
    for (let attempt = 1; ; attempt += 1) {
      const last = attempt >= policy.attempts || !repeatable(request);
      try {
        const response = await send(request.clone());
        if (last || !RETRIED.has(response.status)) return response;
        await response.body?.cancel();
        await pause(policy, attempt, Number(response.headers.get("Retry-After")) || 0);
      } catch (error) {
        if (last || request.signal.aborted) throw error;
        await pause(policy, attempt, 0);
      }
    }
  };
}

function pause(policy: RetryPolicy, attempt: number, retryAfterS: number): Promise<void> {
  const bound = Math.min(policy.longestMs, policy.firstMs * 2 ** (attempt - 1));
  const wanted = Math.max(bound * Math.random(), retryAfterS * 1_000);
  return new Promise((resolve) => setTimeout(resolve, Math.min(wanted, policy.longestMs)));
}
