import type { NormalizedEvent } from '#protocol/event.ts';
import { putField } from './mark-tree.ts';
import { FILTERED } from './rule-types.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Variables of a GraphQL request are what its user typed: all of them are hidden, and their values where the response
 * repeats them. Without variables they are in the query itself, so that the response's data goes as a whole.
 * Source: `scrub_graphql` in relay-pii/src/processor.rs.
 */
export function scrubGraphql(event: NormalizedEvent): NormalizedEvent {
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

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
