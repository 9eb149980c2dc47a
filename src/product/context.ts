import type { Role } from '#domain/people.ts';
import type { Organization } from '#domain/projects.ts';
import type { Stores } from './stores.ts';

/** Who asks. A token's rights are its scopes, cut down to its owner's role. */
export type Actor =
  | { kind: 'user'; userId: string; name: string; role: Role; isInstanceOwner: boolean }
  | {
      kind: 'token';
      userId: string;
      name: string;
      role: Role;
      isInstanceOwner: boolean;
      scopes: readonly string[];
      /** Of the token; absent for one that only tests have. */
      tokenId?: number;
    }
  /** Belongs to the organization, and has no role: its scopes are all that it may. */
  | { kind: 'organization_token'; tokenId: number; name: string; scopes: readonly string[] }
  /** Jobs and the operator at the machine's own command line. */
  | { kind: 'system' };

/** Everything a verb needs; the scope of every query comes from here, never from a request's body. */
export type Context = {
  stores: Stores;
  organization: Organization;
  actor: Actor;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Public address of the instance without a trailing slash, for links and DSNs. */
  publicUrl: string;
  /** Where the request came from; absent for jobs and the command line. */
  ipAddress?: string | null;
};

/** Runs the work in one transaction: what it does with the context handed to it is undone together when it throws. */
export const inTransaction = <Result>(
  ctx: Context,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> => ctx.stores.inTransaction((stores) => work({ ...ctx, stores }));
