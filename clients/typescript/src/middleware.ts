/** Checks the answers in JSON responses before they leave: for Express, and for fetch handlers. */
import type { IncomingMessage, ServerResponse } from "node:http";

import type { CheckInput } from "./index.js";
import { ConfigurationError, UnguardedResponseError } from "./errors.js";
import type { Guard, GuardedAnswer } from "./guard.js";

type CheckOptions = Omit<CheckInput, "answer">;

export interface MiddlewareSettings {
  guard: Guard;
  /** Guarded with all that lies below them, except what lies below `exempt`. */
  paths?: string[];
  exempt?: string[];
  /** The members of a response: the answer, and optionally question and sources. */
  fields?: { answer?: string; query?: string; sources?: string };
  /** Sent with each answer. */
  options?: CheckOptions;
}

type FetchHandler<Rest extends unknown[]> = (
  request: Request,
  ...rest: Rest
) => Response | Promise<Response>;

/**
 * A handler that replaces the answer of successful responses by the releasable text: for Next.js,
 * Hono, Bun, Deno and whatever else takes a Request. Rejects with UnguardedResponseError for a
 * response without an answer, such as a stream.
 */
export function guardFetch<Rest extends unknown[]>(
  handler: FetchHandler<Rest>,
  settings: MiddlewareSettings,
): (request: Request, ...rest: Rest) => Promise<Response> {
  validate(settings);
  return async (request, ...rest) => {
    const response = await handler(request, ...rest);
    if (!response.ok || !isGuarded(settings, request, request.url)) return response;
    const { status, statusText } = response;
    if (isStream(response.headers.get("Content-Type"))) {
      await response.body?.cancel();
      throw new UnguardedResponseError("A stream cannot be guarded.");
    }
    const { body, headers } = await guarded(await response.text(), settings);
    const sent = new Headers(response.headers);
    for (const stale of ["Content-Length", "ETag"]) sent.delete(stale);
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    return new Response(body, { status, statusText, headers: sent });
  };
}

/**
 * Middleware for Express and Connect that does the same; what goes wrong is passed to `next`.
 * Install it after compression, so that it sees what the application wrote.
 */
export function guardExpress(settings: MiddlewareSettings) {
  validate(settings);
  return (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => {
    const { url = "/", originalUrl = url } = request as IncomingMessage & { originalUrl?: string };
    if (!isGuarded(settings, request, originalUrl, url)) return next();
    const { write, end, writeHead, flushHeaders } = response;
    const parts: Buffer[] = [];
    const keep = (...[part, encoding]: unknown[]) => {
      if (typeof part === "string") parts.push(Buffer.from(part, encodingOf(encoding)));
      else if (part instanceof Uint8Array) parts.push(Buffer.from(part));
    };
    const restore = () => Object.assign(response, { write, end, writeHead, flushHeaders });
    const release = async () => {
      let body = Buffer.concat(parts);
      if (response.statusCode >= 200 && response.statusCode < 300) {
        const result = await guarded(body.toString(), settings);
        body = Buffer.from(result.body);
        response.removeHeader("ETag");
        response.removeHeader("Transfer-Encoding");
        response.setHeader("Content-Length", body.length);
        for (const [name, value] of Object.entries(result.headers)) response.setHeader(name, value);
      }
      restore();
      response.end(body);
    };
    Object.assign(response, {
      flushHeaders: () => undefined,
      writeHead: (status: number, ...rest: unknown[]) => {
        response.statusCode = status;
        for (const [name, value] of headersOf(rest.at(-1))) response.setHeader(name, value);
        return response;
      },
      write: (...written: unknown[]) => {
        keep(...written);
        called(written);
        return true;
      },
      end: (...written: unknown[]) => {
        keep(...written);
        Object.assign(response, { end: () => response, write: () => false });
        release().then(
          () => called(written),
          (error: unknown) => {
            restore();
            for (const name of response.getHeaderNames()) response.removeHeader(name);
            // The status of WATCHDOG's refusal is none of the application's.
            const { message } = error as Error;
            next(new UnguardedResponseError(message, { cause: error }));
          },
        );
        return response;
      },
    });
    next();
  };
}

function called(written: unknown[]) {
  const callback = written.at(-1);
  if (typeof callback === "function") (callback as () => void)();
}

function encodingOf(encoding: unknown): BufferEncoding {
  return typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8";
}

function headersOf(headers: unknown): [string, string | string[]][] {
  if (!headers || typeof headers !== "object") return [];
  if (!Array.isArray(headers)) return Object.entries(headers);
  if (Array.isArray(headers[0])) return headers as [string, string][];
  return headers.flatMap((name, at) => (at % 2 ? [] : [[String(name), headers[at + 1] as string]]));
}

/** `urls`: of the request as it came and, where the middleware is mounted, as it is below that. */
function isGuarded(
  { paths = ["/"], exempt = [] }: MiddlewareSettings,
  { method }: { method?: string },
  ...urls: string[]
): boolean {
  const lies = (path: string, root: string) => `${path}/`.startsWith(`${root.replace(/\/+$/, "")}/`);
  const forms = urls.map(pathsOf);
  // Routers differ in what they take for the same path, so each form is guarded.
  const isBelow = forms.flat().some((path) =>
    paths.some((root) => lies(path.toLowerCase(), root.toLowerCase())),
  );
  const isExempt = forms.some((all) => all.every((path) => exempt.some((root) => lies(path, root))));
  return method !== "HEAD" && isBelow && !isExempt;
}

/** The path of a URL as it stands there, resolved, and decoded. */
function pathsOf(url: string): string[] {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, "").split(/[?#]/, 1)[0]!;
  const resolved = new URL(`http://w${path.startsWith("/") ? path : `/${path}`}`).pathname;
  try {
    return [path, resolved, decodeURIComponent(path)];
  } catch {
    return [path, resolved];
  }
}

/** Throws ConfigurationError for paths that would guard nothing. */
function validate({ paths = ["/"], exempt = [] }: MiddlewareSettings) {
  if (!paths.length || ![...paths, ...exempt].every((path) => path.startsWith("/"))) {
    throw new ConfigurationError("Name at least one path to guard; a path begins with a slash.");
  }
}

function isStream(contentType: string | null): boolean {
  return (contentType ?? "").startsWith("text/event-stream");
}

/** The response with the releasable text, and the headers that tell of the verdict. */
async function guarded(body: string, { guard, fields, options }: MiddlewareSettings) {
  const { answer = "answer", query = "query", sources = "sources" } = fields ?? {};
  const document = documentOf(body);
  const text = document[answer];
  if (typeof text !== "string") {
    throw new UnguardedResponseError(`The response has no text in ${JSON.stringify(answer)}.`);
  }
  const own: CheckOptions = { ...options };
  if (typeof document[query] === "string") own.query = document[query];
  if (Array.isArray(document[sources])) own.sources = document[sources] as CheckOptions["sources"];
  const result = await guard.checkAnswer(text, own);
  return {
    body: JSON.stringify({ ...document, [answer]: result.text }),
    headers: headersFor(result),
  };
}

function documentOf(body: string): Record<string, unknown> {
  try {
    const document: unknown = JSON.parse(body);
    if (document && typeof document === "object" && !Array.isArray(document)) {
      return document as Record<string, unknown>;
    }
  } catch {
    // Not JSON: as below.
  }
  throw new UnguardedResponseError("The response is not a JSON object.");
}

function headersFor(result: GuardedAnswer): Record<string, string> {
  return {
    "X-Watchdog-Action": result.action ?? "NOT_CHECKED",
    ...(result.check ? { "X-Watchdog-Check": result.check.id } : {}),
    ...(result.observed ? { "X-Watchdog-Mode": "observe" } : {}),
  };
}
