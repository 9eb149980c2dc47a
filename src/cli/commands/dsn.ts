import { type CliCommand, EXIT } from '#cli/cli-command.ts';
import { findActiveKey } from '#cli/find-active-key.ts';
import { ORG_OPTION } from '#cli/options.ts';
import { withOrganization } from '#cli/with-connection.ts';

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
