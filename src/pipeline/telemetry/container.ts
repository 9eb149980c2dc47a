import type { Category } from '#protocol/outcome.ts';
import { discarded, type ItemResult, type RawItem } from '../item.ts';
import { isSource } from '../normalize/field-reader.ts';
import { parseJson } from '../parse-json.ts';
import { ELEMENTS_MAX } from './limits.ts';

/** What a container says of how its elements are to be read. */
export type ContainerSettings = {
  inferIp: boolean;
  /** null: the SDK is older than the setting. */
  inferUserAgent: boolean | null;
};

export type Container =
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
