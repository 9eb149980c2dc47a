import { basename } from 'node:path';
import { notFound } from '#lib/errors.ts';
import type { TransferRecord } from '../../records.ts';
import type { TransferSource } from '../../transfer-source.ts';
import { readSteps, type SourceStep } from '../read-steps.ts';
import { readSentryExport, type SentryExport } from './export-file.ts';
import {
  type ExportOrganization,
  memberRecords,
  organizationRecord,
  projectRecords,
  selectOrganization,
  teamRecords,
} from './export-organization.ts';
import {
  environmentRecords,
  monitorRecords,
  ruleRecords,
  savedSearchRecords,
  unmappedRecords,
} from './export-settings.ts';

/**
 * One organization of a file that `sentry export` wrote: people, teams, projects with their keys, and rules. `organization`: its
 * slug, null for the only one. Throws Invalid for another file, and for an organization that is not in it.
 */
export async function openSentryExport(
  path: string,
  { organization: slug }: { organization: string | null },
): Promise<TransferSource> {
  const data = await readSentryExport(path);
  const { organization } = selectOrganization(data, slug, null);
  const place = String(organization.fields.slug);
  return {
    name: `Sentry's export ${basename(path)}, organization ${place}`,
    key: `sentry-export ${place} ${organization.fields.date_added}`.slice(0, 500),
    read: (options) => readSteps(stepsOf(data, selectOrganization(data, slug, options.projects)), options),
    openFile: async (file) => {
      throw notFound(`An export has no file ${file}`);
    },
    close: async () => {},
  };
}

function stepsOf(data: SentryExport, of: ExportOrganization): readonly SourceStep[] {
  return [
    { kind: 'organization', read: () => streamOf([organizationRecord(of)]) },
    { kind: 'member', read: () => streamOf(memberRecords(data, of)) },
    { kind: 'team', read: () => streamOf(teamRecords(data, of)) },
    { kind: 'project', read: () => streamOf(projectRecords(of)) },
    { kind: 'environment', read: () => streamOf(environmentRecords(data, of)) },
    { kind: 'alert_rule', read: () => streamOf(ruleRecords(data, of)) },
    { kind: 'saved_search', read: () => streamOf(savedSearchRecords(of)) },
    { kind: 'monitor', read: () => streamOf(monitorRecords(of)) },
    { kind: 'unmapped', read: () => streamOf(unmappedRecords(data, of)) },
  ];
}

async function* streamOf(records: Iterable<TransferRecord>): AsyncGenerator<TransferRecord> {
  yield* records;
}
