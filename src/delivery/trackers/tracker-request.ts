import type { z } from 'zod';
import { parseBoundedJson } from '#lib/bounded-json.ts';
import { type CallAnswer, guardedCall } from '#lib/guarded-request/guarded-request.ts';
import type { Network } from '#lib/guarded-request/network.ts';
import { TRACKER_MS_MAX, type TrackerAnswer } from '../ports/tracker-client.ts';

/** An answer of a tracker. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const SAID_CHARACTERS_MAX = 200;

/** A service at its address, with what signs each request. */
export type TrackerEndpoint = {
  /** Of its interface, without a trailing slash. */
  base: string;
  headers: Readonly<Record<string, string>>;
  network: Network;
  /** Finds in an answer what the service says is wrong; null when it says nothing. */
  readProblem: (body: unknown) => string | null;
};

export type TrackerRequest<Value> = {
  method?: 'GET' | 'POST';
  /** Below the base, beginning with a slash. */
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: object;
  schema: z.ZodType<Value>;
  /** What 404 is, and 410, with which GitHub names an issue that was deleted; absent when they are failures. */
  absent?: { value: Value };
  /** Whether a body is an answer whatever the status; absent when only the status decides. */
  isAnswer?: (body: unknown) => boolean;
};

/** Calls the service; what it answers is checked before anything is made of it. */
export async function request<Value>(
  endpoint: TrackerEndpoint,
  { method = 'GET', path, query, body, schema, absent, isAnswer }: TrackerRequest<Value>,
): Promise<TrackerAnswer<Value>> {
  const search = query ? `?${new URLSearchParams(query)}` : '';
  const answer = await guardedCall(
    `${endpoint.base}${path}${search}`,
    {
      method,
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...endpoint.headers,
      },
      body: body ? JSON.stringify(body) : null,
      answerBytesMax: ANSWER_BYTES_MAX,
      timeMsMax: TRACKER_MS_MAX,
    },
    endpoint.network,
  );
  if (answer.kind === 'refused') {
    return failed(reasonOfRefusal(answer), { concernsAll: answer.reason !== 'too_large' });
  }
  if (absent && (answer.status === 404 || answer.status === 410)) {
    return { kind: 'done', value: absent.value };
  }
  const parsed = parseJson(answer.body);
  const isDone = answer.status >= 200 && answer.status < 300;
  if (!isDone && !isAnswer?.(parsed)) return describeStatus(endpoint, answer.status, parsed);
  const checked = schema.safeParse(parsed);
  if (checked.success) return { kind: 'done', value: checked.data };
  return failed(`${hostOf(endpoint)} returned an unexpected response: check the URL`);
}

/** The same of what a request answers. */
export const mapAnswer = <From, To>(
  answer: TrackerAnswer<From>,
  map: (value: From) => To,
): TrackerAnswer<To> => (answer.kind === 'done' ? { kind: 'done', value: map(answer.value) } : answer);

export const failed = (
  reason: string,
  { isDenied = false, concernsAll = false }: { isDenied?: boolean; concernsAll?: boolean } = {},
): TrackerAnswer<never> => ({ kind: 'failed', reason, isDenied, concernsAll });

function reasonOfRefusal(refusal: Extract<CallAnswer, { kind: 'refused' }>): string {
  const said = `The request failed: ${refusal.detail}`;
  if (refusal.reason !== 'address') return said;
  return `${said}. Your Errata administrator can allow it with ERRATA_ALLOW_INSIDE_ADDRESSES`;
}

function describeStatus(endpoint: TrackerEndpoint, status: number, body: unknown): TrackerAnswer<never> {
  const host = hostOf(endpoint);
  const problem = endpoint.readProblem(body)?.replace(/\s+/g, ' ').trim().slice(0, SAID_CHARACTERS_MAX);
  const said = problem ? `: "${problem}"` : '';
  if (status === 401) {
    const reason = `${host} rejected the token${said}. Create a new token there`;
    return failed(reason, { isDenied: true, concernsAll: true });
  }
  if (status === 403) {
    const reason = `${host} denied the request${said}. The token may lack a permission or have hit a rate limit`;
    return failed(reason, { isDenied: true });
  }
  if (status === 404) return failed(`${host} could not find it, or the token does not have access${said}`);
  if (status >= 300 && status < 400) return failed(`${host} redirects to another URL: enter its current URL`);
  if (status === 429) {
    return failed(`${host} is rate limiting requests: try again in a few minutes`, { concernsAll: true });
  }
  return failed(`${host} returned ${status}${said}`, { concernsAll: status >= 500 });
}

const hostOf = ({ base }: TrackerEndpoint): string => new URL(base).host;

function parseJson(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch {
    return null;
  }
}
