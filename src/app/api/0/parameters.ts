import { z } from 'zod';

/** Parameters behind the `?` that many endpoints read, as the OpenAPI document tells of them. */
const text = (description: string) => z.string().describe(description);

export const CURSOR = { cursor: text('Where a page begins, from the Link header') };

export const PAGE = {
  limit: z.int().min(1).max(100).describe('Rows of a page; 100 by default'),
  per_page: z.int().min(1).max(100).describe('The same as limit'),
  ...CURSOR,
};

export const RANGE = {
  statsPeriod: text('A period up to now, such as 24h or 14d'),
  start: text('The beginning of the range, in ISO 8601'),
  end: text('The end of the range, in ISO 8601'),
};

export const PROJECTS = {
  project: z.array(z.string()).describe('Projects by number or slug; every one when absent, or -1'),
  projectSlug: z.array(z.string()).describe('Projects by slug'),
};

export const ENVIRONMENTS = {
  environment: z.array(z.string()).describe('Names of environments; any when absent'),
};

export const SEARCH = { query: text('A search, in the language of docs/search.md') };

export const WORDS = { query: text('Keeps what has these words in its name') };

export const DOWNLOAD = { download: text('1 for the content itself') };

/** Values that rows of telemetry are kept by, each equal to its own. */
export const keptBy = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, text(`Keeps rows with this ${name}`)])) as Record<
    Name,
    z.ZodString
  >;
