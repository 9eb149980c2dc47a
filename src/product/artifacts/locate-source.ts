import type { ScriptReference } from '#pipeline/symbolicate/artifacts.ts';
import { candidateAddresses, resolveAddress } from '#pipeline/symbolicate/javascript/script-address.ts';
import type { ArtifactFile } from './artifact.ts';
import { findInBundle } from './bundle-files.ts';
import type { ArtifactLookup, LocatedScript, ProjectScope } from './locate-script.ts';

/**
 * The uploaded file that holds a source whose text the map does not: in the bundle of the map, else in the release. null
 * when there is none. `name` is the map's.
 */
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
