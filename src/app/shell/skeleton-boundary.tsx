'use client';

import { type ReactNode, Suspense, useState } from 'react';

/**
 * Shows the skeleton until the children have come; null for children that came at once. As it begins it stays: the
 * children keep their state when the page is refreshed.
 */
export function SkeletonBoundary({ skeleton, children }: { skeleton: ReactNode; children: ReactNode }) {
  const [first] = useState(skeleton);
  return first === null ? children : <Suspense fallback={first}>{children}</Suspense>;
}
