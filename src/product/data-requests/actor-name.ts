import type { Context } from '#product/context.ts';

/** Who asks, as a certificate names them. */
export const nameOf = ({ actor }: Pick<Context, 'actor'>): string =>
  actor.kind === 'system' ? 'The operator' : actor.name;
