import type { Log } from '#lib/log.ts';
import type { Stores } from '#product/stores.ts';
import { EVERYTHING } from '#storage/ports/search.ts';
import { ADOPTED_WITHIN_MS, adoptedPlaces } from './read-adoption.ts';

/** Releases of one organization by project and environment: those with the most sessions. */
const MEASURED_MAX = 10_000;

/**
 * Remembers of every organization which releases are adopted, so that one that no longer is counts as replaced. A project in which
 * no session began in the last hours stays as it is. What fails concerns its organization alone.
 */
export async function noteAdoptions({
  stores,
  now,
  log,
}: {
  stores: Stores;
  now: () => number;
  log: Log;
}): Promise<void> {
  for (const { id: organizationId } of await stores.projects.listOrganizations()) {
    const projects = await stores.projects.listProjects(organizationId);
    if (projects.length === 0) continue;
    const toMs = now();
    try {
      const groups = await stores.telemetry.countSessions(
        { organizationId, projectIds: projects.map(({ id }) => id) },
        {
          range: { fromMs: toMs - ADOPTED_WITHIN_MS, toMs },
          expression: EVERYTHING,
          groupBy: ['project', 'environment', 'release'],
          groups: null,
          bucketMs: null,
          limit: MEASURED_MAX,
        },
      );
      await stores.releases.noteAdoptions(organizationId, adoptedPlaces(groups), toMs);
    } catch (error) {
      log.warn({ organizationId, error: String(error) }, 'The adoption of releases was not measured');
    }
  }
}
