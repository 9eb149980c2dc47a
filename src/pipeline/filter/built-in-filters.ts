import { BoundedCache } from '#lib/bounded-cache.ts';
import type { ExceptionValue, NormalizedEvent } from '#protocol/event.ts';
import type { LegacyBrowser } from '#protocol/ingest-settings.ts';
import { parseUserAgent } from '../normalize/user-agent.ts';
import { compileGlobs } from '../patterns/glob.ts';

/**
 * Words of errors that extensions, toolbars and rewriting proxies cause in pages that are not theirs.
 * Source: relay-filter/src/browser_extensions.rs
 */
const VALUES = [
  'top.globals',
  'originalcreatenotification',
  'canvas.contentdocument',
  'myapp_removeallhighlights',
  'http://tt.epicplay.com',
  "can't find variable: zitereader",
  'jigsaw is not defined',
  'combosearch is not defined',
  'http://loading.retry.widdit.com/',
  'atomicfindclose',
  'fb_xd_fragment',
  'bmi_safeaddonload',
  'ebcallbackmessagereceived',
  '_gcrweb',
  'conduitpage',
  "null is not an object (evaluating 'elt.parentnode')",
  'plugin.setsuspendstate is not a function',
  'extension context invalidated',
  'webkit-masked-url:',
  "can't access dead object",
];

/** Where their code lies. */
const SOURCES = [
  'graph.facebook.com',
  'connect.facebook.net',
  'eatdifferent.com.woopra-ns.com',
  'static.woopra.com/js/woopra.js',
  'webkit-masked-url',
  '127.0.0.1:4001/isrunning',
  'webappstoolbarba.texthelp.com/',
  'metrics.itunes.apple.com.edgesuite.net/',
  'kaspersky-labs.com',
];
const SCHEME = /^(?:chrome|chrome-extension|moz-extension|safari-extension|safari-web-extension):\/\//;

/** Frames without a place of their own: the next one tells. */
const PLACELESS: ReadonlySet<string> = new Set(['<anonymous>', '[native code]']);

const anyOf = (texts: readonly string[]): RegExp =>
  new RegExp(texts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'));
const VALUE = anyOf(VALUES);
const SOURCE = anyOf(SOURCES);

/** Whether the first exception's value, or the innermost place in its stack, is known for it. */
export function isFromExtension(event: NormalizedEvent): boolean {
  const exception = event.exception?.values[0];
  if (!exception) return false;
  if (exception.value && VALUE.test(exception.value.toLowerCase())) return true;
  const source = sourceOf(exception.stacktrace?.frames ?? [])?.toLowerCase();
  return source !== undefined && (SCHEME.test(source) || SOURCE.test(source));
}

function sourceOf(frames: readonly { abs_path?: string | null }[]): string | undefined {
  const frame = frames.findLast(({ abs_path }) => !abs_path || !PLACELESS.has(abs_path));
  return frame?.abs_path ?? undefined;
}

/**
 * Whether a pattern matches the message, or an exception as `Type: value`. null when there is no pattern.
 * Source: relay-filter/src/error_messages.rs
 */
export function compileErrorMessages(
  patterns: readonly string[],
): ((event: NormalizedEvent) => boolean) | null {
  const matches = compileGlobs(patterns);
  if (matches === null) return null;
  return (event) => {
    const message = event.logentry?.formatted ?? event.logentry?.message;
    if (message && matches(message)) return true;
    return event.exception?.values.some((exception) => matches(lineOf(exception))) ?? false;
  };
}

const lineOf = ({ type, value }: ExceptionValue): string => [type, value].filter(Boolean).join(': ');

/** Type and value that an exception must both have; null: whichever. */
type Shape = readonly [type: string | null, value: string];

/** Server and browser rendered something different. Source: sentry, src/sentry/ingest/inbound_filters.py */
const HYDRATION: readonly Shape[] = [
  [null, '*https://reactjs.org/docs/error-decoder.html?invariant={418,419,421,422,423,425}*'],
  [null, '*https://react.dev/errors/{418,419,421,422,423,425}*'],
];

/** A part of the app that a new deploy removed. Source: sentry, src/sentry/ingest/inbound_filters.py */
const CHUNK_LOAD: readonly Shape[] = [
  ['ChunkLoadError', 'Loading chunk *'],
  ['*Uncaught *', 'ChunkLoadError: Loading chunk *'],
  ['ChunkLoadError', 'Failed to load chunk *'],
  ['*Uncaught *', 'ChunkLoadError: Failed to load chunk *'],
  ['Error', 'Uncaught (in promise): ChunkLoadError*'],
];

export const isHydrationError = compileShapes(HYDRATION);
export const isChunkLoadError = compileShapes(CHUNK_LOAD);

function compileShapes(shapes: readonly Shape[]): (event: NormalizedEvent) => boolean {
  const compiled = shapes.map(([type, value]) => ({
    type: type === null ? null : compileGlobs([type]),
    value: compileGlobs([value]),
  }));
  return (event) =>
    event.exception?.values.some((exception) =>
      compiled.some(
        ({ type, value }) =>
          (type === null || type(exception.type ?? '')) && value?.(exception.value ?? '') === true,
      ),
    ) ?? false;
}

type Family = 'ie' | 'edge' | 'safari' | 'firefox' | 'chrome' | 'opera' | 'opera_mini' | 'android';
type Rule = { family: Family; from: number; to: number };

const upTo = (family: Family, to: number): Rule => ({ family, from: 0, to });

/** The versions that each choice means, both ends included. Source: relay-filter/src/legacy_browsers.rs */
const RULES: Readonly<Record<LegacyBrowser, Rule>> = {
  ie: upTo('ie', 11),
  edge: upTo('edge', 110),
  safari: upTo('safari', 15),
  firefox: upTo('firefox', 110),
  chrome: upTo('chrome', 110),
  opera: upTo('opera', 99),
  opera_mini: upTo('opera_mini', 34),
  android: upTo('android', 3),
  edge_pre_79: upTo('edge', 78),
  safari_pre_15: upTo('safari', 14),
  safari_pre_6: upTo('safari', 5),
  firefox_pre_67: upTo('firefox', 66),
  chrome_pre_63: upTo('chrome', 62),
  opera_pre_15: upTo('opera', 14),
  opera_mini_pre_8: upTo('opera_mini', 7),
  android_pre_4: upTo('android', 3),
  ie_pre_9: upTo('ie', 8),
  ie9: { family: 'ie', from: 9, to: 9 },
  ie10: { family: 'ie', from: 10, to: 10 },
  ie11: { family: 'ie', from: 11, to: 11 },
};

/** Whether a User-Agent is one of the chosen browsers. null when none is chosen; names that are unknown do nothing. */
export function compileLegacyBrowsers(
  choices: readonly LegacyBrowser[],
): ((userAgent: string) => boolean) | null {
  const rules = choices.flatMap((choice) => (Object.hasOwn(RULES, choice) ? [RULES[choice]] : []));
  if (rules.length === 0) return null;
  return (userAgent) => {
    const browser = browserOf(userAgent);
    if (browser === null) return false;
    return rules.some(
      ({ family, from, to }) => family === browser.family && browser.major >= from && browser.major <= to,
    );
  };
}

const FAMILIES: Readonly<Record<string, Family>> = {
  'Internet Explorer': 'ie',
  'Microsoft Edge': 'edge',
  Safari: 'safari',
  Firefox: 'firefox',
  Chrome: 'chrome',
  Opera: 'opera',
};

/**
 * As in the reference, the browsers of phones are families of their own that no choice means, except for Internet
 * Explorer, Opera Mini and the browser of old Android systems, which has the system's version.
 */
function browserOf(text: string): { family: Family; major: number } | null {
  const mini = /\bOpera Mini\/(\d{1,4})/.exec(text)?.[1];
  if (mini !== undefined) return { family: 'opera_mini', major: Number(mini) };
  if (text.includes('HeadlessChrome/')) return null;
  const { browser, os, device } = parseUserAgent(text);
  if (browser === null) return null;
  if (browser.name === 'Android Browser') return withMajor('android', os?.version);
  const family = FAMILIES[browser.name];
  if (family === undefined || (device !== null && family !== 'ie')) return null;
  return withMajor(family, browser.version);
}

function withMajor(family: Family, version: string | undefined): { family: Family; major: number } | null {
  const major = Number.parseInt(version ?? '', 10);
  return Number.isNaN(major) ? null : { family, major };
}

/** What tells whether something was sent from a developer's own machine. */
export type LocalFacts = {
  /** The user's address, as the event says it. */
  ipAddress?: string | null;
  /** The address of the page or request. */
  url?: string | null;
  headers?: readonly (readonly [string, string])[] | null;
};

const LOCAL_ADDRESSES: ReadonlySet<string> = new Set(['127.0.0.1', '::1']);
const LOCAL_DOMAINS = ['127.0.0.1', 'localhost'];

/** Source: relay-filter/src/localhost.rs */
export function isFromLocalhost({ ipAddress, url, headers }: LocalFacts): boolean {
  if (ipAddress && LOCAL_ADDRESSES.has(ipAddress)) return true;
  const parsed = url ? URL.parse(url) : null;
  if (parsed) {
    if (parsed.protocol === 'file:') return true;
    const host = parsed.hostname;
    if (LOCAL_DOMAINS.some((domain) => host === domain || host.endsWith(`.${domain}`))) return true;
  }
  const forwardedFor = headerOf(headers, 'x-forwarded-for');
  if (forwardedFor !== undefined && LOCAL_ADDRESSES.has(forwardedFor)) return true;
  if (parsed) return false;
  return ['host', 'x-forwarded-host'].some((name) => {
    const host = headerOf(headers, name)?.split(':', 1)[0];
    return host !== undefined && LOCAL_DOMAINS.includes(host);
  });
}

/** The first header of the name, which is given in lower case. */
export const headerOf = (headers: LocalFacts['headers'], name: string): string | undefined =>
  headers?.find(([sent]) => sent.length === name.length && sent.toLowerCase() === name)?.[1];

/**
 * Names of programs that read pages without a person before them: search engines, link previews, uptime checks.
 * Source: relay-filter/src/web_crawlers.rs
 */
const NAMES = [
  // Google
  'mediapartners-google',
  'adsbot-google',
  'googlebot',
  'feedfetcher-google',
  'storebot-google',
  'calypso appcrawler',
  // Other search engines and archives
  'bingbot',
  'bingpreview',
  'baiduspider',
  'bytespider',
  'slurp',
  'sogou',
  'ia_archiver',
  'brightedgeoncrawl',
  // Link previews and marketing
  'facebook',
  'meta-',
  'slack',
  'lyticsbot',
  'hubspot crawler',
  // Uptime and load balancers
  'pingdom',
  'better uptime',
  'gtmetrix',
  'cloudflare-healthchecks',
  'elb-healthchecker',
  'aws security scanner',
];
/** What calls itself a bot or a spider: `SomeBot/1.0`, `(compatible; some-spider)`. */
const GENERIC = /(?:bots?|spider)[/\s);]/;
const KNOWN = new RegExp(NAMES.map((name) => name.replace(' ', '\\s')).join('|'));
/** Slack's app for people says so too. */
const ALLOWED = /slackbot\s1\.\d+/;

/** User agents cached as a web crawler or not. */
const AGENTS_CACHED_MAX = 2_000;
/** Characters of a user agent that are matched. */
const AGENT_CHARS_MAX = 512;
const cache = new BoundedCache<boolean>(AGENTS_CACHED_MAX);

export const isWebCrawler = (userAgent: string): boolean =>
  cache.getOrCompute(userAgent.slice(0, AGENT_CHARS_MAX), (text) => {
    const lower = text.toLowerCase();
    return (KNOWN.test(lower) || GENERIC.test(lower)) && !ALLOWED.test(lower);
  });
