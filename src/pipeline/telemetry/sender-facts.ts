import type { ItemFacts } from '../filter/filters.ts';
import type { ItemContext } from '../item.ts';
import { AUTO_IP, parseIpAddress } from '../normalize/ip-address.ts';
import { parseUserAgent } from '../normalize/user-agent.ts';
import type { AttributeSet } from './attributes.ts';

/** Attributes that may ask for the sender's address. */
const ADDRESS_KEYS = ['client.address', 'user.ip_address'] as const;
const GEO_KEYS = ['country_code', 'city', 'subdivision', 'region'] as const;

/**
 * Fills in what only the request tells: the sender's address where `{{auto}}` asks for it or the container allows it,
 * the browser of a User-Agent, and the city of an address. What the SDK sent is left as it is.
 * Source: relay-event-normalization/src/eap/mod.rs.
 */
export function addSenderFacts(
  attributes: AttributeSet,
  context: Pick<ItemContext, 'clientIp' | 'userAgent' | 'lookUpGeo'>,
  infer: { ip: boolean; userAgent: boolean },
): void {
  const clientIp = context.clientIp === null ? null : parseIpAddress(context.clientIp);
  for (const key of ADDRESS_KEYS) {
    if (attributes.get(key) !== AUTO_IP) continue;
    attributes.delete(key);
    attributes.set(key, clientIp);
  }
  if (infer.ip) attributes.setMissing('client.address', clientIp);
  addBrowser(attributes, infer.userAgent ? context.userAgent : null);
  addGeo(attributes, context.lookUpGeo);
}

function addBrowser(attributes: AttributeSet, senderUserAgent: string | null): void {
  if (['browser.name', 'browser.version', 'sentry.browser.name'].some((key) => attributes.has(key))) return;
  const text = attributes.text('user_agent.original') ?? senderUserAgent;
  const browser = text ? parseUserAgent(text).browser : null;
  attributes.set('browser.name', browser?.name);
  attributes.set('browser.version', browser?.version);
}

function addGeo(attributes: AttributeSet, lookUp: ItemContext['lookUpGeo']): void {
  if (GEO_KEYS.some((key) => attributes.has(`user.geo.${key}`))) return;
  const sent = attributes.text(...ADDRESS_KEYS);
  const address = sent === undefined ? null : parseIpAddress(sent);
  const geo = address === null ? null : lookUp(address);
  if (geo === null) return;
  for (const key of GEO_KEYS) if (Object.hasOwn(geo, key)) attributes.set(`user.geo.${key}`, geo[key]);
}

/** What inbound filters look at, from the attributes of an element as they were before scrubbing. */
export const filterFactsOf = (attributes: AttributeSet, release: string | null): ItemFacts => ({
  release,
  userAgent: attributes.text('user_agent.original') ?? null,
  ipAddress: attributes.text('client.address', 'user.ip_address') ?? null,
  url: attributes.text('url.full', 'http.url') ?? null,
});
