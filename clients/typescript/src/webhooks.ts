/** For receivers of webhooks: whether a message comes from WATCHDOG and is recent. */
const TOLERANCE_S = 300;

/** Not to be trusted: answer 401 and do nothing. */
export class WebhookError extends Error {}

/** A verified message. The same `id` may arrive twice: handle it once. */
export interface WebhookEvent {
  id: string;
  type: string;
  timestamp: string;
  application: string;
  data: Record<string, unknown>;
}

/** The event, after checking its signature and its age. `body` is the text as it came. */
export async function verify(
  secret: string,
  headers: Headers | Record<string, string>,
  body: string,
  { nowS = Date.now() / 1_000 } = {},
): Promise<WebhookEvent> {
  const sent = new Headers(headers);
  const id = sent.get("webhook-id");
  const stamp = sent.get("webhook-timestamp");
  const signatures = (sent.get("webhook-signature") ?? "").split(" ");
  if (!id || !stamp || !/^\d+$/.test(stamp)) throw new WebhookError("A header is missing.");
  if (Math.abs(nowS - Number(stamp)) > TOLERANCE_S) throw new WebhookError("It is too old.");
  const raw = Uint8Array.from(atob(secret.replace(/^whsec_/, "")), (c) => c.charCodeAt(0));
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", raw, hmac, false, ["verify"]);
  const signed = new TextEncoder().encode(`${id}.${stamp}.${body}`);
  for (const signature of signatures) {
    const [version, encoded] = signature.split(",");
    if (version !== "v1" || !encoded) continue;
    if (await crypto.subtle.verify("HMAC", key, decoded(encoded), signed)) {
      return { id, ...JSON.parse(body) } as WebhookEvent;
    }
  }
  throw new WebhookError("The signature does not match the message.");
}

function decoded(encoded: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(encoded), (c) => c.charCodeAt(0));
  } catch {
    throw new WebhookError("The signature is malformed.");
  }
}
