'use server';

import { z } from 'zod';
import { listProjectKeys } from '#product/projects/client-keys.ts';
import { getRequestContext } from '../../request-context.ts';

const INPUT = z.object({ organizationSlug: z.string().max(50), projectSlug: z.string().max(100) });

/** The DSN of the project's oldest active key; null when it has none. */
export async function findDsn(input: {
  organizationSlug: string;
  projectSlug: string;
}): Promise<string | null> {
  const { organizationSlug, projectSlug } = INPUT.parse(input);
  const keys = await listProjectKeys(await getRequestContext(organizationSlug), projectSlug);
  return keys.find((key) => key.isActive)?.dsn ?? null;
}
