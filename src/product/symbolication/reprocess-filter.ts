import type { ProjectScope } from '#product/artifacts/locate-script.ts';
import type { Stores } from '#product/stores.ts';
import type { ReprocessFilter } from '#storage/ports/reprocess-events.ts';
import type { ReprocessScope } from './reprocess-store.ts';

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
