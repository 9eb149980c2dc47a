import { findPlatform, PLATFORMS } from '#domain/platforms.ts';
import { closestWord } from '#lib/closest-word.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { listProjectKeys, type ProjectKey } from '#product/projects/client-keys.ts';
import { createProject } from '#product/projects/create-project.ts';
import { type CliCommand, EXIT, JSON_OPTION, ORG_OPTION, UsageError } from '../cli-command.ts';
import { withOrganization } from '../with-connection.ts';

export const projectCreate: CliCommand = {
  name: 'project create',
  positionals: ['<slug>'],
  options: {
    platform: {
      type: 'string',
      placeholder: '<platform>',
      meaning: 'For example, python or javascript-nextjs',
    },
    name: { type: 'string', placeholder: '<name>', meaning: 'Display name; defaults to the slug' },
    org: ORG_OPTION,
    json: JSON_OPTION,
  },
  summary: 'Create a project and print its DSN',
  run: (input, deps) => {
    const chosen = readPlatform(input.option('platform'));
    return withOrganization(input, deps, async (ctx) => {
      const [slug = ''] = input.positionals;
      const { project, dsn } = await createProject(ctx, {
        slug,
        name: input.option('name'),
        platform: chosen,
      });
      const { id, name, platform } = project;
      deps.io.out(
        input.isSet('json') ? JSON.stringify({ id, slug: project.slug, name, platform, dsn }) : dsn,
      );
      return EXIT.done;
    });
  },
};

/** A typing error would make a project without a guide. Throws UsageError. */
function readPlatform(platform: string | undefined): string | null {
  if (platform === undefined || findPlatform(platform) !== null) return platform ?? null;
  const ids = PLATFORMS.map(({ id }) => id);
  const meant = closestWord(platform, ids);
  const next = meant === null ? `use one of ${ids.join(', ')}` : `did you mean ${meant}?`;
  throw new UsageError(`"${platform}" is not a platform: ${next}`);
}

export const dsn: CliCommand = {
  name: 'dsn',
  positionals: ['<project>'],
  options: { org: ORG_OPTION },
  summary: 'Print the DSN of a project, and nothing else',
  run: (input, deps) =>
    withOrganization(input, deps, async (ctx) => {
      const [slug = ''] = input.positionals;
      deps.io.out((await findActiveKey(ctx, slug)).dsn);
      return EXIT.done;
    }),
};

/** The oldest client key of a project that may send. Throws NotFound. */
export async function findActiveKey(ctx: Context, projectSlug: string): Promise<ProjectKey> {
  const key = (await listProjectKeys(ctx, projectSlug)).find((candidate) => candidate.isActive);
  if (!key) throw notFound(`The project ${projectSlug} has no active client key: enable one in its settings`);
  return key;
}
