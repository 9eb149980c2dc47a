import { parseBoundedJson } from '#lib/bounded-json.ts';
import type { RequestInfo } from '#protocol/event.ts';
import { type FieldReader, isSource, type Source } from './field-reader.ts';
import { CONTEXT_LIMITS, CONTEXTS_MAX, NAME_CHARS_MAX } from './limits.ts';
import { parseCookies } from './pairs.ts';
import { parseUserAgent } from './user-agent.ts';

type Contexts = Record<string, Readonly<Record<string, unknown>>>;

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

/**
 * Adds what the request's User-Agent header tells: the contexts `browser` and `device`, and the system as `os` for
 * events of browsers, as `client_os` for those of servers, whose own system `os` is. What the SDK sent wins.
 * An event of a browser without that header takes the one it was delivered with.
 */
export function addUserAgentContexts(
  contexts: Contexts,
  options: { platform: string; request: RequestInfo | undefined; senderUserAgent: string | null },
): void {
  const isBrowser = options.platform === 'javascript';
  const header = options.request?.headers?.find(([name]) => name === 'User-Agent')?.[1];
  const text = header ?? (isBrowser ? options.senderUserAgent : null);
  if (!text) return;
  const agent = parseUserAgent(text);
  if (agent.browser !== null) contexts.browser ??= { ...agent.browser, type: 'browser' };
  if (agent.os !== null) contexts[isBrowser ? 'os' : 'client_os'] ??= { ...agent.os, type: 'os' };
  if (agent.device !== null) contexts.device ??= { ...agent.device, type: 'device' };
}

/** Fields of a context that were told by its `raw_description`; none when it tells nothing. */
type Described = Readonly<Record<string, string>>;

/**
 * Reads how .NET, Unity and Unreal tell a system in one line: `Microsoft Windows 10.0.18363`, `Darwin 17.4.0 …`,
 * `Android OS 11 / API-30 (…)`. A Windows build becomes the name that it is sold under; what `uname` tells is the
 * kernel's version, not the system's. Source: relay-event-normalization/src/normalize/contexts.rs
 */
function describeSystem(raw: string): Described {
  const windows =
    /^(?:Microsoft\s+)?Windows\s+(?:NT\s+)?(\d+\.\d+\.(\d+))/.exec(raw) ??
    /^Windows\s+\d+\s+\((\d+\.\d+\.(\d+))/.exec(raw);
  if (windows) {
    const [, full = '', build = ''] = windows;
    return { name: 'Windows', version: windowsName(Number(build)) ?? full, build };
  }
  const mac = /^Mac OS X (\d+\.\d+\.\d+)(?: \(([a-fA-F0-9]+)\))?$/.exec(raw);
  if (mac) return kept({ name: 'macOS', version: mac[1], build: mac[2] });
  const mobile = /^(iOS|iPadOS) (\d+\.\d+(?:\.\d+)?)/.exec(raw);
  if (mobile) return kept({ name: mobile[1], version: mobile[2] });
  const distribution = /^Linux (\d+\.\d+(?:\.\d+(?:\.[1-9]+)?)?) ([a-zA-Z]+) (\d+(?:\.\d+){0,2})/.exec(raw);
  if (distribution) {
    return kept({ name: distribution[2], version: distribution[3], kernel_version: distribution[1] });
  }
  const uname = /^([a-zA-Z]+) (\d+\.\d+(?:\.\d+(?:\.[1-9]+)?)?)/.exec(raw);
  if (uname && uname[1] !== 'Android') return kept({ name: uname[1], kernel_version: uname[2] });
  const android = /^Android (?:OS )?(\d+(?:\.\d+){0,2}) \/ API-\d+/.exec(raw);
  if (android) return kept({ name: 'Android', version: android[1] });
  if (raw === 'Nintendo Switch') return { name: 'Nintendo OS' };
  const plain = /^([a-zA-Z]+) ([\d.-]+)$/.exec(raw);
  return plain ? kept({ name: plain[1], version: plain[2] }) : {};
}

/** Reads `.NET Core 2.0`, `Mono 5.10.1.47 (tarball …)`. */
function describeRuntime(raw: string): Described {
  const match = /^(.{1,200}) (\d+\.\d+(?:\.\d+){0,2})/.exec(raw);
  return match ? kept({ name: match[1], version: match[2] }) : {};
}

/** The version of the .NET Framework that a release key of the registry means. */
const frameworkVersion = (releaseKey: string): string | undefined => FRAMEWORKS.get(releaseKey);

const FRAMEWORKS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '4.5': ['378389'],
    '4.5.1': ['378675', '378758'],
    '4.5.2': ['379893'],
    '4.6': ['393295', '393297'],
    '4.6.1': ['394254', '394271'],
    '4.6.2': ['394802', '394806'],
    '4.7': ['460798', '460805'],
    '4.7.1': ['461308', '461310'],
    '4.7.2': ['461808', '461814'],
    '4.8': ['528040', '528049', '528209', '528372', '528449'],
  }).flatMap(([version, keys]) => keys.map((key) => [key, version] as const)),
);

function windowsName(build: number): string | undefined {
  if (build >= 2600 && build <= 3790) return 'XP';
  if (build >= 10_240 && build <= 19_044) return '10';
  if (build >= 22_000 && build <= 22_999) return '11';
  return { 6002: 'Vista', 7601: '7', 9200: '8', 9600: '8.1' }[build];
}

const kept = (fields: Readonly<Record<string, string | undefined>>): Described =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

type Context = Readonly<Record<string, unknown>>;

/**
 * Completes what an HTTP client was answered: a body of JSON is read, its type is told, and the cookies that the answer
 * sets stand by themselves. Source: relay-event-normalization/src/normalize/contexts.rs
 */
function completeResponse(response: Context): Context {
  const headers = headersOf(response.headers);
  const parsed = typeof response.data === 'string' ? parseJson(response.data) : undefined;
  const declared = headers.find(([name]) => isNamed(name, 'content-type'))?.[1].split(';', 1)[0];
  const contentType = parsed === undefined ? declared : 'application/json';
  const setCookie = headers.find(([name]) => isNamed(name, 'set-cookie'))?.[1];
  const cookies =
    response.cookies ?? (setCookie === undefined ? undefined : Object.fromEntries(parseCookies(setCookie)));
  return {
    ...response,
    ...(parsed === undefined ? {} : { data: parsed }),
    ...(contentType === undefined ? {} : { inferred_content_type: contentType }),
    ...(cookies === undefined ? {} : { cookies }),
    ...(setCookie === undefined ? {} : { headers: withoutSetCookie(response.headers) }),
  };
}

const isNamed = (name: string, wanted: string): boolean => name.toLowerCase() === wanted;

function parseJson(text: string): unknown {
  const first = text.trimStart().charAt(0);
  if (first !== '{' && first !== '[') return undefined;
  try {
    return parseBoundedJson(text);
  } catch {
    return undefined;
  }
}

/** An object or a list of pairs; what is no text is left out. */
function headersOf(value: unknown): readonly (readonly [string, string])[] {
  const entries: readonly unknown[] = Array.isArray(value)
    ? value
    : isSource(value)
      ? Object.entries(value)
      : [];
  return entries.filter(
    (entry): entry is [string, string] =>
      Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'string',
  );
}

function withoutSetCookie(value: unknown): unknown {
  const stays = (entry: unknown): boolean =>
    !(Array.isArray(entry) && typeof entry[0] === 'string' && isNamed(entry[0], 'set-cookie'));
  if (Array.isArray(value)) return value.filter(stays);
  return Object.fromEntries(Object.entries(value as Source).filter(stays));
}
