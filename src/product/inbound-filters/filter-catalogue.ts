import type { FilterSettings, LegacyBrowser } from '#protocol/ingest-settings.ts';

/** The parts of the settings that are on or off. */
export type FilterSwitch = {
  [Key in keyof FilterSettings]: FilterSettings[Key] extends boolean ? Key : never;
}[keyof FilterSettings];
/** The parts of the settings that are lists of lines. */
export type FilterList = 'ipAddresses' | 'releases' | 'errorMessages';

/** A filter for people. `id` is the reason of its outcomes, and its name in the API. */
export type SwitchedFilter = { setting: FilterSwitch; id: string; name: string; help: string };
export type ListedFilter = {
  setting: FilterList;
  id: string;
  name: string;
  help: string;
  placeholder: string;
};

export const SWITCHED_FILTERS: readonly SwitchedFilter[] = [
  {
    setting: 'browserExtensions',
    id: 'browser-extensions',
    name: 'Browser extensions',
    help: 'Errors caused by browser extensions, toolbars, and rewriting proxies, identified by their messages and source locations.',
  },
  {
    setting: 'localhost',
    id: 'localhost',
    name: 'Localhost',
    help: 'Events from pages opened from a file, from localhost or its subdomains, or by a user at 127.0.0.1 or ::1.',
  },
  {
    setting: 'webCrawlers',
    id: 'web-crawlers',
    name: 'Web crawlers',
    help: 'Events whose user agent is a known search engine, link preview, or uptime check, or identifies itself as a bot or spider.',
  },
  {
    setting: 'healthChecks',
    id: 'filtered-transaction',
    name: 'Health checks',
    help: 'Transactions with health check names, such as …/healthz, …/ready, …/ping, and *heartbeat*. Errors in them are kept.',
  },
  {
    setting: 'reactHydrationErrors',
    id: 'react-hydration-errors',
    name: 'React hydration errors',
    help: 'React’s minified errors 418, 419, 421, 422, 423, and 425: the browser rendered something different from the server, often because an extension changed the page.',
  },
  {
    setting: 'chunkLoadErrors',
    id: 'chunk-load-error',
    name: 'Chunk load errors',
    help: 'A page requested a chunk of the app that a newer deploy removed. Reloading the page fixes it.',
  },
];

export const LISTED_FILTERS: readonly ListedFilter[] = [
  {
    setting: 'ipAddresses',
    id: 'ip-address',
    name: 'IP addresses',
    help: 'All data sent from these addresses. One address or range per line.',
    placeholder: '203.0.113.7\n198.51.100.0/24\n2001:db8::/32',
  },
  {
    setting: 'releases',
    id: 'release-version',
    name: 'Releases',
    help: 'All data from these releases. One pattern per line: * matches any text, ? one character, [ab] one of several characters, {a,b} either alternative. Patterns are not case-sensitive.',
    placeholder: 'web@1.*\nmobile@0.[0-8].*',
  },
  {
    setting: 'errorMessages',
    id: 'error-message',
    name: 'Error messages',
    help: 'Errors whose entire message, or exception as “Type: value”, matches one of these patterns. Put * around a term to match it anywhere.',
    placeholder: 'TypeError: Failed to fetch\n*ResizeObserver loop*',
  },
];

/** The reason of the outcomes of the filter that is neither a switch nor a list. */
export const LEGACY_BROWSERS_ID = 'legacy-browsers';

/** `isCurrent`: what Sentry offers today; the others are milder and are kept for those who chose them. */
export type BrowserChoice = { id: LegacyBrowser; label: string; isCurrent: boolean };

export const BROWSER_CHOICES: readonly BrowserChoice[] = [
  { id: 'ie', label: 'Internet Explorer, all versions', isCurrent: true },
  { id: 'edge', label: 'Edge 110 and older', isCurrent: true },
  { id: 'safari', label: 'Safari 15 and older', isCurrent: true },
  { id: 'firefox', label: 'Firefox 110 and older', isCurrent: true },
  { id: 'chrome', label: 'Chrome 110 and older', isCurrent: true },
  { id: 'opera', label: 'Opera 99 and older', isCurrent: true },
  { id: 'opera_mini', label: 'Opera Mini 34 and older', isCurrent: true },
  { id: 'android', label: 'Android browser 3 and older', isCurrent: true },
  { id: 'ie_pre_9', label: 'Internet Explorer 8 and older', isCurrent: false },
  { id: 'ie9', label: 'Internet Explorer 9', isCurrent: false },
  { id: 'ie10', label: 'Internet Explorer 10', isCurrent: false },
  { id: 'ie11', label: 'Internet Explorer 11', isCurrent: false },
  { id: 'edge_pre_79', label: 'Edge 78 and older', isCurrent: false },
  { id: 'safari_pre_15', label: 'Safari 14 and older', isCurrent: false },
  { id: 'safari_pre_6', label: 'Safari 5 and older', isCurrent: false },
  { id: 'firefox_pre_67', label: 'Firefox 66 and older', isCurrent: false },
  { id: 'chrome_pre_63', label: 'Chrome 62 and older', isCurrent: false },
  { id: 'opera_pre_15', label: 'Opera 14 and older', isCurrent: false },
  { id: 'opera_mini_pre_8', label: 'Opera Mini 7 and older', isCurrent: false },
  { id: 'android_pre_4', label: 'Android browser 3 and older', isCurrent: false },
];
