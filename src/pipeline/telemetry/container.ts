import type { Category, Outcome } from '#protocol/outcome.ts';
import type { ItemFacts } from '../filter/filters.ts';
import { discarded, type ItemContext, type ItemOutcome, type ItemResult, type RawItem } from '../item.ts';
import { isSource } from '../normalize/field-reader.ts';
import { AUTO_IP, parseIpAddress } from '../normalize/ip-address.ts';
import { parseUserAgent } from '../normalize/user-agent.ts';
import { parseJson } from '../parse-json.ts';
import type { AttributeSet } from './attributes.ts';
import { ELEMENTS_MAX } from './limits.ts';

/** What a container says of how its elements are to be read. */
export type ContainerSettings = {
  inferIp: boolean;
  /** null: the SDK is older than the setting. */
  inferUserAgent: boolean | null;
};

type Container =
  | {
      kind: 'container';
      elements: readonly unknown[];
      /** Elements beyond the bound, which are not among `elements`. */
      tooMany: number;
      settings: ContainerSettings;
      unsafeText: boolean;
    }
  | { kind: 'refused'; result: ItemResult };

/**
 * Reads `{items: […]}`. A container whose header counts another number of elements is refused whole, as in the
 * reference. Sources: relay-server/src/envelope/container.rs, relay-event-schema/src/protocol/ourlog/container.rs.
 */
export function readContainer(item: RawItem, category: Category): Container {
  const refuse = (reason: string, quantity: number): Container => ({
    kind: 'refused',
    result: discarded(category, reason, 'invalid', Math.max(1, Math.min(quantity, ELEMENTS_MAX))),
  });
  const parsed = parseJson(item.payload);
  const quantitySaid = item.itemCount ?? 1;
  if (parsed.kind === 'unparseable') return refuse('invalid_json', quantitySaid);
  const { items } = parsed.value;
  if (!Array.isArray(items)) return refuse('invalid_json', quantitySaid);
  if (items.length !== item.itemCount) return refuse('item_count_mismatch', items.length);
  if (items.length === 0) return refuse('no_data', 1);
  return {
    kind: 'container',
    elements: items.length > ELEMENTS_MAX ? items.slice(0, ELEMENTS_MAX) : items,
    tooMany: Math.max(0, items.length - ELEMENTS_MAX),
    settings: settingsOf(parsed.value),
    unsafeText: parsed.unsafeText,
  };
}

function settingsOf(container: Readonly<Record<string, unknown>>): ContainerSettings {
  const knowsSettings = typeof container.version === 'number' && container.version >= 2;
  if (!knowsSettings) return { inferIp: false, inferUserAgent: null };
  const settings = isSource(container.ingest_settings) ? container.ingest_settings : {};
  return { inferIp: settings.infer_ip === 'auto', inferUserAgent: settings.infer_user_agent === 'auto' };
}

/** Counts what became of the elements of one item, by reason. */
export class OutcomeTally {
  readonly #category: Category;
  readonly #counts = new Map<string, ItemOutcome>();

  constructor(category: Category) {
    this.#category = category;
  }

  count(outcome: Outcome, reason = '', quantity = 1): void {
    if (quantity <= 0) return;
    const name = `${outcome}:${reason}`;
    const known = this.#counts.get(name);
    if (known) known.quantity += quantity;
    else this.#counts.set(name, { category: this.#category, outcome, reason, quantity });
  }

  /** What was accepted first. */
  get outcomes(): ItemOutcome[] {
    const counts = [...this.#counts.values()];
    return [
      ...counts.filter(({ outcome }) => outcome === 'accepted'),
      ...counts.filter(({ outcome }) => outcome !== 'accepted'),
    ];
  }
}

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
