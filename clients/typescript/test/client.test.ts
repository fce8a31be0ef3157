/** Against a real server: WATCHDOG_URL, WATCHDOG_KEY. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import { ApiError, verify, Watchdog, WebhookError, type CheckEvent } from "../src/index.js";

const { WATCHDOG_URL: baseUrl, WATCHDOG_KEY: apiKey } = process.env;
assert.ok(baseUrl && apiKey, "Set WATCHDOG_URL and WATCHDOG_KEY.");
const watchdog = new Watchdog({ baseUrl, apiKey });
const INPUT = { answer: "Refunds take 30 days.", sources: ["Refunds take 14 days."] };

test("a verdict, and the check in a list", async () => {
  const check = await watchdog.check({ ...INPUT, metadata: { ticket: "ts" } });
  assert.equal(check.action, "BLOCK");
  assert.equal(check.claims[0]?.status, "Contradictory");
  assert.deepEqual(await watchdog.getCheck(check.id), check);
  const listed = watchdog.result(
    await watchdog.api.GET("/api/v1/checks", { params: { query: { metadata: { ticket: "ts" } } } }),
  );
  assert.deepEqual(listed.results.map((one) => one.id), [check.id]);
});

test("a stream ends with the result", async () => {
  const { data } = await watchdog.api.POST("/api/v1/checks", {
    params: { header: { Prefer: "respond-async" } },
    body: INPUT,
  });
  const seen: CheckEvent[] = [];
  for await (const event of watchdog.stream(data!.id)) seen.push(event);
  assert.deepEqual([...new Set(seen.map((event) => event.type))], ["status", "claim", "result"]);
  const last = seen.at(-1);
  assert.ok(last?.type === "result" && last.data.action === "BLOCK");
});

test("an error names the field", async () => {
  const refused = watchdog.check({ answer: " " });
  await assert.rejects(refused, (error) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.status, 400);
    assert.equal(error.problem.errors?.[0]?.field, "answer");
    assert.ok(error.requestId);
    return true;
  });
});

test("a server that is busy is asked again", async () => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.writeHead(asked < 3 ? 503 : 200, { "Content-Type": "application/json" });
    response.end(asked < 3 ? "{}" : '{"results": []}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const retries = { firstMs: 1, longestMs: 1 };
  const busy = new Watchdog({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "k", retries });
  assert.deepEqual((await busy.api.GET("/api/v1/collections")).data, { results: [] });
  assert.equal(asked, 3);
  server.close();
  server.closeAllConnections();
});

test("a webhook of the real server is verified", async () => {
  let secret = "";
  const arrived = new Promise<{ headers: Record<string, string>; body: string }>((resolve) => {
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (part) => (body += part));
      request.on("end", () => {
        response.writeHead(204).end();
        resolve({ headers: request.headers as Record<string, string>, body });
        server.close();
      });
    });
    server.listen(0, "127.0.0.1", async () => {
      const { port } = server.address() as AddressInfo;
      const made = await watchdog.api.POST("/api/v1/webhooks", {
        body: { url: `http://127.0.0.1:${port}/hook`, events: ["check.done"] },
      });
      secret = watchdog.result(made).secret;
      await watchdog.check(INPUT);
    });
  });
  const { headers, body } = await arrived;
  const event = await verify(secret, headers, body);
  assert.equal(event.type, "check.done");
  assert.equal(event.data.action, "BLOCK");
  await assert.rejects(verify(secret, headers, `${body} `), WebhookError);
  await assert.rejects(verify(secret, headers, body, { nowS: 1 }), WebhookError);
});
