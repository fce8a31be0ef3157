/**
 * The rows of the TypeScript doors in docs/how-to/which-door.md, column by column, and the
 * middleware with the real Express. WATCHDOG_URL and WATCHDOG_KEY lead to a real server.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import express, { type NextFunction, type Request as Asked, type Response as Sent } from "express";

import { Guard, guardExpress, guardFetch, UNAVAILABLE, Watchdog } from "../src/index.js";

const { WATCHDOG_URL, WATCHDOG_KEY } = process.env;
assert.ok(WATCHDOG_URL && WATCHDOG_KEY, "Set WATCHDOG_URL and WATCHDOG_KEY.");
const RAW = "Refunds take 30 days.";
const RIGHT = "Refunds take 14 days.";
const DOCUMENT = { answer: RAW, query: "How long do refunds take?", sources: [RIGHT] };
const PAGE = readFileSync("../../docs/how-to/which-door.md", "utf8");
const [NAMES, , ...GROUPS] = PAGE.split("## Without a verdict")[1]!
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
/** A heading names several doors or mistakes, separated by semicolons. */
const named = (cell: string) => cell.split("; ");
const HEAD = NAMES!.flatMap(named);
const ROWS = GROUPS.flatMap(([doors, ...outcomes]) => {
  const cells = outcomes.flatMap((outcome, at) => named(NAMES![at + 1]!).map(() => outcome));
  return named(doors!).map((door) => [door, ...cells]);
});

async function listening(listener: RequestListener, use: (url: string) => Promise<void>) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

type Door = (guard: Guard) => Promise<string>;
/** What a door lets out of the wrong answer; "error" where it raises. */
const DOORS: Record<string, Door> = {
  "TypeScript guard": async (guard) => (await guard.checkAnswer(RAW)).text,
  "TypeScript middleware": async (guard) => {
    let out = "";
    const app = express();
    app.use(guardExpress({ guard, paths: ["/chat"] }));
    app.get("/chat/:id", (_, response) => void response.json({ answer: RAW }));
    app.use((error: Error, _: Asked, response: Sent, next: NextFunction) => {
      if (response.headersSent) return next(error);
      response.status(500).type("text").send(`error ${error.message}`);
    });
    await listening(app, async (url) => {
      const response = await fetch(`${url}/chat/1`);
      out = await response.text();
      if (response.status === 500) throw new Error(out);
    });
    return out;
  },
  "TypeScript fetch handler": async (guard) => {
    const handler = guardFetch(() => Response.json({ answer: RAW }), { guard });
    return (await handler(new Request("http://app/chat"))).text();
  },
};

const text = (status: number, body: string, headers = {}): RequestListener => (_, response) => {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(body);
};
const HTML = { "Content-Type": "text/html" };
const MISTAKES: Record<string, RequestListener | null> = {
  "rejected key": text(401, '{"detail": "No such key."}'),
  "wrong address": text(404, "<p>Sign in</p>", HTML),
  redirect: text(302, "-", { Location: "https://elsewhere/", ...HTML }),
  "sign-on page": text(200, "<p>Sign in</p>", HTML),
  "error 503": text(503, '{"detail": "Busy."}'),
  "too many (429)": text(429, '{"detail": "Too many."}'),
  "server down": null,
  "time-out": () => undefined,
};

test("no unchecked answer goes out, whatever is wrong", async () => {
  assert.deepEqual(HEAD.slice(1).sort(), Object.keys(MISTAKES).sort());
  for (const row of ROWS.filter(([door]) => door!.startsWith("TypeScript"))) {
    for (const [at, mistake] of HEAD.entries()) {
      if (at === 0) continue;
      const modes = row[at] === "error" ? (["closed", "open"] as const) : (["closed"] as const);
      for (const fail of modes) {
        const ask = async (baseUrl: string) => {
          const retries = { attempts: 2, firstMs: 1, longestMs: 1 };
          const timeoutMs = mistake === "time-out" ? 300 : 10_000;
          const guard = new Guard(new Watchdog({ baseUrl, apiKey: "key", retries }), { fail, timeoutMs });
          let out = "error";
          let shown = "";
          try {
            shown = await DOORS[row[0]!]!(guard);
            out = shown.includes(UNAVAILABLE) ? "fixed text" : shown;
          } catch (error) {
            shown = String(error);
          }
          assert.ok(!shown.includes(RAW), `${row[0]}, ${mistake}`);
          assert.equal(out, row[at], `${row[0]}, ${mistake}, ${fail}`);
        };
        const listener = MISTAKES[mistake];
        await (listener ? listening(listener, ask) : ask("http://127.0.0.1:1"));
      }
    }
  }
});

test("each door of TypeScript has a row", () => {
  const rows = ROWS.map(([door]) => door!).filter((door) => door.startsWith("TypeScript"));
  assert.deepEqual(rows.sort(), Object.keys(DOORS).sort());
});

test("a handler shows what the policy of the real server allows", async () => {
  const guard = new Guard(new Watchdog({ baseUrl: WATCHDOG_URL, apiKey: WATCHDOG_KEY }), { timeoutMs: 60_000 });
  const app = express();
  app.use(guardExpress({ guard, paths: ["/chat"], exempt: ["/chat/health"] }));
  app.get("/chat/wrong", (_, response) => void response.json(DOCUMENT));
  app.get("/chat/right", (_, response) => void response.json({ ...DOCUMENT, answer: RIGHT }));
  app.get("/chat/pieces", (_, response) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    const body = JSON.stringify(DOCUMENT);
    response.write(body.slice(0, 20));
    response.end(body.slice(20));
  });
  app.get("/chat/refused", (_, response) => void response.status(409).json({ answer: RAW }));
  app.get("/chat/health", (_, response) => void response.json({ answer: RAW }));
  app.get("/chatter", (_, response) => void response.json({ answer: RAW }));
  app.get("/chat/none", (_, response) => void response.json({ text: RAW }));
  app.get("/chat/stream", (_, response) => {
    response.type("text/event-stream").write(`data: ${RAW}\n\n`);
    response.end();
  });
  await listening(app, async (url) => {
    const ask = (path: string, init = {}) => fetch(`${url}${path}`, init);
    for (const path of ["/chat/wrong", "/chat/pieces"]) {
      const response = await ask(path);
      assert.equal(response.headers.get("X-Watchdog-Action"), "BLOCK");
      assert.equal(response.headers.get("ETag"), null);
      const document = await response.json();
      assert.ok(!document.answer.includes("30 days"));
      assert.deepEqual(document.sources, [RIGHT]);
    }
    const right = await ask("/chat/right");
    assert.equal(right.headers.get("X-Watchdog-Action"), "ALLOW");
    assert.ok(right.headers.get("X-Watchdog-Check"));
    assert.equal((await right.json()).answer, RIGHT);
    assert.equal((await ask("/chat/refused")).status, 409);
    for (const path of ["/chat/health", "/chatter"]) {
      const response = await ask(path);
      assert.equal(response.headers.get("X-Watchdog-Action"), null);
      assert.equal((await response.json()).answer, RAW);
    }
    assert.equal((await ask("/chat/wrong", { method: "HEAD" })).status, 200);
    for (const path of ["/chat/none", "/chat/stream"]) {
      const response = await ask(path);
      assert.equal(response.status, 500);
      assert.ok(!(await response.text()).includes(RAW));
    }
  });
  const handler = guardFetch(async () => Response.json(DOCUMENT, { status: 201 }), { guard });
  const response = await handler(new Request("http://app/chat"));
  assert.deepEqual([response.status, response.headers.get("X-Watchdog-Action")], [201, "BLOCK"]);
  assert.ok(!(await response.text()).includes("30 days"));
  const streaming = guardFetch(
    () => new Response(`data: ${RAW}\n\n`, { headers: { "Content-Type": "text/event-stream" } }),
    { guard },
  );
  await assert.rejects(streaming(new Request("http://app/chat")), /stream/);
  const elsewhere = guardFetch(() => Response.json(DOCUMENT), { guard, paths: ["/chat"] });
  assert.equal((await (await elsewhere(new Request("http://app/other"))).json()).answer, RAW);
});
