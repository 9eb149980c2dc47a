import type { ArtifactFile, ArtifactStore } from '#storage/ports/artifacts.ts';

/** The file of a bundle with one of the names, by their order; null when it has none. */
export async function findInBundle(
  artifacts: Pick<ArtifactStore, 'findInBundle'>,
  organizationId: number,
  bundleId: number,
  names: readonly string[],
): Promise<ArtifactFile | null> {
  const found = await artifacts.findInBundle(organizationId, bundleId, names);
  return names.flatMap((name) => found.filter(({ url }) => url === name)).at(0) ?? null;
}
