import { parseBoundedJson } from '#lib/bounded-json.ts';
import type { UptimeReason } from './check.ts';
import { readJsonPath } from './json-path.ts';
import type { StatusRange, UptimeAssertion, UptimeDefinition } from './monitor.ts';

/** What a server answered; `body` is its beginning, as text. */
export type UptimeResponse = {
  statusCode: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Whether the body went on after what was read of it. */
  isCut: boolean;
};

export type UptimeProblem = { reason: UptimeReason; detail: string };

/** What of a response is not as expected, the first thing; null when all is. */
export function judgeResponse(
  { statuses, assertions }: Pick<UptimeDefinition, 'statuses' | 'assertions'>,
  response: UptimeResponse,
): UptimeProblem | null {
  const { statusCode } = response;
  if (!statuses.some(({ from, to }) => statusCode >= from && statusCode <= to)) {
    return { reason: 'status', detail: `The status is ${statusCode}, expected ${formatStatuses(statuses)}` };
  }
  for (const assertion of assertions) {
    const detail = judge(assertion, response);
    if (detail !== null) return { reason: assertion.kind, detail };
  }
  return null;
}

/** Whether the body has to be read for it. */
export const asksForBody = (assertions: readonly UptimeAssertion[]): boolean =>
  assertions.some(({ kind }) => kind !== 'header');

/** `200-299, 404` */
export const formatStatuses = (statuses: readonly StatusRange[]): string =>
  statuses.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)).join(', ');

function judge(assertion: UptimeAssertion, response: UptimeResponse): string | null {
  switch (assertion.kind) {
    case 'text': {
      const isThere = response.body.includes(assertion.text);
      if (isThere !== assertion.isAbsent) return null;
      return `The body ${isThere ? 'contains' : 'does not contain'} “${assertion.text}”`;
    }
    case 'header':
      return judgeValue(`The header ${assertion.name}`, assertion.equals, headerOf(assertion.name, response));
    case 'json':
      return judgeJson(assertion, response);
  }
}

const headerOf = (name: string, { headers }: UptimeResponse): string | undefined => {
  const key = name.toLowerCase();
  return Object.hasOwn(headers, key) ? headers[key] : undefined;
};

function judgeJson(
  { path, equals }: UptimeAssertion & { kind: 'json' },
  { body, isCut }: UptimeResponse,
): string | null {
  let value: unknown;
  try {
    value = readJsonPath(parseBoundedJson(body), path);
  } catch {
    return isCut ? 'The body is too long to be read as JSON' : 'The body is not JSON';
  }
  return judgeValue(`The value ${path}`, equals, value === undefined ? undefined : textOf(value));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const SHOWN_CHARACTERS_MAX = 100;

function judgeValue(what: string, expected: string | null, found: string | undefined): string | null {
  if (found === undefined) return `${what} is missing`;
  if (expected === null || found === expected) return null;
  return `${what} is “${found.slice(0, SHOWN_CHARACTERS_MAX)}”, expected “${expected}”`;
}
