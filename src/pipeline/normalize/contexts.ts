import { type FieldReader, isSource, type Source } from './field-reader.ts';
import { CONTEXT_LIMITS, CONTEXTS_MAX, NAME_CHARS_MAX } from './limits.ts';

export type Contexts = Record<string, Readonly<Record<string, unknown>>>;

/** Reads `contexts`; entries that are no objects go, with a reason. Empty ones go silently. */
export function normalizeContexts(reader: FieldReader, event: Source): Contexts {
  const source = reader.object(event, 'contexts', '');
  const contexts: Contexts = {};
  if (source === undefined) return contexts;
  const keys = Object.keys(source);
  if (keys.length > CONTEXTS_MAX) {
    reader.report('too_many_items', '', 'contexts', `kept the first ${CONTEXTS_MAX} of ${keys.length}`);
  }
  for (const key of keys.slice(0, CONTEXTS_MAX)) {
    if (key === '__proto__') continue;
    const value = source[key];
    if (value === null) continue;
    if (!isSource(value)) {
      reader.invalid('contexts', key, 'an object', value);
      continue;
    }
    const context = reader.jsonObject(source, key, 'contexts', CONTEXT_LIMITS);
    if (context === undefined) continue;
    contexts[reader.safe(key).slice(0, NAME_CHARS_MAX).toWellFormed()] = completeContext(key, context);
  }
  return contexts;
}

/** .NET and Java tell systems and runtimes in one sentence, `raw_description`. */
function completeContext(
  key: string,
  context: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (key !== 'os' && key !== 'runtime' && key !== 'client_os') return context;
  const raw = context.raw_description;
  if (typeof context.name === 'string' || typeof raw !== 'string') return context;
  const match = /^(?:Microsoft )?(\.?[A-Za-z][\w.+# -]{0,60}?)[ /-]+v?(\d+(?:\.\d+){0,3})/.exec(raw);
  if (match === null) return { ...context, name: raw.slice(0, NAME_CHARS_MAX).toWellFormed() };
  const [, name, version] = match;
  return { ...context, name, version: context.version ?? version };
}
