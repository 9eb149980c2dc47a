import { z } from 'zod';
import { get, type Operation } from '#app/api/0/operation.ts';
import { ENVIRONMENTS, PROJECTS } from '#app/api/0/query.ts';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import { getReleaseVerdict } from '#product/releases/verdict/get-release-verdict.ts';
import { VERDICT_MEASURES, type VerdictWindow } from '#product/releases/verdict/release-verdict.ts';

const SIDE = z.object({
  /** A share from 0 to 1, milliseconds, or a count; null without any. */
  value: z.number().nullable(),
  /** How many transactions, sessions or users it is of; null for a count. */
  sample: z.number().nullable(),
});

const WINDOW = z.object({
  version: z.string(),
  start: z.iso.datetime(),
  end: z.iso.datetime(),
  since: z.enum(['deploy', 'event']),
});

const VERDICT = z
  .object({
    verdict: z.enum(['worse', 'better', 'same', 'too_few']),
    release: WINDOW,
    /** The release before it; null when there is none. */
    previous: WINDOW.nullable(),
    lines: z.array(
      z.object({
        measure: z.enum(VERDICT_MEASURES),
        release: SIDE,
        previous: SIDE,
        verdict: z.enum(['worse', 'better', 'chance', 'too_few']),
      }),
    ),
    /** null when there are too many lines to look at. */
    newLogPatterns: z
      .array(z.object({ pattern: z.string(), level: z.string(), lines: z.number(), example: z.string() }))
      .nullable(),
  })
  .meta({ id: 'ReleaseVerdict' });

const windowOf = (version: string, { fromMs, toMs, since }: VerdictWindow) => ({
  version,
  start: isoOfMs(fromMs),
  end: isoOfMs(toMs),
  since,
});

export const releaseVerdictOperations: readonly Operation[] = [
  /** Sentry's reference has nothing of the kind. */
  get('organizations/[org]/releases/[version]/verdict', {
    summary: 'Compares a release with the release before it, over the same length of time since each began',
    scopes: ['event:read'],
    query: { ...PROJECTS, ...ENVIRONMENTS },
    answer: VERDICT,
    async handle({ ctx, params, query }) {
      const { projectSlugs, environments } = query;
      const found = await getReleaseVerdict(ctx, { version: params.version, projectSlugs, environments });
      const { own, before } = found.windows;
      return {
        verdict: found.verdict,
        release: windowOf(found.version, own),
        previous: before && found.before !== null ? windowOf(found.before, before) : null,
        lines: found.lines.map(({ own: release, before: previous, ...line }) => ({
          ...line,
          release,
          previous,
        })),
        newLogPatterns: found.logPatterns,
      };
    },
  }),
];
