import { z } from 'zod';
import { listProjectKeys } from '#product/projects/client-keys.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { listReleaseDescriptions } from '#product/releases/release-descriptions.ts';
import { getProject } from '#product/visible-projects.ts';
import { DATA_SENTENCE, fencedFacts, moment, paragraphs } from '../text/answer.ts';
import { defineTool } from '../tool.ts';

const RELEASES_SHOWN = 5;
const ENVIRONMENTS_SHOWN = 20;

export const getProjectTool = defineTool({
  name: 'get_project',
  title: 'Read a project',
  description:
    'Facts of one project: its platform, the DSN that an SDK sends to, its environments and its newest releases.',
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
        ['DSN', dsn ?? 'none: all client keys are switched off'],
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
