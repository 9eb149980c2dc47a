import { isIP } from 'node:net';
import type { NormalizedEvent, ProcessingError } from '#protocol/event.ts';
import type { Plan } from './compile-plan.ts';
import { EVENT, FEEDBACK, REPLAY, TRANSACTION } from './event-schema.ts';
import { hideInMessage } from './hide-in-message.ts';
import { addMarks, type Mark, putField } from './mark-tree.ts';
import { LOG, METRIC, PROFILE, SPAN } from './record-schema.ts';
import { FILTERED } from './rule-types.ts';
import { json, type SchemaNode } from './schema-node.ts';
import { ScrubWalk } from './scrub-walk.ts';
import type { VALUE_TYPE } from './value-types.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** What scrubbing did to a payload. */
type ScrubReport<T> = {
  value: T;
  marks: readonly Mark[];
  /** How often each advanced rule changed something, by its place in the settings. */
  hits: ReadonlyMap<number, number>;
};

/** Each is a kind of value that selectors know by name. */
export type RecordRoot = Extract<
  keyof typeof VALUE_TYPE,
  'transaction' | 'span' | 'log' | 'metric' | 'feedback' | 'replay' | 'profile'
>;

const SCHEMAS: Readonly<Record<RecordRoot, SchemaNode>> = {
  transaction: TRANSACTION,
  span: SPAN,
  log: LOG,
  metric: METRIC,
  feedback: FEEDBACK,
  replay: REPLAY,
  profile: PROFILE,
};

/** Payloads that are stored whole, with `_meta` beside the fields; the others become columns. */
const MARKED: ReadonlySet<RecordRoot> = new Set(['transaction', 'feedback', 'replay']);

/** Scrubs an event, the values in its notes on what was invalid included. */
export function scrubEventPayload(plan: Plan, event: NormalizedEvent): ScrubReport<NormalizedEvent> {
  const { value, marks, hits } = scrubFields(plan, event as unknown as JsonObject, EVENT);
  const walked = value as unknown as NormalizedEvent;
  const scrubbed = plan.defaultRules ? scrubGraphql(walked) : walked;
  return {
    value: withMarks(scrubbed as unknown as JsonObject, marks) as unknown as NormalizedEvent,
    marks,
    hits,
  };
}

/** Scrubs any other payload. Spans, logs, metrics and profiles come back without `_meta`. */
export function scrubRecordPayload(
  plan: Plan,
  root: RecordRoot,
  record: JsonObject,
): ScrubReport<JsonObject> {
  const { value, marks, hits } = scrubFields(plan, record, SCHEMAS[root]);
  return { value: MARKED.has(root) ? withMarks(value, marks) : value, marks, hits };
}

function scrubFields(plan: Plan, payload: JsonObject, schema: SchemaNode): ScrubReport<JsonObject> {
  const walk = new ScrubWalk(plan);
  let value = walk.walk(payload, schema);
  let marks: readonly Mark[] = walk.marks;
  if (value.logentry !== payload.logentry) ({ value, marks } = hideInMessage(payload, value, marks));
  if (value.user !== payload.user) ({ value, marks } = moveIpToId(payload, value, marks));
  if (Array.isArray(payload.errors)) value = scrubErrors(plan, value, schema);
  if (isObject(payload._meta)) {
    const meta = scrubMeta(plan, payload._meta, schema, []);
    value = { ...value, _meta: new ScrubWalk(plan).walkFixed(meta) };
  }
  return { value, marks, hits: walk.hits };
}

const withMarks = (value: JsonObject, marks: readonly Mark[]): JsonObject =>
  marks.length === 0
    ? value
    : { ...value, _meta: addMarks(value._meta as JsonObject | null | undefined, marks) };

/**
 * An address that a rule masked or hashed is none any more. Unless something better tells users apart, what it became
 * is the user's id, so that users are still counted. Source: `process_user` in relay-pii/src/processor.rs.
 */
function moveIpToId(
  before: JsonObject,
  after: JsonObject,
  marks: readonly Mark[],
): { value: JsonObject; marks: readonly Mark[] } {
  const { user } = after;
  if (!isObject(user) || !isObject(before.user)) return { value: after, marks };
  const { ip_address: ip, ...others } = user;
  if (typeof ip !== 'string' || ip === before.user.ip_address || isIP(ip) !== 0)
    return { value: after, marks };
  const hasName = [user.id, user.username, user.email].some((name) => name !== undefined && name !== null);
  const moved = hasName ? { ...others, ip_address: null } : { ...others, ip_address: null, id: ip };
  return {
    value: { ...after, user: moved },
    marks: hasName
      ? marks
      : marks.map((mark) =>
          mark.path.length === 2 && mark.path[0] === 'user' && mark.path[1] === 'ip_address'
            ? { ...mark, path: ['user', 'id'] }
            : mark,
        ),
  };
}

/** What was sent in place of an invalid value is as private as the value would be. */
function scrubErrors(plan: Plan, value: JsonObject, schema: SchemaNode): JsonObject {
  const errors = value.errors as readonly ProcessingError[];
  if (!errors.some((error) => isObject(error) && 'value' in error)) return value;
  return {
    ...value,
    errors: errors.map((error) => {
      if (!isObject(error) || !('value' in error)) return error;
      const path = String(error.name ?? '').split('.');
      return { ...error, value: scrubAt(plan, schema, path, error.value) };
    }),
  };
}

/** Depth of the `_meta` tree; what is deeper is left out. */
const META_DEPTH_MAX = 64;

/** SDKs keep what they changed under `val`, in a tree that follows the event. */
function scrubMeta(plan: Plan, meta: JsonObject, schema: SchemaNode, path: readonly string[]): JsonObject {
  if (path.length > META_DEPTH_MAX) return {};
  const scrubbed: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(meta)) {
    let next: unknown = child;
    if (isObject(child)) {
      if (key !== '') next = scrubMeta(plan, child, schema, [...path, key]);
      else if ('val' in child) next = { ...child, val: scrubAt(plan, schema, path, child.val) };
    } else if (key !== '') next = scrubAt(plan, schema, [...path, key], child);
    putField(scrubbed, key, next);
  }
  return scrubbed;
}

const ANY = json('full');

/** Scrubs a value as if it stood at a place of the payload, and for good measure as one of a place that nothing is known of. */
function scrubAt(plan: Plan, schema: SchemaNode, path: readonly string[], value: unknown): unknown {
  const names = path.filter((part) => part !== '' && !/^\d+$/.test(part));
  if (names.some((name) => plan.keys.judge(name) !== null)) return null;
  const placed = new ScrubWalk(plan).walk(nest(path, value), schema);
  const there = unnest(path, placed);
  return new ScrubWalk(plan).walkField(names.at(-1) ?? '', there, ANY, 0) ?? null;
}

function nest(path: readonly string[], value: unknown): JsonObject {
  return path.reduceRight<unknown>((inner, part) => {
    if (/^\d+$/.test(part)) return [inner];
    const field: Record<string, unknown> = {};
    putField(field, part, inner);
    return field;
  }, value) as JsonObject;
}

const unnest = (path: readonly string[], value: unknown): unknown =>
  path.reduce<unknown>((outer, part) => {
    if (Array.isArray(outer)) return outer[0];
    return isObject(outer) && Object.hasOwn(outer, part) ? outer[part] : undefined;
  }, value);

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Variables of a GraphQL request are what its user typed: all of them are hidden, and their values where the response
 * repeats them. Without variables they are in the query itself, so that the response's data goes as a whole.
 * Source: `scrub_graphql` in relay-pii/src/processor.rs.
 */
function scrubGraphql(event: NormalizedEvent): NormalizedEvent {
  const { request, contexts } = event;
  if (request?.api_target?.toLowerCase() !== 'graphql' || !isObject(request.data)) return event;
  const { variables } = request.data;
  const names = isObject(variables) ? Object.keys(variables) : [];
  const next: NormalizedEvent =
    names.length === 0
      ? event
      : { ...event, request: { ...request, data: { ...request.data, variables: hideAll(names) } } };
  const response = contexts?.response;
  if (!isObject(response?.data) || !isObject(response.data.data)) return next;
  const { data: answered, ...others } = response.data;
  const body =
    names.length === 0 ? others : { ...others, data: hideNamed(answered as JsonObject, new Set(names), 0) };
  return { ...next, contexts: { ...contexts, response: { ...response, data: body } } };
}

/** Nested objects whose fields are hidden by name; deeper ones are hidden whole. */
const DEPTH_MAX = 20;

function hideNamed(value: JsonObject, names: ReadonlySet<string>, depth: number): JsonObject {
  const hidden: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    const next = isObject(field)
      ? depth < DEPTH_MAX
        ? hideNamed(field, names, depth + 1)
        : FILTERED
      : names.has(key)
        ? FILTERED
        : field;
    putField(hidden, key, next);
  }
  return hidden;
}

function hideAll(names: readonly string[]): JsonObject {
  const hidden: Record<string, unknown> = {};
  for (const name of names) putField(hidden, name, FILTERED);
  return hidden;
}
