import { ErrataError, notFound } from '#lib/errors.ts';
import { authenticateToken } from '#product/accounts/authenticate-token.ts';
import { listUserOrganizations } from '#product/accounts/list-user-organizations.ts';
import { resolveUserContext } from '#product/accounts/resolve-user-context.ts';
import type { Context } from '#product/context.ts';
import type { Services } from '#product/services.ts';

/** Who calls the API: a token, in its one organization, or a signed-in user, in each of theirs. */
export type ApiCaller = {
  userId: string;
  /** One for each organization that the caller may see, oldest first. */
  contexts: readonly Context[];
};

/** By Bearer token; for reading also by the session cookie of a signed-in user. Throws Unauthorized. */
export async function authenticateCaller(services: Services, request: Request): Promise<ApiCaller> {
  const authorization = request.headers.get('authorization');
  if (authorization !== null) return fromToken(services, authorization);
  // A cookie travels with requests that another site starts, so it may not change anything.
  if (request.method !== 'GET' && request.method !== 'HEAD') throw missing();
  const session = await services.stores.authenticator.findSession(request.headers);
  if (!session) throw missing();
  const organizations = await listUserOrganizations(services, session.userId);
  const contexts = await Promise.all(
    organizations.map((organization) => resolveUserContext(services, organization.slug, session)),
  );
  return { userId: session.userId, contexts };
}

/** The caller's context in an organization, by slug or number. Throws NotFound, also for those of others. */
export function contextOf(caller: ApiCaller, slugOrId: string): Context {
  const context = caller.contexts.find(
    ({ organization }) => organization.slug === slugOrId || String(organization.id) === slugOrId,
  );
  if (!context) throw notFound(`The organization "${slugOrId.slice(0, 80)}" does not exist`);
  return context;
}

async function fromToken(services: Services, authorization: string): Promise<ApiCaller> {
  if (!/^Bearer\s/i.test(authorization)) throw missing();
  const context = await authenticateToken(services, authorization);
  if (context.actor.kind !== 'token') throw missing();
  return { userId: context.actor.userId, contexts: [context] };
}

const missing = () =>
  new ErrataError(
    'unauthorized',
    'Authentication credentials were not provided: send a token as "Authorization: Bearer …"',
  );
