import { type FieldReader, isSource, type Source } from './field-reader.ts';
import { CONTEXT_LIMITS, CONTEXTS_MAX, NAME_CHARS_MAX } from './limits.ts';
import { type Described, describeRuntime, describeSystem, frameworkVersion } from './raw-description.ts';
import { completeResponse } from './response-context.ts';

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

function completeContext(
  key: string,
  context: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  switch (typeof context.type === 'string' ? context.type : key) {
    case 'os':
    case 'client_os':
      return withDescription(context, describeSystem);
    case 'runtime':
      return withFrameworkVersion(withDescription(context, describeRuntime));
    case 'response':
      return completeResponse(context);
    case 'trace':
      return context.status === undefined || context.status === null
        ? { ...context, status: 'unknown' }
        : context;
    default:
      return context;
  }
}

/** What the SDK sent wins: the description only counts where there is neither name nor version. */
function withDescription(
  context: Readonly<Record<string, unknown>>,
  describe: (raw: string) => Described,
): Readonly<Record<string, unknown>> {
  const raw = context.raw_description;
  if (typeof raw !== 'string' || context.name != null || context.version != null) return context;
  const { build, ...described } = describe(raw);
  return { ...context, ...described, ...(build === undefined || context.build ? {} : { build }) };
}

/** .NET Framework tells a version that says little, and the release key of the registry as its build. */
function withFrameworkVersion(context: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { name, build } = context;
  if (typeof name !== 'string' || !name.startsWith('.NET Framework')) return context;
  const version = frameworkVersion(String(build));
  return version === undefined ? context : { ...context, version };
}
