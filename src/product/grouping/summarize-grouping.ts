import { DEFAULT_ENTRY } from '#pipeline/grouping/fingerprint/fingerprint-variables.ts';
import type { Grouping, GroupingComponent, GroupingVariant } from '#pipeline/grouping/grouping-types.ts';

/** Frames, types and texts that the sentence names of each; of more it says how many. */
const NAMED = 3;
/** Names and texts within the sentence. */
const TEXT_CHARACTERS_MAX = 100;

/** Why the events of an issue are one, as a plain sentence. */
export function summarizeGrouping({ variants, hashes, matchedRule }: Grouping): string {
  const all = Object.values(variants);
  const primary = all.find(({ hash }) => hash !== null && hash === hashes[0]) ?? all[0];
  return primary ? `Grouped by ${reasonOf(primary, matchedRule)}.` : 'Not grouped.';
}

function reasonOf(variant: GroupingVariant, matchedRule: string | null): string {
  switch (variant.name) {
    case 'checksum':
    case 'hashed_checksum':
      return 'the checksum the SDK sent';
    case 'custom_client_fingerprint':
      return `the fingerprint the SDK sent: ${few(variant.values.map(quoted))}`;
    case 'custom_server_fingerprint':
      return `the fingerprint rule ${shortened(matchedRule ?? '')}`;
    case 'built_in_fingerprint':
      return matchedRule === null
        ? `the problem found in the transaction: ${few(variant.values.map(quoted))}`
        : `a built-in fingerprint rule: ${shortened(matchedRule)}`;
    case 'fallback':
      return 'nothing in particular: it has no stack trace, message or fingerprint';
    default:
      return withFingerprint(variant, matchedRule);
  }
}

/** What counted, and what a fingerprint adds to it. */
function withFingerprint({ name, tree, fingerprint }: GroupingVariant, matchedRule: string | null): string {
  const added = fingerprint?.filter((entry) => entry !== DEFAULT_ENTRY) ?? [];
  const source = matchedRule === null ? 'the fingerprint the SDK sent' : 'a fingerprint rule';
  const parts = tree ? partsOf(tree, name === 'app') : [];
  if (added.length > 0) parts.unshift(`${few(added.map(quoted))} from ${source}`);
  return parts.length > 0 ? listed(parts) : 'its content';
}

/** The stack trace is last, since the names of its frames follow it. */
function partsOf(tree: GroupingComponent, isInApp: boolean): string[] {
  const parts = contributing(tree);
  const textsOf = (...ids: readonly string[]): string[] => [
    ...new Set(parts.filter(({ id }) => ids.includes(id)).flatMap(textOf)),
  ];
  const types = textsOf('type').map(shortened);
  const messages = textsOf('value', 'message').map(quoted);
  const frames = parts.filter(({ id }) => id === 'frame').reverse();
  const known = [
    types.length > 0 && `the exception ${types.length === 1 ? 'type' : 'types'} ${few(types)}`,
    messages.length > 0 && `the ${messages.length === 1 ? 'message' : 'messages'} ${few(messages)}`,
    frames.length > 0 &&
      `the ${isInApp ? 'in-app' : 'full'} stack trace of ${
        frames.length === 1 ? '1 frame' : `${frames.length} frames`
      }: ${few(frames.map(frameName))}`,
  ].filter((part) => part !== false);
  if (known.length > 0) return known;
  return parts
    .filter(({ id }) => id !== 'salt')
    .flatMap((part) => textOf(part).map((text) => `the ${part.name ?? part.id} ${quoted(text)}`));
}

function frameName(frame: GroupingComponent): string {
  const first = (id: string): string | undefined =>
    frame.values.flatMap((value) => (typeof value !== 'string' && value.id === id ? textOf(value) : []))[0];
  const place = first('filename') ?? first('module');
  const name = first('function');
  if (name && place) return `${shortened(name)} in ${shortened(place)}`;
  return shortened(name ?? place ?? first('context_line') ?? 'an unnamed frame');
}

/** The parts that count, below all parts that count. */
function contributing(part: GroupingComponent): GroupingComponent[] {
  if (!part.contributes) return [];
  return [part, ...part.values.flatMap((value) => (typeof value === 'string' ? [] : contributing(value)))];
}

const textOf = ({ values }: GroupingComponent): string[] =>
  values.filter((value) => typeof value === 'string');

const quoted = (text: string): string => `“${shortened(text)}”`;

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > TEXT_CHARACTERS_MAX ? `${line.slice(0, TEXT_CHARACTERS_MAX).toWellFormed()}…` : line;
}

/** `a`, `a and b`, `a, b, and c`. */
function listed(parts: readonly string[]): string {
  if (parts.length < 3) return parts.join(' and ');
  return `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`;
}

const few = (texts: readonly string[]): string =>
  listed(texts.length > NAMED ? [...texts.slice(0, NAMED), `${texts.length - NAMED} more`] : texts);
