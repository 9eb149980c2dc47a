import * as Sentry from '@sentry/nextjs';

Sentry.init({ dsn: new URLSearchParams(location.search).get('dsn') ?? '' });

export const onRouterTransitionStart = Sentry.captureRouterTransitionStart;
