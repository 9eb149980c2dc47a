import { LIMIT_KINDS } from '#product/quotas/limit-kinds.ts';
import type { LimitUse } from '#product/quotas/limits.ts';
import { LimitBar } from './limit-bar.tsx';
import type { LimitRow } from './limits-form.tsx';

const WINDOW_SECONDS_DEFAULT = 3_600;

/** A row for every kind, with its limit and the use of it where there is one. */
export const limitRows = (limits: readonly LimitUse[], now: number): LimitRow[] =>
  LIMIT_KINDS.map(({ kind, label, about }) => {
    const found = limits.find((limit) => limit.kind === kind);
    return {
      kind,
      label,
      about,
      limit: found?.limit ?? null,
      windowSeconds: found?.windowSeconds ?? WINDOW_SECONDS_DEFAULT,
      use: found ? (
        <LimitBar used={found.used} limit={found.limit} windowEndsAt={found.windowEndsAt} now={now} />
      ) : null,
    };
  });
