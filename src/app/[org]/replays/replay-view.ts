import { visibleStart, visibleText } from '#lib/visible-text.ts';
import type { ReplaySummary } from '#storage/ports/telemetry.ts';

const NAME_CHARACTERS_MAX = 120;

/** Who was recorded, as a name for people. */
export const replayUser = ({ userEmail, userUsername, userId, userIp }: ReplaySummary): string =>
  visibleStart(userEmail ?? userUsername ?? userId ?? userIp ?? 'Anonymous user', NAME_CHARACTERS_MAX);

/** `Chrome 140.0.0`; empty when it is not known. */
export const versioned = (name: string | null, version: string | null): string =>
  visibleText([name, version].filter(Boolean).join(' '));
