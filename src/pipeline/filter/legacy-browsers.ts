import type { LegacyBrowser } from '#protocol/ingest-settings.ts';
import { parseUserAgent } from '../normalize/user-agent.ts';

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
