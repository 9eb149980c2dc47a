import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { PATH_HEADER } from '../request-names.ts';
import { isDataAddress } from '../return-path.ts';
import { SkeletonBoundary } from './skeleton-boundary.tsx';

/** After this time a document is sent without its content, so that its reader sees that something happens. */
const WITHOUT_SKELETON_MS_MAX = 500;

/**
 * The content of a page, with a skeleton only where somebody would look at it: after a click on a link, and in a document
 * whose content takes its time. Other documents come in one piece, since what replaces a skeleton is painted 300 ms after
 * it at the earliest, and is sent beside it.
 */
export async function PageInOnePiece({
  content,
  skeleton,
}: {
  content: Promise<Awaited<ReactNode>>;
  skeleton: ReactNode;
}) {
  const isData = isDataAddress((await headers()).get(PATH_HEADER));
  const isWhole = await isSettledWithin(content, isData ? 0 : WITHOUT_SKELETON_MS_MAX);
  return (
    <SkeletonBoundary skeleton={isWhole ? null : skeleton}>
      {isWhole ? await content : content}
    </SkeletonBoundary>
  );
}

async function isSettledWithin(content: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isLate = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, limitMs, false);
  });
  const isSettled = content.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([isSettled, isLate]);
  } finally {
    clearTimeout(timer);
  }
}
