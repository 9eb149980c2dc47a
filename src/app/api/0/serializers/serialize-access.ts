import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import { SCOPES, type Scope } from '#protocol/scopes.ts';

/** What whoever asks may do, as Sentry writes it on organizations, projects and teams. */
export const serializeAccess = ({ actor }: Pick<Context, 'actor'>): Scope[] =>
  SCOPES.filter((scope) => hasRight(actor, scope));

/** There are no pictures to upload here. */
export const AVATAR = { avatarType: 'letter_avatar', avatarUuid: null, avatarUrl: null } as const;
