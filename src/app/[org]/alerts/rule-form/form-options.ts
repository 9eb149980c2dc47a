import type { AlertReceivers } from '#product/alerts/list-alert-receivers.ts';

/** Whom and what a form can name. */
export type FormOptions = Pick<AlertReceivers, 'users' | 'teams'> & {
  destinations: readonly { id: number; name: string; kindName: string }[];
  /** That the project has sent. */
  environments: readonly string[];
};
