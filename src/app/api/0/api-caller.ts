import { type Remembered, rememberReads } from '#app/remember-reads.ts';
import { clientAddress } from '#lib/client-address.ts';
import { ErrataError, isErrataError, notFound } from '#lib/errors.ts';
import { authenticateToken } from '#product/accounts/authenticate-token.ts';
import { listUserOrganizations, resolveUserContext } from '#product/accounts/resolve-user-context.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import type { Services } from '#product/services.ts';
import type { Session } from '#storage/ports/authenticator.ts';

/** Who calls the API: a token, in its one organization, or a signed-in user, in each of theirs. */
export type ApiCaller = {
  /** Whose limits count: all tokens and sessions of a user together. */
  limitKey: string;
  /** null for a token of an organization. */
  userId: string | null;
  /** One for each organization that the caller may see, oldest first. */
  contexts: readonly Context[];
};

/** By Bearer token; for reading also by the session cookie of a signed-in user. Throws Unauthorized. */
export async function authenticateCaller(services: Services, request: Request): Promise<ApiCaller> {
  const authorization = request.headers.get('authorization');
  const ipAddress = clientAddress(request.headers);
  const isReading = request.method === 'GET' || request.method === 'HEAD';
  const remembered: Remembered = new Map();
  const within = (context: Context): Context => ({
    ...(isReading ? rememberReads(context, () => remembered) : context),
    ipAddress,
  });
  if (authorization !== null) return fromToken(services, authorization, within);
  // A cookie travels with requests that another site starts, so it may not change anything.
  if (!isReading) throw missing();
  const session = await services.stores.authenticator.findSession(request.headers);
  if (!session) throw missing();
  const organizations = await listUserOrganizations(services, session.userId);
  const contexts = await Promise.all(
    organizations.map((organization) => contextOrNull(services, organization.slug, session)),
  );
  return {
    limitKey: `user ${session.userId}`,
    userId: session.userId,
    contexts: contexts.filter((context) => context !== null).map(within),
  };
}

/** null while the policy of the organization keeps the user out; the others open all the same. */
async function contextOrNull(services: Services, slug: string, session: Session): Promise<Context | null> {
  try {
    return await resolveUserContext(services, slug, session);
  } catch (error) {
    if (isErrataError(error) && error.code === 'forbidden') return null;
    throw error;
  }
}

/** The caller's context in an organization, by slug or number. Throws NotFound, also for those of others. */
export function contextOf(caller: ApiCaller, slugOrId: string): Context {
  const context = caller.contexts.find(
    ({ organization }) => organization.slug === slugOrId || String(organization.id) === slugOrId,
  );
  if (!context) throw notFound(`The organization "${slugOrId.slice(0, 80)}" does not exist`);
  return context;
}

async function fromToken(
  services: Services,
  authorization: string,
  within: (context: Context) => Context,
): Promise<ApiCaller> {
  if (!/^Bearer\s/i.test(authorization)) throw missing();
  const context = await authenticateToken(services, authorization);
  const userId = userIdOf(context);
  const { actor } = context;
  const limitKey =
    actor.kind === 'organization_token' ? `organization token ${actor.tokenId}` : `user ${userId}`;
  return { limitKey, userId, contexts: [within(context)] };
}

const missing = () =>
  new ErrataError(
    'unauthorized',
    'Authentication credentials were not provided: send a token in the "Authorization: Bearer …" header',
  );
