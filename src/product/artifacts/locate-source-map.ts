import { candidateAddresses, resolveAddress } from '#pipeline/symbolicate/javascript/script-address.ts';
import type {
  AbsentScript,
  FoundScript,
  ScriptProblem,
  ScriptReference,
} from '#pipeline/symbolicate/symbol-sources.ts';
import type { ArtifactFile } from './artifact.ts';
import { findInBundle } from './bundle-files.ts';
import type { ArtifactStore } from './store/artifact-store.ts';

export type ProjectScope = { organizationId: number; projectId: number };

export type ArtifactLookup = Pick<
  ArtifactStore,
  'findByDebugId' | 'findByUrl' | 'findInBundle' | 'countFilesByDist' | 'findSimilarUrls'
>;

export type LocatedScript = {
  kind: 'located';
  /** The script that was uploaded, for people: its address, or its debug id. */
  file: string;
  foundBy: FoundScript['foundBy'];
  /** Where the names in the map are relative to. */
  baseUrl: string;
  /** null when only a map was uploaded. */
  script: ArtifactFile | null;
  /** null when the map is within the script itself, or was fetched. */
  map: ArtifactFile | null;
};

type Located = LocatedScript | AbsentScript;

/** Other dists of a release in which a missing file is looked for. */
const DISTS_LOOKED_AT_MAX = 10;
/** That a reason names: a release may have thousands, and the reason goes with the frame. */
const DISTS_NAMED_MAX = 20;

/** The uploaded files of a script: by debug id, then by release, dist and URL; else the reason. Throws as the store. */
export async function locateSourceMap(
  artifacts: ArtifactLookup,
  scope: ProjectScope,
  reference: ScriptReference,
): Promise<Located> {
  const byId = reference.debugId === null ? null : await locateByDebugId(artifacts, scope, reference);
  if (byId && byId.kind === 'located') return byId;
  const byRelease = reference.release === null ? null : await locateByRelease(artifacts, scope, reference);
  if (byRelease?.kind === 'located') return byRelease;
  return tellingMore(byId, byRelease) ?? absent({ reason: 'no_debug_id_and_no_release' });
}

/** Of two reasons that of the file which was found. A script with a debug id that nobody uploaded is told by its id. */
function tellingMore(byId: AbsentScript | null, byRelease: AbsentScript | null): AbsentScript | null {
  if (!byId || !byRelease) return byId ?? byRelease;
  const isSeen = byRelease.reason === 'map_missing' || byRelease.reason === 'other_dist';
  return byId.reason === 'debug_id_not_uploaded' && isSeen ? byRelease : byId;
}

async function locateByDebugId(
  artifacts: ArtifactLookup,
  { organizationId, projectId }: ProjectScope,
  reference: ScriptReference,
): Promise<Located> {
  const debugId = reference.debugId ?? '';
  const files = await artifacts.findByDebugId(organizationId, projectId, debugId);
  const script = files.find(({ kind }) => kind === 'minified_source') ?? null;
  const map = files.find(({ kind }) => kind === 'source_map') ?? null;
  if (!script && !map) return absent({ reason: 'debug_id_not_uploaded', debugId });
  const file = script?.url || map?.url || debugId;
  const mapUrl = script?.sourceMap ?? null;
  const base = { file, foundBy: 'debug-id', baseUrl: baseOf(reference.url, mapUrl), script } as const;
  if (map) return { kind: 'located', ...base, map };
  if (isInline(mapUrl)) return { kind: 'located', ...base, map: null };
  const beside = script && (await findInBundle(artifacts, organizationId, script.bundleId, mapNames(script)));
  if (beside) return { kind: 'located', ...base, map: beside };
  return absent({ reason: 'map_missing', file, mapUrl });
}

async function locateByRelease(
  artifacts: ArtifactLookup,
  scope: ProjectScope,
  reference: ScriptReference,
): Promise<Located> {
  const { organizationId, projectId } = scope;
  const release = { version: reference.release ?? '', dist: reference.dist };
  const urls = candidateAddresses(reference.url);
  const files = await artifacts.findByUrl(organizationId, projectId, release, urls);
  const script = urls
    .flatMap((url) => files.filter((file) => file.url === url && file.kind !== 'source_map'))
    .at(0);
  if (!script) return absent(await whyNotInRelease(artifacts, scope, reference, urls));
  const mapUrl = script.sourceMap;
  const base = {
    file: script.url,
    foundBy: 'release',
    baseUrl: baseOf(reference.url, mapUrl),
    script,
  } as const;
  if (isInline(mapUrl)) return { kind: 'located', ...base, map: null };
  const names = mapNames(script);
  const maps = await artifacts.findByUrl(organizationId, projectId, release, names);
  const map = maps.find(({ bundleId }) => bundleId === script.bundleId) ?? maps[0];
  if (map) return { kind: 'located', ...base, map };
  return absent({ reason: 'map_missing', file: script.url, mapUrl });
}

async function whyNotInRelease(
  artifacts: ArtifactLookup,
  { organizationId, projectId }: ProjectScope,
  reference: ScriptReference,
  urls: readonly string[],
): Promise<ScriptProblem> {
  const { dist } = reference;
  const release = reference.release ?? '';
  const counts = await artifacts.countFilesByDist(organizationId, projectId, release);
  if (counts.length === 0) return { reason: 'release_has_no_files', release };
  const uploadedDists = counts.map((count) => count.dist);
  const named = uploadedDists.slice(0, DISTS_NAMED_MAX);
  const otherDist = { reason: 'other_dist', release, dist, uploadedDists: named } as const;
  if (!uploadedDists.includes(dist)) return otherDist;
  for (const other of uploadedDists.slice(0, DISTS_LOOKED_AT_MAX)) {
    if (other === dist) continue;
    const there = await artifacts.findByUrl(
      organizationId,
      projectId,
      { version: release, dist: other },
      urls,
    );
    if (there.length > 0) return { ...otherDist, uploadedDists: [other] };
  }
  const path = (urls.at(-1) ?? '').split('/').at(-1) ?? '';
  const [nearest = null] = await artifacts.findSimilarUrls(
    organizationId,
    projectId,
    { version: release, dist },
    path,
  );
  return { reason: 'file_not_in_release', release, url: reference.url, nearest };
}

/** Names under which the map of a script may have been uploaded. */
function mapNames(script: ArtifactFile): readonly string[] {
  const named =
    script.sourceMap === null ? `${script.url}.map` : resolveAddress(script.url, script.sourceMap);
  return candidateAddresses(named);
}

/** A bundler's name for the map says in which folder it is, beside the script as it was served. */
const baseOf = (url: string, mapUrl: string | null): string =>
  mapUrl === null || isInline(mapUrl) ? url : resolveAddress(url, mapUrl);

const isInline = (mapUrl: string | null): boolean => mapUrl?.startsWith('data:') ?? false;

const absent = (problem: ScriptProblem): AbsentScript => ({ kind: 'absent', ...problem });

/** The uploaded file with a source that the map only names: from the map's bundle, else its release. null when none. */
export async function locateSource(
  artifacts: ArtifactLookup,
  { organizationId, projectId }: ProjectScope,
  { release, dist }: ScriptReference,
  located: Pick<LocatedScript, 'baseUrl' | 'script' | 'map'>,
  name: string,
): Promise<ArtifactFile | null> {
  const names = sourceNames(located, name);
  const bundleId = (located.map ?? located.script)?.bundleId;
  const beside =
    bundleId === undefined ? null : await findInBundle(artifacts, organizationId, bundleId, names);
  if (beside || release === null) return beside;
  const found = await artifacts.findByUrl(organizationId, projectId, { version: release, dist }, names);
  return names.flatMap((url) => found.filter((file) => file.url === url)).at(0) ?? null;
}

/** As the source is called beside the script as it was served, beside the map as it was uploaded, and by itself. */
function sourceNames(
  { baseUrl, script, map }: Pick<LocatedScript, 'baseUrl' | 'script' | 'map'>,
  name: string,
): readonly string[] {
  const uploaded = map?.url || script?.url;
  return [
    ...new Set([
      ...candidateAddresses(resolveAddress(baseUrl, name)),
      ...(uploaded ? candidateAddresses(resolveAddress(uploaded, name)) : []),
      name,
    ]),
  ];
}
