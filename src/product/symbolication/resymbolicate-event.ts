import { prepareAndGroupEvent } from '#pipeline/grouping/group-event.ts';
import type { GroupingRules } from '#pipeline/grouping/grouping-types.ts';
import type { Scrubber } from '#pipeline/scrub/scrubber.ts';
import { asSent, isSymbolicated, keepSource } from '#pipeline/symbolicate/frame-problem.ts';
import type { SymbolSources } from '#pipeline/symbolicate/symbol-sources.ts';
import { symbolicateEvent } from '#pipeline/symbolicate/symbolicate-event.ts';
import { culpritOf, describeEvent } from '#pipeline/title.ts';
import type { ProjectScope } from '#product/artifacts/locate-source-map.ts';
import type { Stores } from '#product/stores.ts';
import type {
  DigestedEvent,
  ExceptionValue,
  Frame,
  NormalizedEvent,
  Stacktrace,
  Thread,
} from '#protocol/event.ts';
import type { ReprocessFilter } from '#storage/ports/reprocess-events.ts';
import type { ReprocessScope } from './reprocess-store.ts';
import { scrubSources } from './scrub-sources.ts';

export type ReprocessRules = {
  scrubber: Scrubber;
  grouping: GroupingRules;
  /** The hash that rows stored with another one have by now, since an earlier regroup. */
  standIns: ReadonlyMap<string, string>;
};

export type Resymbolicated = {
  /** As it is to be stored: under the hash that it has already. */
  event: DigestedEvent;
  /** The hash that its frames give it now. */
  hash: string;
  /** False where it shows its source already, and only its hash is still the one from before. */
  hasNewFrames: boolean;
};

/** A stored event symbolicated again, or null when nothing changes; source already shown stays. Pure. */
export function resymbolicateEvent(
  stored: DigestedEvent,
  sources: SymbolSources,
  rules: ReprocessRules,
): Resymbolicated | null {
  const symbolicated = symbolicateEvent(asSent(stored.payload), sources);
  const kept = keepSource(stored.payload, scrubSources(symbolicated, rules.scrubber));
  const { event: payload, grouping } = prepareAndGroupEvent(kept, rules.grouping);
  const [hash] = grouping.hashes;
  if (hash === undefined) throw new Error('An event has no hash');
  const hasNewFrames = framesOf(payload) !== framesOf(stored.payload);
  const hasFollowed = hash === (rules.standIns.get(stored.groupingHash) ?? stored.groupingHash);
  if (!hasNewFrames && (hasFollowed || !showsSource(payload))) return null;
  const { title, metadata } = describeEvent(payload);
  return {
    event: { ...stored, payload, title: grouping.title ?? title, culprit: culpritOf(payload), metadata },
    hash,
    hasNewFrames,
  };
}

const stacksOf = (event: NormalizedEvent): readonly (Stacktrace | null | undefined)[] => {
  const owners: readonly (ExceptionValue | Thread)[] = [
    ...(event.exception?.values ?? []),
    ...(event.threads?.values ?? []),
  ];
  return [...owners.map(({ stacktrace }) => stacktrace), event.stacktrace];
};

const showsSource = (event: NormalizedEvent): boolean =>
  stacksOf(event).some((stack) => stack?.frames.some(isSymbolicated));

/** What symbolication decides of an event, to be compared. */
function framesOf(event: NormalizedEvent): string {
  return JSON.stringify([
    event.exception?.values.map(({ type, module }) => [type ?? null, module ?? null]),
    stacksOf(event).map((stack) => stack?.frames.map(placeOf)),
  ]);
}

const placeOf = (frame: Frame): unknown => [
  frame.function ?? null,
  frame.module ?? null,
  frame.filename ?? null,
  frame.abs_path ?? null,
  frame.lineno ?? null,
  frame.colno ?? null,
  frame.pre_context ?? null,
  frame.context_line ?? null,
  frame.post_context ?? null,
  frame.data?.source_problem ?? null,
];

const HASHES_MAX = 5_000;

/** Which stored events a run is about; null when there can be none, since what it names is gone. */
export async function findFilter(
  stores: Pick<Stores, 'artifacts' | 'reprocesses'>,
  { organizationId, projectId }: ProjectScope,
  scope: ReprocessScope,
): Promise<ReprocessFilter | null> {
  switch (scope.kind) {
    case 'release':
      return { releases: [scope.version], hashes: null, withProblemOnly: false };
    case 'issue': {
      const hashes = await stores.reprocesses.listIssueHashes(projectId, scope.issueId, HASHES_MAX);
      return hashes.length === 0 ? null : { releases: null, hashes, withProblemOnly: false };
    }
    case 'bundle': {
      const bundle = await stores.artifacts.findBundleById(organizationId, [projectId], scope.bundleId);
      if (!bundle) return null;
      const releases = bundle.releases.map(({ version }) => version);
      return releases.length === 0
        ? { releases: null, hashes: null, withProblemOnly: true }
        : { releases, hashes: null, withProblemOnly: false };
    }
  }
}
