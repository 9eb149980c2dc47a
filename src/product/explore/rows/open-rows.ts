import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { AskedField, AskedRows, RowDataset, RowExpression } from '#storage/ports/explore-rows.ts';
import { openQuestion, type Question } from '../open-question.ts';
import { readRowSearch } from './read-row-search.ts';
import { type ExploreDataset, isRowDataset } from './row-fields.ts';

/** Hashes that were merged into the issues of others and are counted with them; beyond, an issue may be in several groups. */
const STAND_INS_MAX = 10_000;

/** Finds what a question is about. Throws Invalid for a bad search, NotFound for a project that is not visible. */
export async function openRows(
  ctx: Context,
  question: Question & { dataset: ExploreDataset; within?: string },
) {
  const { dataset, within = '' } = question;
  const { projects, scope, asked } = await openQuestion(
    ctx,
    isRowDataset(dataset) ? { ...question, query: '', environments: [] } : question,
  );
  requireRight(ctx, 'event:read');
  const slugs = new Map(projects.map(({ id, slug }) => [String(id), slug]));
  const shortIdsOf = async (
    fields: readonly AskedField[],
    groups: readonly { keys: readonly string[] }[],
  ) => {
    const at = fields.findIndex(({ kind }) => kind === 'grouping');
    if (at === -1 || groups.length === 0) return new Map<string, string>();
    const hashes = groups.map(({ keys }) => {
      const [projectId = '', hash = ''] = (keys[at] ?? '').split(':');
      return { projectId: Number(projectId), hash };
    });
    return await ctx.stores.issues.findShortIds(ctx.organization.id, hashes);
  };
  const slugOf = (id: number | string): string => slugs.get(String(id)) ?? '';
  return {
    projects,
    scope,
    asked: isRowDataset(dataset)
      ? ({
          dataset,
          range: question.range,
          expression: readRowFilter(dataset, [within, question.query], {
            projects,
            environments: question.environments,
            nowMs: ctx.now(),
          }),
        } satisfies AskedRows)
      : ({ dataset: 'errors', ...asked } satisfies AskedRows),
    slugOf,
    /** The fields, of which one that tells issues apart knows which were merged. */
    withStandIns: async (fields: readonly AskedField[]): Promise<readonly AskedField[]> => {
      if (!fields.some(({ kind }) => kind === 'grouping')) return fields;
      const standIns = await ctx.stores.issues.findStandIns(
        projects.map(({ id }) => id),
        STAND_INS_MAX,
      );
      return fields.map((field) => (field.kind === 'grouping' ? { ...field, standIns } : field));
    },
    /** The groups with slugs of projects and short ids of issues; an issue that is gone has none. */
    withNames: async <Group extends { keys: readonly string[] }>(
      fields: readonly AskedField[],
      groups: readonly Group[],
    ): Promise<readonly Group[]> => {
      const shortIds = await shortIdsOf(fields, groups);
      const nameOf = (key: string, kind: AskedField['kind'] | undefined) => {
        if (kind === 'project') return slugOf(key);
        return kind === 'grouping' ? (shortIds.get(key) ?? '') : key;
      };
      return groups.map((group) => ({
        ...group,
        keys: group.keys.map((key, index) => nameOf(key, fields[index]?.kind)),
      }));
    },
  };
}

/** Rows that all searches ask for, of one of the environments unless there are none. Throws Invalid for a bad search. */
export const readRowFilter = (
  dataset: RowDataset,
  searches: readonly string[],
  known: { projects: readonly Project[]; environments: readonly string[]; nowMs: number },
): RowExpression => ({
  kind: 'and',
  parts: [
    ...inEnvironments(known.environments),
    ...searches.map((search) => readRowSearch(dataset, search, known)),
  ],
});

const inEnvironments = (environments: readonly string[]): RowExpression[] =>
  environments.length === 0
    ? []
    : [
        {
          kind: 'text',
          field: { kind: 'row', name: 'environment' },
          matches: environments.map((text) => ({ kind: 'exact', text })),
          isNegated: false,
        },
      ];
