import { z } from 'zod';

export const CODE_MAPPING = z
  .object({
    id: z.string(),
    projectId: z.string(),
    projectSlug: z.string(),
    repoId: z.string(),
    repoName: z.string(),
    integrationId: z.null(),
    provider: z.null(),
    stackRoot: z.string(),
    sourceRoot: z.string(),
    defaultBranch: z.string(),
    automaticallyGenerated: z.boolean(),
  })
  .meta({ id: 'CodeMapping' });
