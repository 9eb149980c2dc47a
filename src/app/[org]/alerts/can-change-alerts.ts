import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';

/** Whether to offer what changes rules; the verbs decide. */
export const canChangeAlerts = ({ actor }: Pick<Context, 'actor'>): boolean =>
  hasRight(actor, 'alerts:write') || hasRight(actor, 'project:write');
