import type { Role } from '#domain/people.ts';
import type { Asker, Joined, MatrixScene } from './scene.ts';

export type ApiRequest = {
  /** The dynamic parts of the path, in place of the usual ones. */
  params?: Readonly<Record<string, string>>;
  query?: string;
  body?: unknown;
  /** In place of a body. */
  form?: () => FormData;
};

export type ApiRow = {
  /** The lowest role that may; `instance_owner` is an owner who set the instance up. */
  needs: Asker;
  /** Whether builds may with the token of the organization, whose scope is org:ci. */
  isForBuilds?: true;
  /** Made for each request: what it changes, no other needs. */
  prepare?: (scene: MatrixScene, asker: Joined) => Promise<ApiRequest> | ApiRequest;
};

export const row = (needs: Asker, prepare?: ApiRow['prepare']): ApiRow => ({ needs, prepare });
export const forBuilds = (needs: Role, prepare?: ApiRow['prepare']): ApiRow => ({
  needs,
  isForBuilds: true,
  prepare,
});
