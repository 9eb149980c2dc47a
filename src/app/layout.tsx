import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './globals.css';
import interLatin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import type { Metadata, Viewport } from 'next';
import { cookies } from 'next/headers';
import { type ReactNode, Suspense } from 'react';
import { preload } from 'react-dom';
import { RouteWatcher } from '#ui/navigation/route-watcher.tsx';
import { ToastProvider } from '#ui/toast.tsx';
import { ErrorReporting } from './error-reporting/error-reporting.tsx';
import { THEME_COOKIE } from './request-names.ts';

export const metadata: Metadata = {
  title: { default: 'Errata', template: '%s · Errata' },
  description: 'Errors of your programs, on your own machine.',
  // Addresses may hold a token, so other sites learn none. `no-referrer` would also take the origin from forms that the
  // browser itself sends, and those are refused then.
  referrer: 'same-origin',
  formatDetection: { telephone: false, email: false, address: false },
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  colorScheme: 'light dark',
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Other subsets, and the mono face, are fetched when a page has text in them.
  preload(interLatin, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' });
  const theme = (await cookies()).get(THEME_COOKIE)?.value;
  return (
    <html lang="en" data-theme={theme === 'light' || theme === 'dark' ? theme : undefined}>
      <head>
        <ErrorReporting />
      </head>
      <body>
        <ToastProvider>{children}</ToastProvider>
        <Suspense>
          <RouteWatcher />
        </Suspense>
      </body>
    </html>
  );
}
