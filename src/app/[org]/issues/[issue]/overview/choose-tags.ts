import type { TagDistribution } from '#storage/ports/events.ts';

/** What tells for whom and where, in the order in which it is read; of each line the first key that events carry. */
const ASKED: readonly (readonly [label: string, ...keys: string[]])[] = [
  ['Release', 'release'],
  ['Environment', 'environment'],
  ['Browser', 'browser'],
  ['Route', 'transaction', 'url'],
  ['System', 'os', 'client_os'],
  ['Device', 'device', 'device.family'],
  ['Runtime', 'runtime'],
  ['Server', 'server_name'],
];
const SHOWN_MAX = 4;

/** The tags that are shown above the fold, at most 4. */
export function chooseTags(tags: readonly TagDistribution[]): { label: string; tag: TagDistribution }[] {
  const byKey = new Map(tags.map((tag) => [tag.key, tag]));
  return ASKED.flatMap(([label, ...keys]) => {
    const tag = keys.map((key) => byKey.get(key)).find((found) => found !== undefined);
    return tag ? [{ label, tag }] : [];
  }).slice(0, SHOWN_MAX);
}
