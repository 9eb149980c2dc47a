import { parseBoundedJson } from '#lib/bounded-json.ts';
import type { MessagePart, SendJob } from '../ports/destination-sender.ts';

export type DestinationRequest = {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
};

export type DestinationAnswer = {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Its beginning. */
  body: string;
};

/** How one service is spoken to. */
export type DestinationProtocol = {
  /** As people know it. */
  name: string;
  /** `index` counts the parts of the message; `nowMs` is when this try is made. */
  request(job: Omit<SendJob, 'parts'>, part: MessagePart, index: number, nowMs: number): DestinationRequest;
  /** What the service says in its answer, for people; null when it says nothing that they need. */
  explain?(answer: DestinationAnswer): string | null;
  /** How long to wait, where that does not stand in `Retry-After`; null when it is not said. */
  waitMs?(answer: DestinationAnswer): number | null;
};

export function postJson(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): DestinationRequest {
  return { url, headers, body: JSON.stringify(body) };
}

/** A part of an answer in JSON; undefined when it has no such part. */
export function jsonField(text: string, ...path: readonly string[]): unknown {
  let value: unknown;
  try {
    value = parseBoundedJson(text);
  } catch {
    return undefined;
  }
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

export const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

export const secondsToMs = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.ceil(value * 1_000) : null;
