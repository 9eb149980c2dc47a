import { type FieldReader, isSource, type Source } from './field-reader.ts';
import { TAG_KEY_CHARS_MAX, TAG_VALUE_CHARS_MAX, TAGS_MAX } from './limits.ts';

export type Tag = readonly [string, string];

/** Named by fields of the event: a client's tag of the same name would contradict them. */
const RESERVED: ReadonlySet<string> = new Set(['release', 'dist', 'user', 'filename', 'function']);

/**
 * Reads `tags` as an object, pairs, or a list of `{key, value}`. The first of equal keys wins. Spaces in keys become
 * dashes, as in Sentry; keys with other signs go, with a reason. The field `site` of old SDKs becomes a tag.
 */
export function normalizeTags(reader: FieldReader, event: Source): Tag[] {
  const entries = tagEntries(reader, event);
  const tags = new Map<string, string>();
  for (const [keySent, valueSent] of entries) {
    if (valueSent === null || valueSent === undefined || valueSent === '') continue;
    const key = tagKey(reader, keySent);
    if (key === null) continue;
    const text = reader.textOf(valueSent);
    if (text === undefined) {
      reader.invalid('tags', key, 'a string', valueSent);
      continue;
    }
    const value = tagValue(reader, key, text);
    if (value === '') continue;
    if (tags.has(key)) continue;
    if (tags.size >= TAGS_MAX) {
      reader.report('too_many_items', '', 'tags', `kept the first ${TAGS_MAX}`);
      break;
    }
    tags.set(key, value);
  }
  const site = reader.text(event, 'site', '', TAG_VALUE_CHARS_MAX);
  if (site !== undefined && tags.size < TAGS_MAX) tags.set('site', site);
  return [...tags];
}

function tagEntries(reader: FieldReader, event: Source): readonly (readonly [unknown, unknown])[] {
  const value = event.tags;
  if (value === undefined || value === null) return [];
  if (isSource(value)) return Object.entries(value);
  if (!Array.isArray(value)) {
    reader.invalid('', 'tags', 'an object or pairs', value);
    return [];
  }
  const entries: (readonly [unknown, unknown])[] = [];
  for (const [index, item] of value.entries()) {
    if (Array.isArray(item) && item.length === 2) entries.push([item[0], item[1]]);
    else if (isSource(item) && 'key' in item) entries.push([item.key, item.value]);
    else if (item !== null) reader.invalid(`tags.${index}`, '', 'a pair', item);
  }
  return entries;
}

function tagKey(reader: FieldReader, sent: unknown): string | null {
  const key = reader.textOf(sent)?.trim().replaceAll(' ', '-');
  if (key === undefined || key === '' || key.length > TAG_KEY_CHARS_MAX || !/^[\w.:-]+$/.test(key)) {
    reader.report('invalid_data', '', 'tags', 'a key of 1 to 200 letters, digits, or _ . : -', sent);
    return null;
  }
  return RESERVED.has(key) || key.startsWith('sentry:') ? null : key;
}

function tagValue(reader: FieldReader, key: string, text: string): string {
  const oneLine = text.trim().replaceAll(/[\r\n\t\f\v]+/g, ' ');
  return reader.shorten(oneLine, 'tags', key, TAG_VALUE_CHARS_MAX);
}
