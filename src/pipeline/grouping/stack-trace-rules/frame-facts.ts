import type { Frame } from '#protocol/event.ts';
import { platformFamily } from '../platform-family.ts';
import type { RuleSet } from './rule-set.ts';
import type { FrameNames } from './rule-types.ts';

/** The names of a frame with the rules that they match; shared by all frames that are alike. */
export type FrameProfile = {
  names: FrameNames;
  /** Of the default rules, and of the project's rules that were asked last. */
  matches: { defaults: RuleMatches | null; project: RuleMatches | null };
};

type RuleMatches = { rules: RuleSet; indexes: readonly number[] };

/** As the SDK sent it: all names of a frame but its function. */
type Sent = { platform: string; path: string | null; module: string | null; package: string | null };
type Entry = Sent & { profile: FrameProfile };
/** By the place (path, module or library), then by the function: short texts, so that finding one costs little. */
type Generation = { entries: Map<string, Map<string, Entry[]>>; size: number };

/** Frame profiles cached in each of two generations. */
const GENERATION_PROFILES_MAX = 8_192;
const newGeneration = (): Generation => ({ entries: new Map(), size: 0 });

/** What was not asked for during a whole generation is dropped with it. */
let young = newGeneration();
let old = newGeneration();

/** `function` must be the name as it is grouped by: without arguments and addresses. */
export function profileOf(frame: Frame, platform: string): FrameProfile {
  const path = frame.abs_path || frame.filename || null;
  const sent: Sent = {
    platform: frame.platform ?? platform,
    path,
    module: frame.module ?? null,
    package: frame.package ?? null,
  };
  const name = frame.function ?? '';
  const place = path ?? sent.module ?? sent.package ?? '';
  const known = find(young, place, name, sent);
  if (known !== null) return known;
  if (young.size >= GENERATION_PROFILES_MAX) {
    old = young;
    young = newGeneration();
  }
  const profile = find(old, place, name, sent) ?? makeProfile(name, sent);
  keep(young, place, name, { ...sent, profile });
  return profile;
}

function find({ entries }: Generation, place: string, name: string, sent: Sent): FrameProfile | null {
  const alike = entries.get(place)?.get(name);
  if (alike === undefined) return null;
  for (const entry of alike) {
    const isSame =
      entry.platform === sent.platform &&
      entry.path === sent.path &&
      entry.module === sent.module &&
      entry.package === sent.package;
    if (isSame) return entry.profile;
  }
  return null;
}

function keep(generation: Generation, place: string, name: string, entry: Entry): void {
  const ofPlace = generation.entries.get(place) ?? new Map<string, Entry[]>();
  generation.entries.set(place, ofPlace);
  const alike = ofPlace.get(name) ?? [];
  ofPlace.set(name, alike);
  // Frames of one place and one name have nearly always all else in common.
  if (alike.length >= ALIKE_MAX) alike.shift();
  else generation.size += 1;
  alike.push(entry);
}

/** Profiles cached for frames of the same place and name. */
const ALIKE_MAX = 8;

const makeProfile = (name: string, sent: Sent): FrameProfile => ({
  names: {
    family: platformFamily(sent.platform),
    function: name || '<unknown>',
    module: sent.module,
    package: sent.package ? asPath(sent.package) : null,
    path: sent.path === null ? null : asPath(sent.path),
  },
  matches: { defaults: null, project: null },
});

const asPath = (text: string): string => text.toLowerCase().replaceAll('\\', '/');

/** Which rules of the set the frame's names match, by index. */
export function matchesOf(
  profile: FrameProfile,
  kind: 'defaults' | 'project',
  rules: RuleSet,
): readonly number[] {
  const known = profile.matches[kind];
  if (known !== null && known.rules === rules) return known.indexes;
  const indexes = rules.matchesOf(profile.names);
  profile.matches[kind] = { rules, indexes };
  return indexes;
}
