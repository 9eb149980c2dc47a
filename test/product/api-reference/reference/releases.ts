import { z } from 'zod';
import { user } from './people-shapes.ts';
import { text } from './primitives.ts';
import type { ReferenceOperation } from './reference-operation.ts';
import { commit, deploy, release, releaseFile, releaseOfList } from './release-shapes.ts';

export const RELEASES: Readonly<Record<string, ReferenceOperation>> = {
  'DELETE organizations/{org}/releases/{version}/': { statuses: [204], answer: null },
  'GET organizations/{org}/releases/{version}/': { statuses: [200], answer: release },
  'PUT organizations/{org}/releases/{version}/': { statuses: [200], answer: release },
  'GET organizations/{org}/releases/{version}/deploys/': { statuses: [200], answer: z.array(deploy) },
  'POST organizations/{org}/releases/{version}/deploys/': { statuses: [201], answer: deploy },
  'GET organizations/{org}/repos/{repo}/commits/': {
    statuses: [200],
    answer: z.array(
      z.looseObject({
        id: text,
        message: text.nullable(),
        dateCreated: text,
        pullRequest: z
          .looseObject({
            id: text,
            title: text.nullable(),
            message: text.nullable(),
            dateCreated: text,
            repository: z.looseObject({
              id: text.optional(),
              name: text.optional(),
              url: text.nullable().optional(),
              status: text.optional(),
              dateCreated: text.optional(),
              integrationId: text.nullable().optional(),
              externalSlug: text.nullable().optional(),
              externalId: text.nullable().optional(),
            }),
            author: z.union([user, z.looseObject({ name: text.nullable(), email: text })]),
            externalUrl: text,
          })
          .nullable(),
        suspectCommitType: text,
        repository: z
          .looseObject({
            id: text.optional(),
            name: text.optional(),
            url: text.nullable().optional(),
            status: text.optional(),
            dateCreated: text.optional(),
            integrationId: text.nullable().optional(),
            externalSlug: text.nullable().optional(),
            externalId: text.nullable().optional(),
          })
          .optional(),
      }),
    ),
  },
  'GET organizations/{org}/repos/': {
    statuses: [200],
    answer: z.array(z.looseObject({ dateCreated: text, id: text, name: text })),
  },
  'DELETE projects/{org}/{project}/files/dsyms/': { statuses: [204], answer: null },
  'GET projects/{org}/{project}/files/dsyms/': { statuses: [200], answer: null },
  'POST projects/{org}/{project}/files/dsyms/': { statuses: [201], answer: null },
  'GET organizations/{org}/releases/': { statuses: [200], answer: z.array(releaseOfList) },
  'POST organizations/{org}/releases/': { statuses: [201], answer: releaseOfList },
  'GET organizations/{org}/releases/{version}/files/': { statuses: [200], answer: z.array(releaseFile) },
  'POST organizations/{org}/releases/{version}/files/': { statuses: [201], answer: null },
  'GET projects/{org}/{project}/releases/{version}/files/': { statuses: [200], answer: z.array(releaseFile) },
  'POST projects/{org}/{project}/releases/{version}/files/': { statuses: [201], answer: releaseFile },
  'DELETE organizations/{org}/releases/{version}/files/{file}/': { statuses: [204], answer: null },
  'GET organizations/{org}/releases/{version}/files/{file}/': { statuses: [200], answer: releaseFile },
  'PUT organizations/{org}/releases/{version}/files/{file}/': { statuses: [200], answer: releaseFile },
  'DELETE projects/{org}/{project}/releases/{version}/files/{file}/': { statuses: [204], answer: null },
  'GET projects/{org}/{project}/releases/{version}/files/{file}/': { statuses: [200], answer: releaseFile },
  'PUT projects/{org}/{project}/releases/{version}/files/{file}/': { statuses: [200], answer: releaseFile },
  'GET organizations/{org}/releases/{version}/commits/': { statuses: [200], answer: z.array(commit) },
  'GET projects/{org}/{project}/releases/{version}/commits/': { statuses: [200], answer: z.array(commit) },
  'GET organizations/{org}/releases/{version}/commitfiles/': { statuses: [200], answer: null },
  'GET projects/{org}/{project}/releases/': { statuses: [200], answer: z.array(release) },
};
