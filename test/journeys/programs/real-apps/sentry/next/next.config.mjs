import { withSentryConfig } from '@sentry/nextjs/config';

export default withSentryConfig({}, { silent: true, telemetry: false, sourcemaps: { disable: true } });
