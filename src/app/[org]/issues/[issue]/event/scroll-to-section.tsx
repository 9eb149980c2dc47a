'use client';

import { useEffect } from 'react';

/** Shows the section that the address names: the page arrives in parts, and the browser looks for it only once. */
export function ScrollToSection() {
  useEffect(() => {
    const id = location.hash.slice(1);
    if (id !== '') document.getElementById(id)?.scrollIntoView();
  }, []);
  return null;
}
