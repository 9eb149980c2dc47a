'use client';

import { useEffect, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';

/** The route-load limit: a page that takes longer says so. */
const SLOW_AFTER_MS = 3_800;

/** Part of a page's skeleton: tells after a while that loading is slow, and offers a reload. */
export function SlowNotice() {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SLOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isSlow) return null;
  return (
    <div className="mb-3">
      <Notice
        tone="warning"
        actions={
          <Button size="sm" onClick={() => location.reload()}>
            Reload
          </Button>
        }
      >
        This takes longer than usual. The server may be busy.
      </Notice>
    </div>
  );
}
