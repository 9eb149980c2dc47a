export const replayHref = (organizationSlug: string, replayId: string): string =>
  `/${organizationSlug}/replays/${replayId}`;

/** The replay at the moment of an event, in milliseconds since the epoch. */
export const replayMomentHref = (organizationSlug: string, replayId: string, occurredAt: number): string =>
  `${replayHref(organizationSlug, replayId)}?at=${Math.round(occurredAt)}`;
