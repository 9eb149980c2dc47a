import type { FingerprintMatcher, FingerprintRule } from './fingerprint-types.ts';

const own = (key: FingerprintMatcher['key'], pattern: string): FingerprintMatcher => ({
  key,
  pattern,
  isNegated: false,
  frame: 'own',
});

const IN_JAVASCRIPT = own('family', 'javascript');

/** A part of an application that could not be loaded has another name in each build. */
const CHUNK_ERROR = 'ChunkLoadError';

/**
 * What React says when the page that it finds is not the one that it would have made. The cause differs from page to
 * page, while the stack is React's own.
 */
const HYDRATION_MESSAGES = [
  'Hydration failed because the initial UI does not match what was rendered on the server.',
  'Text content does not match server-rendered HTML.',
  'The server could not finish this Suspense boundary, likely due to an error during server rendering. Switched to client rendering.',
  'There was an error while hydrating this Suspense boundary. Switched to client rendering.',
  'There was an error while hydrating. Because the error happened outside of a Suspense boundary, the entire root will switch to client rendering.',
];

/** Errata's own rules; those of a project come first. */
export const BUILT_IN_FINGERPRINTS: readonly FingerprintRule[] = [
  ...[own('type', CHUNK_ERROR), own('value', `${CHUNK_ERROR}*`)].map((error) => ({
    matchers: [IN_JAVASCRIPT, error],
    fingerprint: ['chunkloaderror'],
    title: null,
  })),
  ...HYDRATION_MESSAGES.map((message) => ({
    matchers: [IN_JAVASCRIPT, own('tags.transaction', '*'), own('message', message)],
    fingerprint: ['hydrationerror', '{{tags.transaction}}'],
    title: null,
  })),
];
