import Bowser from 'bowser';
import { BoundedCache } from '../../lib/bounded-cache.ts';
import { toSafeText } from './safe-text.ts';

export type UserAgent = {
  browser: { name: string; version?: string } | null;
  os: { name: string; version?: string } | null;
  device: { family: string; model?: string; brand?: string } | null;
};

/** Characters of a user agent that are parsed. */
const USER_AGENT_CHARS_MAX = 512;
/** User agents whose parts are cached. */
const USER_AGENTS_CACHED_MAX = 2_000;

const cache = new BoundedCache<UserAgent>(USER_AGENTS_CACHED_MAX);

/** Reads a User-Agent header. What it does not tell is null. */
export const parseUserAgent = (text: string): UserAgent =>
  cache.getOrCompute(toSafeText(text.slice(0, USER_AGENT_CHARS_MAX)), readUserAgent);

function readUserAgent(text: string): UserAgent {
  if (text.trim() === '') return { browser: null, os: null, device: null };
  const { browser, os, platform } = Bowser.parse(text);
  const osVersion = os.name === 'Windows' ? (os.versionName ?? os.version) : os.version;
  return {
    browser: browser.name ? { name: browser.name, version: shortVersion(browser.version) } : null,
    os: os.name ? { name: os.name, version: osVersion || undefined } : null,
    device: deviceOf(text, platform),
  };
}

/** `120.0.6099.109` is `120.0.6099`: the fourth part only splits what belongs together. */
const shortVersion = (version: string | undefined): string | undefined =>
  version?.split('.').slice(0, 3).join('.') || undefined;

function deviceOf(text: string, platform: Bowser.Parser.PlatformDetails): UserAgent['device'] {
  if (platform.type === 'bot') return { family: 'Spider', brand: platform.vendor || undefined };
  if (platform.type === 'desktop' || !platform.type) return null;
  const model = platform.model || androidModel(text);
  const family = model ?? (platform.type === 'tablet' ? 'Generic Tablet' : 'Generic Smartphone');
  return { family, model, brand: platform.vendor || undefined };
}

/** `(Linux; Android 13; Pixel 7 Build/TQ2A…)` is a Pixel 7. Chrome hides the model as `K`. */
function androidModel(text: string): string | undefined {
  const model = /Android [\d.]{1,10}; (?:[a-z]{2}-[a-z]{2}; )?([^;)]{1,60}?)(?: Build\/[^;)]*)?[;)]/i.exec(
    text,
  )?.[1];
  return model === undefined || model === 'K' || /^(?:wv|mobile|tablet|rv:)/i.test(model) ? undefined : model;
}
