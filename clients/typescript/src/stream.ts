/** One check as server-sent events. */
import type { components } from "./schema.js";

export type CheckEvent =
  | { id: string; type: "status"; data: { state: string } }
  | { id: string; type: "claim"; data: components["schemas"]["CheckedClaim"] }
  | { id: string; type: "result"; data: components["schemas"]["CheckOutput"] };

const PAUSE_MS = 1_000;

/** The events until the result; after a cut only those behind the last one. */
export async function* events(
  send: typeof fetch,
  url: URL,
  headers: Record<string, string>,
  deadline: number,
): AsyncGenerator<CheckEvent> {
  let last = "";
  while (Date.now() < deadline) {
    const resume: Record<string, string> = last ? { "Last-Event-ID": last } : {};
    const signal = AbortSignal.timeout(Math.max(1, deadline - Date.now()));
    const asked = { ...headers, Accept: "text/event-stream", ...resume };
    const response = await send(url, { headers: asked, signal });
    if (!response.ok || response.body === null) {
      throw new Error(`The stream was refused: ${response.status} ${await response.text()}`);
    }
    for await (const event of parsed(response.body)) {
      last = event.id;
      yield event;
      if (event.type === "result") return;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error("The check was not finished in time.");
}

async function* parsed(body: ReadableStream<Uint8Array>): AsyncGenerator<CheckEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let held = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    held += decoder.decode(value, { stream: true });
    const blocks = held.split("\n\n");
    held = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = new Map(
        block.split("\n").map((line) => {
          const at = line.indexOf(":");
          return [line.slice(0, at), line.slice(at + 1).trimStart()] as const;
        }),
      );
      const data = fields.get("data");
      if (data === undefined) continue;
      const type = fields.get("event") as CheckEvent["type"];
      yield { id: fields.get("id") ?? "", type, data: JSON.parse(data) } as CheckEvent;
    }
  }
}
