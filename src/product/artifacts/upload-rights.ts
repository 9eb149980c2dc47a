import type { Scope } from '#protocol/scopes.ts';

/** Any of them: what a build has, and people who may change the project. */
export const UPLOAD_RIGHTS: readonly [Scope, ...Scope[]] = ['project:releases', 'org:ci', 'project:write'];

/** Any of them, to see what was uploaded. */
export const ARTIFACT_READ_RIGHTS: readonly [Scope, ...Scope[]] = [
  'project:read',
  'event:read',
  'project:releases',
  'org:ci',
];
