/** The guard shows what the policy lets a user read, whatever goes wrong. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";

import express from "express";

import {
  ConfigurationError, Guard, guardExpress, guardFetch, UNAVAILABLE, Watchdog,
} from "../src/index.js";

const RAW = "Refunds take 30 days.";
const JSON_TYPE = { "Content-Type": "application/json" };
type Answer = () => Response | Promise<Response>;

function check(action: string | null, extra: object = {}): Answer {
  const state = action ? "done" : "failed";
  const body = { id: "c1", state, action, final_response: action && `Final for ${action}.`, ...extra };
  return () => new Response(JSON.stringify(body), { headers: JSON_TYPE });
}

function refusal(status: number, code?: string): Answer {
  const errors = code ? [{ field: "answer", detail: "wrong", code }] : undefined;
  return () => new Response(JSON.stringify({ detail: "No.", errors }), { status, headers: JSON_TYPE });
}

const page: (status: number) => Answer = (status) => () =>
  new Response("<p>Sign in</p>", { status, headers: { "Content-Type": "text/html" } });

function guard(answer: Answer, fail: "closed" | "open", timeoutMs = 5_000, more = {}): Guard {
  const retries = { attempts: 2, firstMs: 1, longestMs: 1 };
  const options = { baseUrl: "http://w", apiKey: "key", retries, fetch: async () => answer() };
  return new Guard(new Watchdog(options), { fail, timeoutMs, ...more });
}

test("the action decides what is shown", async () => {
  for (const [action, shown] of [["ALLOW", RAW], ["WARN", "Final for WARN."], ["BLOCK", "Final for BLOCK."]]) {
    const result = await guard(check(action!), "closed").checkAnswer(RAW, { sources: ["14 days."] });
    assert.deepEqual([result.action, result.text], [action, shown]);
  }
});

test("without a verdict the setting decides", async () => {
  const down: Answer = () => Promise.reject(new TypeError("fetch failed"));
  const refusals = [refusal(400, "max_length"), refusal(413), check(null)];
  for (const cause of [down, refusal(503), ...refusals]) {
    const closed = await guard(cause, "closed").checkAnswer(RAW);
    assert.deepEqual([closed.action, closed.text], [null, UNAVAILABLE]);
    assert.ok(closed.error);
    const open = await guard(cause, "open").checkAnswer(RAW);
    assert.equal(open.text, refusals.includes(cause) ? UNAVAILABLE : RAW);
  }
});

test("half a character or NUL in an answer is no way round its check", async () => {
  const bodies: string[] = [];
  const fetch = async (input: RequestInfo | URL) => {
    bodies.push(await (input as Request).text());
    return check("BLOCK")();
  };
  const watchdog = new Watchdog({ baseUrl: "http://w", apiKey: "key", fetch });
  const sources = ["14\0 days \ud83d\ude00"];
  const result = await new Guard(watchdog, { fail: "open" }).checkAnswer(`${RAW}\ud83d`, { sources });
  assert.equal(result.text, "Final for BLOCK.");
  const sent = JSON.parse(bodies[0]!);
  assert.deepEqual([sent.answer, sent.sources], [`${RAW}\ufffd`, ["14  days \ud83d\ude00"]]);
});

test("no spelling of a path and no mount is a way round the middleware", async () => {
  const settings = { guard: guard(check("BLOCK"), "closed"), paths: ["/chat"], exempt: ["/chat/help"] };
  const app = express();
  app.use("/api", guardExpress(settings));
  app.use(guardExpress(settings));
  app.use((_, response) => void response.json({ answer: RAW }));
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const ask = (path: string) =>
    new Promise<string>((resolve) => {
      const { port } = server.address() as AddressInfo;
      request({ port, path }, (response) => text(response).then(resolve)).end();
    });
  try {
    for (const path of [
      "/chat", "/CHAT/1", "/chat/..", "/chat/%2e%2e", "/x/../chat", "/ch%61t", "/chat?a", "/api/chat",
      "/chat/HELP", "/chat/help/../1", "/chat/help/%2e%2e/1",
    ]) {
      assert.match(await ask(path), /Final for BLOCK/, path);
    }
    for (const path of ["/", "/chats", "/chat/help", "/chat/help/1", "/%zz"]) {
      assert.match(await ask(path), /Refunds take 30/, path);
    }
  } finally {
    server.close();
  }
  for (const wrong of [{ paths: [] }, { paths: ["chat"] }, { exempt: ["chat/x"] }]) {
    assert.throws(() => guardExpress({ ...settings, ...wrong }), ConfigurationError);
    assert.throws(() => guardFetch(() => new Response(), { ...settings, ...wrong }), ConfigurationError);
  }
});

test("what is only observed goes out as it is, with its verdict", async () => {
  const down: Answer = () => Promise.reject(new TypeError("fetch failed"));
  const policy = check("BLOCK", { mitigation_actions: ["observed"] });
  const observing = { mode: "observe" };
  for (const [answer, more, action] of [
    [check("BLOCK"), observing, "BLOCK"], [policy, {}, "BLOCK"], [down, observing, null],
  ] as const) {
    const result = await guard(answer, "closed", 5_000, more).checkAnswer(RAW);
    assert.deepEqual([result.text, result.action, result.observed], [RAW, action, true]);
  }
  await assert.rejects(guard(refusal(401), "closed", 5_000, observing).checkAnswer(RAW));
});

test("a server that is down is not asked until the pause is over", async () => {
  let asked = 0;
  const answer: Answer = () => {
    asked += 1;
    return asked <= 4 ? Promise.reject(new TypeError("fetch failed")) : check("ALLOW")();
  };
  const watched = guard(answer, "closed", 5_000, { breaker: { failures: 2, pauseMs: 50 } });
  for (let at = 0; at < 4; at += 1) assert.equal((await watched.checkAnswer(RAW)).text, UNAVAILABLE);
  assert.equal(asked, 4);
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.equal((await watched.checkAnswer(RAW)).text, RAW);
});

test("a server that hangs is given up", async () => {
  const hangs: Answer = () => new Promise((resolve) => setTimeout(() => resolve(check("ALLOW")()), 500));
  assert.equal((await guard(hangs, "closed", 20).checkAnswer(RAW)).text, UNAVAILABLE);
});

test("a mistake throws whatever the setting", async () => {
  const mistakes = [301, 302, 401, 403, 404, 405, 415, 422].map((status) => refusal(status));
  mistakes.push(page(200), page(400), refusal(400, "unknown_field"), refusal(400, "wrong_type"));
  for (const mistake of mistakes) {
    for (const fail of ["closed", "open"] as const) {
      await assert.rejects(guard(mistake, fail).checkAnswer(RAW));
    }
  }
});

test("a key or an address that cannot be one throws at once, and neither is repeated", () => {
  const wrong: [string, string][] = [
    ["http://w", ""], ["http://w", "secret x"], ["http://w", "secret\r\nX: 1"], ["", "key"],
    ["w:8000", "key"], ["ftp://w", "key"], ["https://me:secret@w", "key"], ["https://w?k=secret", "key"],
  ];
  for (const [baseUrl, apiKey] of wrong) {
    assert.throws(
      () => new Watchdog({ baseUrl, apiKey }),
      (error) => error instanceof ConfigurationError && !error.message.includes("secret"),
    );
  }
  assert.throws(() => Watchdog.fromEnv({ WATCHDOG_URL: "http://w" }), ConfigurationError);
  assert.ok(Watchdog.fromEnv({ WATCHDOG_URL: " http://w/\n", WATCHDOG_KEY: "key\n" }));
});

test("a ping tells whether address and key are right", async () => {
  const asked: Request[] = [];
  const answer = JSON.stringify({ prefix: "p", name: "n", scopes: ["checks:write"] });
  const watchdog = new Watchdog({
    baseUrl: "http://w/base/",
    apiKey: "key",
    fetch: async (request) => {
      asked.push(request as Request);
      return new Response(answer, { headers: JSON_TYPE });
    },
  });
  assert.deepEqual((await watchdog.ping()).scopes, ["checks:write"]);
  assert.equal(asked[0]?.url, "http://w/base/api/v1/keys/current");
  assert.equal(asked[0]?.redirect, "manual");
  await assert.rejects(guard(refusal(401), "open").watchdog.ping());
});
