import { Decoder, decodeMulti } from '@msgpack/msgpack';
import { parseBoundedJson } from '#lib/bounded-json.ts';
import { checkMsgpackBounds } from '#protocol/bounded-msgpack.ts';
import { parseEventId } from '#protocol/event-id.ts';

/** What a crash reporter sends beside the dump. */
export type CrashForm = {
  /** The file `__sentry-event`, in MessagePack; null when there is none. */
  event: Uint8Array | null;
  /** The files `__sentry-breadcrumb1` and `2`: MessagePack values one after the other. */
  breadcrumbs: readonly Uint8Array[];
  /** Form fields, in their order. */
  fields: readonly (readonly [name: string, value: string])[];
};

export type CrashEvent = {
  /** JSON of the event. */
  payload: Buffer;
  /** 32 lower-case hex digits; null when nothing named one. */
  eventId: string | null;
  /** Parts that could not be read, by their name. */
  unreadable: readonly string[];
};

type Json = Record<string, unknown>;

/** Levels of `sentry[a][b]…`. */
const PATH_DEPTH_MAX = 15;
/** Values nested deeper are not merged: the first source wins. */
const MERGE_DEPTH_MAX = 50;
/** Elements of one list or map of MessagePack. */
const ELEMENTS_MAX = 100_000;
const LIMITS = {
  maxArrayLength: ELEMENTS_MAX,
  maxMapLength: ELEMENTS_MAX,
  // No text or byte string is longer than what holds it.
  maxStrLength: 1024 * 1024,
  maxBinLength: 1024 * 1024,
  maxExtLength: 1024,
};

/**
 * One event from everything that a crash reporter sends: `__sentry-event` and its breadcrumbs go first, then `sentry` and
 * `sentry[…]` in the order of the form; what is no event data becomes `extra`. Nothing overwrites what came before.
 * Never throws. Sources: `event_from_attachments` and `merge_formdata` in
 * relay-server/src/services/processor/event.rs, relay-server/src/utils/param_parser.rs.
 */
export function buildCrashEvent(form: CrashForm): CrashEvent {
  const unreadable: string[] = [];
  const event = emptyObject();
  const read = (name: string, into: () => void) => {
    try {
      into();
    } catch {
      // Too deep for us, or broken: the dump is worth more than what came with it.
      unreadable.push(name);
    }
  };
  if (form.event) {
    const bytes = form.event;
    read('__sentry-event', () => mergeInto(event, jsonOf(decodeOne(bytes))));
  }
  const breadcrumbs: Json[][] = [];
  for (const [index, bytes] of form.breadcrumbs.entries()) {
    read(`__sentry-breadcrumb${index + 1}`, () => breadcrumbs.push(decodeBreadcrumbs(bytes)));
  }
  const joined = joinBreadcrumbs(breadcrumbs);
  if (joined.length > 0) event.breadcrumbs = { values: joined };
  mergeFields(event, form.fields, read);
  event.platform ??= 'native';
  event.level ??= 'fatal';
  const eventId = parseEventId(event.event_id);
  try {
    return { payload: Buffer.from(JSON.stringify(event)), eventId, unreadable };
  } catch {
    const bare = { platform: 'native', level: 'fatal' };
    return { payload: Buffer.from(JSON.stringify(bare)), eventId, unreadable: [...unreadable, 'event'] };
  }
}

/** Without a prototype, so that a field named `__proto__` is one like any other. */
const emptyObject = (): Json => Object.create(null) as Json;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function decodeOne(bytes: Uint8Array): unknown {
  checkMsgpackBounds(bytes);
  return bytes.length === 0 ? {} : new Decoder(LIMITS).decode(bytes);
}

function decodeBreadcrumbs(bytes: Uint8Array): Json[] {
  checkMsgpackBounds(bytes);
  return [...decodeMulti(bytes, LIMITS)].map(jsonOf).filter(isObject);
}

/** What JSON can hold of a value: byte strings become text. */
const jsonOf = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_key, inner: unknown) =>
      inner instanceof Uint8Array
        ? Buffer.from(inner.buffer, inner.byteOffset, inner.length).toString('utf8')
        : inner,
    ) ?? 'null',
  );

/** Two files take turns; the one whose last breadcrumb is older goes first, and as many are kept as the longer one holds. */
function joinBreadcrumbs(files: readonly Json[][]): Json[] {
  const sorted = [...files].sort((a, b) => lastTime(a) - lastTime(b));
  const longest = Math.max(0, ...files.map(({ length }) => length));
  return longest === 0 ? [] : sorted.flat().slice(-longest);
}

function lastTime(breadcrumbs: readonly Json[]): number {
  for (const { timestamp } of [...breadcrumbs].reverse()) {
    const ms = typeof timestamp === 'number' ? timestamp * 1000 : Date.parse(String(timestamp));
    if (Number.isFinite(ms)) return ms;
  }
  return Number.NEGATIVE_INFINITY;
}

function mergeFields(
  event: Json,
  fields: CrashForm['fields'],
  read: (name: string, into: () => void) => void,
): void {
  const chunks = new Map<number, string>();
  for (const [name, value] of fields) {
    const chunk = /^sentry__(\d{1,6})$/.exec(name);
    if (name === 'sentry' || name.startsWith('sentry___')) {
      read(name, () => mergeInto(event, parseBoundedJson(value)));
    } else if (chunk) {
      // Electron cuts long payloads into pieces.
      chunks.set(Number(chunk[1]), value);
    } else if (name.startsWith('sentry[')) {
      const path = readPath(name);
      if (path) setPath(event, path, value);
    } else {
      setPath(event, ['extra', name], value);
    }
  }
  if (chunks.size === 0) return;
  const whole = [...chunks].sort(([a], [b]) => a - b).map(([, piece]) => piece);
  read('sentry__*', () => mergeInto(event, parseBoundedJson(whole.join(''))));
}

/** `sentry[a][b]` → a, b; null for another form. */
function readPath(name: string): string[] | null {
  const path = [...name.slice('sentry'.length).matchAll(/\[([^\]]*)\]/g)].map(([, part]) => part ?? '');
  const isWhole = path.map((part) => `[${part}]`).join('') === name.slice('sentry'.length);
  return isWhole && path.length > 0 && path.length <= PATH_DEPTH_MAX ? path : null;
}

/** Sets what is not set yet. */
function setPath(target: Json, path: readonly string[], value: string): void {
  let at = target;
  for (const part of path.slice(0, -1)) {
    if (!Object.hasOwn(at, part)) at[part] = emptyObject();
    const next = at[part];
    if (!isObject(next)) return;
    at = next;
  }
  const last = path.at(-1) ?? '';
  if (!Object.hasOwn(at, last)) define(at, last, value);
}

/** Fills what is missing or null in `target` from `source`. */
function mergeInto(target: Json, source: unknown, depth = 0): void {
  if (!isObject(source)) throw new Error('no object');
  for (const [name, value] of Object.entries(source)) {
    const known = Object.hasOwn(target, name) ? target[name] : null;
    if (isObject(known) && isObject(value) && depth < MERGE_DEPTH_MAX) mergeInto(known, value, depth + 1);
    else if (known === null || known === undefined) define(target, name, value);
  }
}

/** A plain assignment of `__proto__` would change the object instead. */
const define = (target: Json, name: string, value: unknown): void => {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
};
