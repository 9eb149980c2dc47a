import { z } from 'zod';
import { flag, text } from './primitives.ts';
import { projectDetail } from './project-shapes.ts';
import type { ReferenceOperation } from './reference-operation.ts';
import { clientKey, environment, ownership } from './setting-shapes.ts';

export const PROJECTS: Readonly<Record<string, ReferenceOperation>> = {
  'GET organizations/{org}/project-keys/': { statuses: [200], answer: z.array(clientKey) },
  'DELETE projects/{org}/{project}/': { statuses: [204], answer: null },
  'GET projects/{org}/{project}/': { statuses: [200], answer: projectDetail },
  'PUT projects/{org}/{project}/': { statuses: [200], answer: projectDetail },
  'GET projects/{org}/{project}/environments/': { statuses: [200], answer: z.array(environment) },
  'GET projects/{org}/{project}/environments/{environment}/': { statuses: [200], answer: environment },
  'PUT projects/{org}/{project}/environments/{environment}/': { statuses: [200], answer: environment },
  'GET projects/{org}/{project}/filters/': {
    statuses: [200],
    answer: z.array(z.looseObject({ id: text, active: z.union([z.array(text), flag]) })),
  },
  'PUT projects/{org}/{project}/filters/{filter}/': { statuses: [204], answer: null },
  'GET projects/{org}/{project}/keys/': { statuses: [200], answer: z.array(clientKey) },
  'POST projects/{org}/{project}/keys/': { statuses: [201], answer: clientKey },
  'DELETE projects/{org}/{project}/keys/{key}/': { statuses: [204], answer: null },
  'GET projects/{org}/{project}/keys/{key}/': { statuses: [200], answer: clientKey },
  'PUT projects/{org}/{project}/keys/{key}/': { statuses: [200], answer: clientKey },
  'GET projects/{org}/{project}/ownership/': { statuses: [200], answer: ownership },
  'PUT projects/{org}/{project}/ownership/': { statuses: [202], answer: ownership },
  'DELETE organizations/{org}/spike-protections/': { statuses: [200], answer: null },
  'POST organizations/{org}/spike-protections/': { statuses: [201], answer: null },
};
