import { z } from 'zod';
import { listProjectKeys } from '#product/projects/client-keys.ts';
import {
  listEnvironments,
  listProjectSummaries,
  type SummarizedProject,
} from '#product/projects/list-project-summaries.ts';
import { listReleaseDescriptions } from '#product/releases/release-descriptions.ts';
import { getProject } from '#product/visible-projects.ts';
import { rangeOf } from '../inputs.ts';
import { DATA_SENTENCE, fencedFacts, fencedRows, moment, paragraphs } from '../text/answer.ts';
import { defineTool } from '../tool.ts';

const PERIOD = '14d';
const SHOWN_MAX = 50;

export const findProjects = defineTool({
  name: 'find_projects',
  title: 'Find projects',
  description:
    'Projects of the organization with their slugs, which other tools use, and how much each sent in the last 14 days.',
  right: 'project:read',
  input: z.strictObject({
    text: z
      .string()
      .max(100)
      .optional()
      .describe('Part of a slug, name or platform. Defaults to all projects.'),
  }),
  async run(ctx, { text = '' }) {
    const { projects } = await listProjectSummaries(ctx, { range: rangeOf(PERIOD, ctx.now()) });
    const found = projects.filter((project) => matches(project, text.toLowerCase()));
    if (found.length === 0) {
      return projects.length === 0
        ? 'There are no projects yet that this token can see.'
        : `No project has "${text.replace(/[`\s]+/g, ' ')}" in its slug, name or platform. Call this without text to list all ${projects.length}.`;
    }
    return paragraphs(
      `Each row: slug | name | platform | errors and new issues of the last ${PERIOD} | unresolved issues | last event | teams`,
      fencedRows(found.slice(0, SHOWN_MAX).map(projectRow)),
      found.length > SHOWN_MAX &&
        `${found.length - SHOWN_MAX} more: call this again with text to narrow them down.`,
    );
  },
});

const matches = ({ slug, name, platform }: SummarizedProject, lower: string): boolean =>
  [slug, name, platform ?? ''].some((each) => each.toLowerCase().includes(lower));

const projectRow = ({ slug, name, platform, summary, teams }: SummarizedProject): string =>
  [
    slug,
    name,
    platform ?? 'no platform',
    `${summary.accepted} errors, ${summary.newIssues} new issues`,
    `${summary.unresolvedIssues} unresolved`,
    summary.lastEventAt === null ? 'no event yet' : moment(summary.lastEventAt),
    teams.map((team) => `#${team}`).join(' ') || 'no team',
  ].join(' | ');

const RELEASES_SHOWN = 5;
const ENVIRONMENTS_SHOWN = 20;

export const getProjectTool = defineTool({
  name: 'get_project',
  title: 'Read a project',
  description:
    'Details of a project: its platform, its DSN for SDKs, its environments and its newest releases.',
  right: 'project:read',
  input: z.strictObject({ project: z.string().min(1).max(50).describe('Slug of the project.') }),
  async run(ctx, { project: slug }) {
    const project = await getProject(ctx, slug);
    const [keys, environments, { releases }] = await Promise.all([
      listProjectKeys(ctx, slug),
      listEnvironments(ctx, [slug]),
      listReleaseDescriptions(ctx, {
        search: '',
        projectSlugs: [slug],
        status: 'open',
        sort: 'date',
        limit: RELEASES_SHOWN,
        cursor: null,
      }),
    ]);
    const dsn = keys.find(({ isActive }) => isActive)?.dsn ?? null;
    return paragraphs(
      `Project \`${project.slug}\`: ${ctx.publicUrl}/${ctx.organization.slug}/projects/${project.slug}`,
      DATA_SENTENCE,
      fencedFacts([
        ['name', project.name],
        ['number', String(project.id)],
        ['platform', project.platform],
        ['created', moment(project.createdAt)],
        ['first event', project.firstEventAt === null ? 'none yet' : moment(project.firstEventAt)],
        ['DSN', dsn ?? 'none: all client keys are disabled'],
        ['environments', environments.slice(0, ENVIRONMENTS_SHOWN).join(', ') || 'none yet'],
        [
          'newest releases',
          releases
            .map(({ release, projects }) => {
              const fresh = projects.reduce((sum, { newIssues }) => sum + newIssues, 0);
              return `${release.version} (${fresh} new issues)`;
            })
            .join(', ') || 'none yet',
        ],
      ]),
    );
  },
});
