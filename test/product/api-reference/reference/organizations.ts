import { z } from 'zod';
import { organizationDetail } from './organization-detail.ts';
import { organization } from './organization-shapes.ts';
import { anything, flag, text } from './primitives.ts';
import { project } from './project-shapes.ts';
import type { ReferenceOperation } from './reference-operation.ts';
import { integration, organizationToken } from './setting-shapes.ts';

export const ORGANIZATIONS: Readonly<Record<string, ReferenceOperation>> = {
  'GET organizations/': { statuses: [200], answer: z.array(organization) },
  'GET organizations/{org}/': { statuses: [200], answer: organization },
  'PUT organizations/{org}/': { statuses: [200], answer: organizationDetail },
  'GET organizations/{org}/config/integrations/': {
    statuses: [200],
    answer: z.looseObject({
      providers: z.array(
        z.looseObject({
          key: text,
          slug: text,
          name: text,
          metadata: anything,
          canAdd: flag,
          canDisable: flag,
          features: z.array(text),
          setupDialog: z.record(z.string(), anything),
        }),
      ),
    }),
  },
  'GET organizations/{org}/environments/': {
    statuses: [200],
    answer: z.array(z.looseObject({ id: text, name: text })),
  },
  'GET organizations/{org}/integrations/': { statuses: [200], answer: z.array(integration) },
  'DELETE organizations/{org}/integrations/{integration}/': { statuses: [204], answer: null },
  'GET organizations/{org}/integrations/{integration}/': { statuses: [200], answer: integration },
  'GET organizations/{org}/projects/': { statuses: [200], answer: z.array(project) },
  'GET organizations/{org}/org-auth-tokens/': { statuses: [200], answer: z.array(organizationToken) },
  'POST organizations/{org}/org-auth-tokens/': {
    statuses: [201],
    answer: organizationToken.extend({ token: text }),
  },
  'DELETE organizations/{org}/org-auth-tokens/{token}/': { statuses: [204], answer: null },
};
