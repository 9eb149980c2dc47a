import type { Mark } from './mark-tree.ts';
import { RedactedText } from './redact-text.ts';
import { FILTERED } from './rule-types.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Shorter values stand in a message for many other reasons. */
const VALUE_CHARS_MIN = 4;
/** Hidden values of one parameter list that are searched in the message. */
const VALUES_MAX = 100;

/**
 * A parameter that was hidden as a whole stands in the formatted message too: `login with %s` names no field that tells
 * it. What the parameter was is hidden there, in the name of the same rule.
 */
export function hideInMessage(
  before: JsonObject,
  after: JsonObject,
  marks: readonly Mark[],
): { value: JsonObject; marks: readonly Mark[] } {
  const logentry = after.logentry;
  const original = isObject(before.logentry) ? before.logentry.params : undefined;
  if (!isObject(logentry) || typeof logentry.formatted !== 'string' || original === undefined) {
    return { value: after, marks };
  }
  const message = new RedactedText(logentry.formatted);
  for (const mark of marks) {
    const [first, second, ...rest] = mark.path;
    const rule = mark.remarks.length === 1 && wasWhole(mark) ? mark.remarks[0]?.[0] : undefined;
    if (first !== 'logentry' || second !== 'params' || rule === undefined) continue;
    for (const text of textsOf(valueAt(rest, original))) {
      message.redact(placesOf(message.search, text), { rule, method: 'replace', placeholder: FILTERED });
    }
  }
  if (!message.isChanged) return { value: after, marks };
  const formatted: Mark = {
    path: ['logentry', 'formatted'],
    remarks: message.remarks,
    length: message.originalLength,
  };
  return {
    value: { ...after, logentry: { ...logentry, formatted: message.text } },
    marks: [...marks, formatted],
  };
}

/** Whether the rule hid all of the value, not a part of its text. */
function wasWhole({ remarks, length }: Mark): boolean {
  const [remark] = remarks;
  return length === null || (remark !== undefined && remark[2] === 0);
}

/** Every text and number in a value, the longest first: a shorter one may be a part of it. */
function textsOf(value: unknown): string[] {
  const texts: string[] = [];
  const open = [value];
  while (open.length > 0 && texts.length < VALUES_MAX) {
    const next = open.pop();
    if (typeof next === 'string' || typeof next === 'number') texts.push(String(next));
    else if (typeof next === 'object' && next !== null) open.push(...Object.values(next));
  }
  return texts.filter((text) => text.length >= VALUE_CHARS_MIN).sort((a, b) => b.length - a.length);
}

function placesOf(text: string, part: string): [number, number][] {
  const places: [number, number][] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    places.push([at, at + part.length]);
  }
  return places;
}

const valueAt = (path: readonly (string | number)[], value: unknown): unknown =>
  path.reduce<unknown>(
    (node, part) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, part)
        ? (node as Record<string | number, unknown>)[part]
        : undefined,
    value,
  );

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
