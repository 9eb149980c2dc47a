import type { Organization } from '#domain/projects.ts';
import { notFound, unavailable } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { type CliConnection, type CliDeps, type CliInput, UsageError } from './cli-command.ts';

/** Runs with a connection that is closed afterwards, whatever happens. */
export async function withConnection<Result>(
  deps: CliDeps,
  run: (connection: CliConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await deps.connect();
  try {
    return await run(connection);
  } finally {
    await connection.close();
  }
}

/** As `withConnection`, for the operator in the organization that `--org` names, or the only one. */
export async function withOrganization<Result>(
  input: CliInput,
  deps: CliDeps,
  run: (ctx: Context, connection: CliConnection) => Promise<Result>,
): Promise<Result> {
  return withConnection(deps, async (connection) => {
    const organization = await selectOrganization(connection, input.option('org'));
    const { stores, now, publicUrl } = connection;
    return run({ stores, organization, actor: { kind: 'system' }, now, publicUrl }, connection);
  });
}

async function selectOrganization(
  { stores }: CliConnection,
  slug: string | undefined,
): Promise<Organization> {
  const organizations = await stores.projects.listOrganizations();
  const [only] = organizations;
  if (!only) throw notFound('This instance has no organization yet: finish setup first');
  const slugs = organizations.map((organization) => organization.slug).join(', ');
  if (slug === undefined) {
    if (organizations.length === 1) return only;
    throw new UsageError(`There is more than one organization: choose one with --org (${slugs})`);
  }
  const named = organizations.find((organization) => organization.slug === slug);
  if (!named) throw notFound(`There is no organization "${slug}": choose from ${slugs}`);
  return named;
}

const ANSWER_TIMEOUT_MS = 15_000;

/** A request to the running server. Throws Unavailable when nothing answers. */
export async function fetchLocal(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
  } catch (error) {
    throw unavailable(
      `No server is responding at ${new URL(url).origin}: start it with npx errata serve`,
      error,
    );
  }
}
