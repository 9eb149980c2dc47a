'use client';

import { Dialog as BaseDialog } from '@base-ui/react/dialog';

/** Darkens the page behind a dialog; globals.css does so where the scroll bar was. */
export function Backdrop() {
  return (
    <BaseDialog.Backdrop
      data-backdrop
      className="fixed inset-0 z-40 bg-backdrop transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
    />
  );
}
