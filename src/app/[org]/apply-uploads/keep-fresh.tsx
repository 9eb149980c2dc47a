'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

const REFRESH_EVERY_MS = 1_500;

/** Reads the page anew every moment, for as long as it stands in it. */
export function KeepFresh() {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => router.refresh(), REFRESH_EVERY_MS);
    return () => clearInterval(timer);
  }, [router]);
  return null;
}
