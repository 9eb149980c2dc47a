import path from 'node:path';
import { withSentryConfig } from '@sentry/nextjs/config';

export default withSentryConfig(
  {
    output: 'export',
    // Where the packages are.
    turbopack: { root: path.resolve(import.meta.dirname, '../../..') },
    // Types are checked with those of everything else.
    typescript: { ignoreBuildErrors: true },
  },
  { silent: false, telemetry: false, sourcemaps: { deleteSourcemapsAfterUpload: true } },
);
