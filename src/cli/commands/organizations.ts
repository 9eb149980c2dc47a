import { type CliCommand, EXIT } from '#cli/cli-command.ts';
import { withConnection } from '#cli/with-connection.ts';
import { notFound } from '#lib/errors.ts';
import { visibleText } from '#lib/visible-text.ts';
import { createOrganization } from '#product/organizations/organizations.ts';
import type { Stores } from '#product/stores.ts';
import { JSON_OPTION } from '../cli-command.ts';

export const organizationsCreate: CliCommand = {
  name: 'organizations create',
  positionals: ['<slug>'],
  options: {
    name: { type: 'string', placeholder: '<name>', meaning: 'Display name; defaults to the slug' },
    owner: {
      type: 'string',
      placeholder: '<email>',
      meaning: 'Email of the account that owns it; defaults to the instance owner',
    },
    json: JSON_OPTION,
  },
  summary: 'Create an organization and print its slug',
  run: (input, deps) =>
    withConnection(deps, async ({ stores, now, publicUrl }) => {
      const [slug = ''] = input.positionals;
      const ownerId = await findAccount(stores, input.option('owner'));
      const { organization } = await createOrganization(
        { stores, now, publicUrl, actor: { kind: 'system' } },
        { slug, name: input.option('name') ?? slug, ...(ownerId && { ownerId }) },
      );
      const { id, name } = organization;
      deps.io.out(input.isSet('json') ? JSON.stringify({ id, slug, name }) : slug);
      return EXIT.done;
    }),
};

export const organizationsList: CliCommand = {
  name: 'organizations list',
  positionals: [],
  options: { json: JSON_OPTION },
  summary: 'List the organizations of the instance',
  run: (input, deps) =>
    withConnection(deps, async ({ stores }) => {
      const organizations = await stores.projects.listOrganizations();
      const described = organizations.map(({ id, slug, name, createdAt }) => ({
        id,
        slug,
        name,
        createdAt: new Date(createdAt).toISOString(),
      }));
      if (input.isSet('json')) deps.io.out(JSON.stringify(described));
      else for (const { slug, name } of described) deps.io.out(`${slug}\t${visibleText(name)}`);
      return EXIT.done;
    }),
};

async function findAccount({ accounts }: Stores, email: string | undefined): Promise<string | null> {
  if (email === undefined) return null;
  const user = await accounts.findUserByEmail(email.trim().toLowerCase());
  if (!user) throw notFound(`There is no account with the email "${email}"`);
  return user.id;
}
