import { BoundedCache } from '../../lib/bounded-cache.ts';

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

const AGENTS_CACHED_MAX = 2_000;
const AGENT_CHARS_MAX = 512;
const cache = new BoundedCache<boolean>(AGENTS_CACHED_MAX);

export const isWebCrawler = (userAgent: string): boolean =>
  cache.getOrCompute(userAgent.slice(0, AGENT_CHARS_MAX), (text) => {
    const lower = text.toLowerCase();
    return (KNOWN.test(lower) || GENERIC.test(lower)) && !ALLOWED.test(lower);
  });
