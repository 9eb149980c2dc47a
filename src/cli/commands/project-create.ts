import { type CliCommand, EXIT } from '#cli/cli-command.ts';
import { JSON_OPTION, ORG_OPTION } from '#cli/options.ts';
import { withOrganization } from '#cli/with-connection.ts';
import { createProject } from '#product/projects/create-project.ts';

export const projectCreate: CliCommand = {
  name: 'project create',
  positionals: ['<slug>'],
  options: {
    platform: {
      type: 'string',
      placeholder: '<platform>',
      meaning: 'For example python or javascript-nextjs',
    },
    name: { type: 'string', placeholder: '<name>', meaning: 'Its name for people; the slug when absent' },
    org: ORG_OPTION,
    json: JSON_OPTION,
  },
  summary: 'Create a project and print its DSN',
  run: (input, deps) =>
    withOrganization(input, deps, async (ctx) => {
      const [slug = ''] = input.positionals;
      const { project, dsn } = await createProject(ctx, {
        slug,
        name: input.option('name'),
        platform: input.option('platform') ?? null,
      });
      const { id, name, platform } = project;
      deps.io.out(
        input.isSet('json') ? JSON.stringify({ id, slug: project.slug, name, platform, dsn }) : dsn,
      );
      return EXIT.done;
    }),
};
