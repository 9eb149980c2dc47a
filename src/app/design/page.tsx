import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { DesignCharts } from './design-charts.tsx';
import { DesignContent } from './design-content.tsx';
import { DesignControls } from './design-controls.tsx';
import { DesignTokens } from './design-tokens.tsx';

export const metadata: Metadata = { title: 'Design', robots: { index: false } };

/** Every part of the design system in every state, for whoever builds pages: in development only. */
export default function DesignPage() {
  if (process.env.NODE_ENV === 'production') notFound();
  return (
    <main>
      <PageBody>
        <PageHeader
          title="Design system"
          description="Everything in src/ui, in each of its states. Look at it in light and dark, at 390 px, and with the keyboard alone."
        />
        <div className="flex flex-col gap-6">
          <DesignTokens />
          <DesignControls />
          <DesignCharts />
          <DesignContent />
        </div>
      </PageBody>
    </main>
  );
}
