import type { NormalizedEvent } from '#protocol/event.ts';

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
