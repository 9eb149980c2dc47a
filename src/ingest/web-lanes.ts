import type { IncomingHttpHeaders } from 'node:http';
import type { LaneLimits } from './lane.ts';

/** `uploads`: bodies too large to be held. `live`: answers that do not end by themselves. */
export type LaneName = 'pages' | 'uploads' | 'live';

/**
 * An address may be an office behind one NAT, so its bounds are those of hundreds of people; the rest is kept for
 * others. Requests that go beyond a bound wait for their turn, except for live streams.
 */
export const LANE_LIMITS: Readonly<Record<LaneName, LaneLimits>> = {
  pages: {
    totalMax: 128,
    ofAddressMax: 96,
    ofSessionMax: 32,
    waitingMax: 4_000,
    waitingOfAddressMax: 1_000,
    waitMs: 10_000,
  },
  uploads: {
    totalMax: 96,
    ofAddressMax: 24,
    ofSessionMax: 24,
    decentBytesPerSecond: 64 * 1024,
    waitingMax: 500,
    waitingOfAddressMax: 200,
    waitMs: 20_000,
  },
  live: {
    totalMax: 1_000,
    ofAddressMax: 400,
    ofSessionMax: 12,
    waitingMax: 0,
    waitingOfAddressMax: 0,
    waitMs: 0,
  },
};

const LIVE_PATH = /^\/+api\/+live(\/|$)/;

export function isLivePath(target: string): boolean {
  const path = target.split('?', 1)[0] ?? '';
  try {
    return LIVE_PATH.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

const SESSION_COOKIE = /(?:^|;\s*)(?:__Host-)?errata\.session_token=([^;]+)/;

/** What names the session or the token of a request; null when it has neither. Nobody has checked it yet. */
export const sessionOf = ({ authorization, cookie }: IncomingHttpHeaders): string | null =>
  authorization ?? SESSION_COOKIE.exec(cookie ?? '')?.[1] ?? null;
